import * as z from "zod/mini";
import type { EventKind, PendingEvents } from "../events/kind.ts";
import { eventCatalog } from "../events/types.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined, type Key } from "../store/dynamodb/keys.ts";
import type { RawItem } from "../store/dynamodb/reads.ts";
import { stockList } from "../store/lists/definitions.ts";
import type { ItemChange } from "../streams/change.ts";
import { type Movement, movement, movementReasons, type StockUnits, stockLevel } from "./stock.ts";
import { readRecords, type StockPlace } from "./stock-repository.ts";
import { productStock } from "./stock-view.ts";

/** What changed of a level, before it is known whose level it is. */
export interface LevelChange extends Pick<PendingEvents, "source" | "occurred_at" | "by"> {
  readonly place: StockPlace;
  readonly units: StockUnits;
  readonly why: RawItem;
}

const movementPrefix = joined("movement", "");

/** Names the change that is a movement. */
export const movementSource = ({ pk, sk }: Key): string => joined(pk, sk);

/** Whether a movement moved units that events tell of. One that carries dropped ones forward, or repairs the books, did not. */
export const emitsEvents = ({ reason }: Pick<Movement, "reason">): boolean =>
  reason !== "carried_forward" && reason !== "repaired";

/** Of a movement, by what it says. */
function ofMovement({ key, before, after }: ItemChange): LevelChange | undefined {
  if (after === undefined || before !== undefined) return undefined;
  const { product_id, distribution_center_id, on_hand, reserved, reason, reference, by, at } = z.parse(
    movement,
    after,
  );
  if (!emitsEvents({ reason })) return undefined;
  return {
    source: movementSource(key),
    occurred_at: at,
    by,
    place: { product_id, distribution_center_id },
    units: { on_hand, reserved, incoming: 0 },
    why: { reason, ...reference },
  };
}

const incomingOf = (item: RawItem | undefined): number => Number(item?.["incoming"] ?? 0);

/** Units that are to come have no movements. The stock record counts them, or a slot of it. */
function ofIncoming({ id, key, before, after, at }: ItemChange): LevelChange | undefined {
  const incoming = incomingOf(after) - incomingOf(before);
  const [product_id = 0, distribution_center_id = 0] = key.sk.split("#").map(Number);
  if (after === undefined || incoming === 0) return undefined;
  return {
    source: joined("incoming", id),
    occurred_at: at,
    by: null,
    place: { product_id, distribution_center_id },
    units: { on_hand: 0, reserved: 0, incoming },
    why: { reason: "incoming" },
  };
}

const stepOf = (change: ItemChange): LevelChange | undefined =>
  change.key.pk.startsWith(movementPrefix) ? ofMovement(change) : ofIncoming(change);

const owned = z.pick(stockLevel, { account_id: true, sku: true, distribution_center: true });

async function tell(
  db: Database,
  changes: readonly ItemChange[],
): Promise<readonly (PendingEvents | undefined)[]> {
  const steps = changes.map(stepOf);
  const recordAt = await readRecords(
    db,
    steps.flatMap((step) => step?.place ?? []),
  );
  return steps.map((step) => step && stockEventsOf(step, z.parse(owned, recordAt(step.place))));
}

/** What a step of a level makes known. */
export const stockEventsOf = (
  { source, occurred_at, by, place, units, why }: LevelChange,
  { account_id, sku, distribution_center }: z.output<typeof owned>,
): PendingEvents => ({
  source,
  version: "2026-11-22",
  account_id,
  occurred_at,
  by,
  subject: { kind: eventCatalog.stock.subject, id: String(place.product_id) },
  happened: [{ type: "stock.changed", place: { ...place, sku, distribution_center }, units, why }],
});

/** A product's stock in a distribution center, why it changed, and the record that changed it, if there is one. */
export const stockInEvents = z.extend(productStock, {
  reason: z.enum([...movementReasons, "incoming", "aligned"]),
  ...movement.shape.reference.shape,
});

/**
 * Stock, whose subject is the product. An event's level follows from the level before it in the feed. So the levels of a
 * product form a chain without a gap, even where several writers changed its stock at once.
 */
export const stockEvents: EventKind = {
  ...eventCatalog.stock,
  changesOf: { table: stockList.table, prefixes: [movementPrefix, joined(stockList.name, "")] },
  record: stockInEvents,
  tell,
};
