import type { EventKind } from "../kind.ts";
import { aliasKind } from "./alias.ts";
import { correctionKind } from "./correction.ts";
import { orderKind } from "./order.ts";
import { productKind } from "./product.ts";
import { replenishmentKind } from "./replenishment.ts";
import { returnKind } from "./return.ts";
import { stockKind } from "./stock.ts";
import { synsetKind } from "./synset.ts";
import { webhookKind } from "./webhook.ts";

/** Every kind of record whose changes become events. */
export const eventKinds: readonly EventKind[] = [
  orderKind,
  stockKind,
  productKind,
  aliasKind,
  synsetKind,
  replenishmentKind,
  returnKind,
  correctionKind,
  webhookKind,
];
