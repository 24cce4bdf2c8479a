import { aliasKind } from "../catalog/aliases/events.ts";
import { productKind } from "../catalog/products/events.ts";
import { synsetKind } from "../catalog/synsets/events.ts";
import type { EventKind } from "../events/kind.ts";
import { replenishmentKind } from "../inbound/replenishments/events.ts";
import { returnKind } from "../inbound/returns/events.ts";
import { orderKind } from "../orders/events.ts";
import { stockKind } from "../stock/events.ts";
import { correctionKind } from "../stock/recount/events.ts";
import { webhookKind } from "../webhooks/events.ts";

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
