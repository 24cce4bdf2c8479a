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

/** The types of all events. */
export const eventTypes: readonly string[] = eventKinds.flatMap(({ types }) => Object.keys(types));

const groups = new Set(eventTypes.map((type) => `${type.split(".")[0]}.*`));

/** What a client may ask for: all events, those of a kind, and single types. */
export const askableTypes: readonly string[] = ["*", ...groups, ...eventTypes];

/** The kinds of records that events are about. */
export const eventSubjects: readonly string[] = [...new Set(eventKinds.map(({ subject }) => subject))];
