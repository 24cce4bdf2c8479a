import { aliasEvents } from "../catalog/aliases/events.ts";
import { productEvents } from "../catalog/products/events.ts";
import { synsetEvents } from "../catalog/synsets/events.ts";
import type { EventKind } from "../events/kind.ts";
import { replenishmentEvents } from "../inbound/replenishments/events.ts";
import { returnEvents } from "../inbound/returns/events.ts";
import { orderEvents } from "../orders/events.ts";
import { stockEvents } from "../stock/events.ts";
import { correctionEvents } from "../stock/recount/events.ts";
import { webhookEvents } from "../webhooks/events.ts";

export const eventKinds: readonly EventKind[] = [
  orderEvents,
  stockEvents,
  productEvents,
  aliasEvents,
  synsetEvents,
  replenishmentEvents,
  returnEvents,
  correctionEvents,
  webhookEvents,
];
