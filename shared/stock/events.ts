import * as z from "zod/mini";
import { stockList } from "../catalog/products/product-lists.ts";
import { type EventKind, type PendingEvents, requestIdIn } from "../events/kind.ts";
import { eventCatalog } from "../events/types.ts";
import { joined, type Key } from "../store/dynamodb/keys.ts";
import type { RawItem } from "../store/dynamodb/reads.ts";
import type { ItemChange } from "../streams/change.ts";
import { type Movement, movement, movementReasons, storedMovement } from "./movements/movement.ts";
import { movementPrefix } from "./movements/movement-repository.ts";
import { type StockKey, type StockUnits, stockLevel } from "./stock.ts";
import { readStockRecords } from "./stock-repository.ts";
import { productStock } from "./stock-view.ts";

/** A change of a stock level. The stock record says which account the level belongs to. */
interface LevelChange extends Pick<PendingEvents, "source" | "occurred_at" | "by" | "request_id"> {
  readonly stock: StockKey;
  readonly units: StockUnits;
  readonly why: RawItem;
}

/** Identifies the change that a movement records. */
export const movementSource = ({ pk, sk }: Key): string => joined(pk, sk);

/**
 * Whether a movement emits an event. Movements that carry dropped movements forward or repair the books do
 * not.
 */
export const emitsEvents = ({ reason }: Pick<Movement, "reason">): boolean =>
  reason !== "carried_forward" && reason !== "repaired";

function levelChangeOfMovement({ key, before, after }: ItemChange): LevelChange | undefined {
  if (after === undefined || before !== undefined) return undefined;
  const moved = z.parse(storedMovement, after);
  const { product_id, distribution_center_id, on_hand, reserved, reason, reference } = moved;
  if (!emitsEvents({ reason })) return undefined;
  return {
    source: movementSource(key),
    occurred_at: moved.at,
    by: moved.by,
    request_id: moved.request_id ?? null,
    stock: { product_id, distribution_center_id },
    units: { on_hand, reserved, incoming: 0 },
    why: { reason, ...reference },
  };
}

const incomingOf = (item: RawItem | undefined): number => Number(item?.["incoming"] ?? 0);

/** Incoming units have no movements; the stock record and its shards count them. */
function levelChangeOfIncoming({ id, key, before, after, at }: ItemChange): LevelChange | undefined {
  const incoming = incomingOf(after) - incomingOf(before);
  const [product_id = 0, distribution_center_id = 0] = key.sk.split("#").map(Number);
  if (after === undefined || incoming === 0) return undefined;
  return {
    source: joined("incoming", id),
    occurred_at: at,
    by: null,
    request_id: requestIdIn(after),
    stock: { product_id, distribution_center_id },
    units: { on_hand: 0, reserved: 0, incoming },
    why: { reason: "incoming" },
  };
}

const levelChangeOf = (change: ItemChange): LevelChange | undefined =>
  change.key.pk.startsWith(movementPrefix) ? levelChangeOfMovement(change) : levelChangeOfIncoming(change);

const owned = z.pick(stockLevel, { account_id: true, sku: true, distribution_center: true });

/** The event of a change of a level. */
export const stockEventsOf = (
  { stock, units, why, ...change }: LevelChange,
  { account_id, sku, distribution_center }: z.output<typeof owned>,
): PendingEvents => ({
  ...change,
  version: "2026-11-22",
  account_id,
  subject: { kind: eventCatalog.stock.subject, id: String(stock.product_id) },
  drafts: [{ type: "stock.changed", stock: { ...stock, sku, distribution_center }, units, why }],
});

/** A product's stock in a distribution center, why it changed, and the record that changed it, if any. */
export const stockInEvents = z.extend(z.omit(productStock, { held: true }), {
  reason: z.enum([...movementReasons, "incoming", "aligned"]),
  ...movement.shape.reference.shape,
});

/**
 * Stock events. Their subject is the product. The level in an event is computed from the level in the event
 * before it, so the levels of a product form an unbroken chain even if several writers change its stock at
 * once.
 */
export const stockEvents: EventKind = {
  ...eventCatalog.stock,
  changesOf: { table: stockList.table, prefixes: [movementPrefix, joined(stockList.name, "")] },
  record: stockInEvents,
  emit: async (db, changes) => {
    const levelChanges = changes.map(levelChangeOf);
    const keys = levelChanges.flatMap((one) => one?.stock ?? []);
    const recordAt = await readStockRecords(db, keys);
    return levelChanges.map((one) => one && stockEventsOf(one, z.parse(owned, recordAt(one.stock))));
  },
};
