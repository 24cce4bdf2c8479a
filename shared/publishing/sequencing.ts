/** Splits pending events into batches that fit into a transaction, and numbers them. */

import { jsonBytes } from "../common/strings.ts";
import { type Event, eventIdOf } from "../events/event.ts";
import {
  type EventDraft,
  type PendingEvents,
  previousValues,
  type StockLevelChanged,
  stockKeysIn,
} from "../events/kind.ts";
import { available, type StockUnits, stockKeyText } from "../stock/stock.ts";
import { type FeedState, maxAdded, type NewFeedBatch } from "./feed-state.ts";

/** A batch takes no more events beyond this size, in bytes of JSON. They are stored compressed. */
const fullBatchBytes = 200_000;

/** As many as one call of the stream delivers. A record's entry, which lists them, takes at most 2 KB. */
const maxBatchSize = 100;

/** The items that a change adds to a transaction, unless another of its record or level has added them. */
const itemsOf = (pending: PendingEvents): readonly string[] => [
  `entry ${pending.subject.kind} ${pending.subject.id}`,
  ...stockKeysIn(pending).map((key) => `level ${key.product_id} ${key.distribution_center_id}`),
];

/** The number of items that changes of an account add to a transaction. */
export const itemsAdded = (pending: readonly PendingEvents[]): number =>
  new Set(pending.flatMap(itemsOf)).size;

/** Splits the changes of one account into batches whose events fit into one transaction each. */
export function batchesOfEvents<T>(
  changes: readonly T[],
  eventsOf: (change: T) => PendingEvents,
): readonly (readonly T[])[] {
  const batches: T[][] = [];
  let [items, bytes] = [new Set<string>(), 0];
  for (const change of changes) {
    const batch = batches.at(-1);
    const pending = eventsOf(change);
    const size = jsonBytes(pending);
    const together = new Set([...items, ...itemsOf(pending)]);
    const hasRoom =
      batch !== undefined &&
      batch.length < maxBatchSize &&
      bytes + size <= fullBatchBytes &&
      together.size <= maxAdded;
    if (hasRoom) batch.push(change);
    else batches.push([change]);
    items = hasRoom ? together : new Set(itemsOf(pending));
    bytes = hasRoom ? bytes + size : size;
  }
  return batches;
}

const levelWithAvailable = (level: StockUnits) => ({ ...level, available: available(level) });

/** Numbers an account's events from `sequence + 1`, and computes the resulting stock levels. */
export function numberEvents(
  pending: readonly PendingEvents[],
  { levelAt }: Pick<FeedState, "levelAt">,
  sequence: number,
): Pick<NewFeedBatch, "events" | "levels"> {
  const levels = new Map<string, NewFeedBatch["levels"][number]>();
  const applyToLevel = ({ type, stock, units, why }: StockLevelChanged): EventDraft => {
    const { product_id, sku, distribution_center } = stock;
    const name = stockKeyText(stock);
    const before = levels.get(name)?.[1] ?? levelAt(stock);
    const after = {
      on_hand: before.on_hand + units.on_hand,
      reserved: before.reserved + units.reserved,
      incoming: before.incoming + units.incoming,
    };
    levels.set(name, [stock, after]);
    const data = { sku, product_id, distribution_center, ...levelWithAvailable(after), ...why };
    return { type, data, previous: previousValues(levelWithAvailable(before), data) };
  };
  const events: Event[] = [];
  for (const { source, account_id, subject, version, occurred_at, by, request_id, drafts } of pending)
    for (const draft of drafts) {
      const { type, data, previous } = "stock" in draft ? applyToLevel(draft) : draft;
      events.push({
        id: eventIdOf(source, type),
        sequence: sequence + events.length + 1,
        type,
        version,
        occurred_at,
        account_id,
        subject,
        by,
        request_id,
        data: { ...data },
        previous: previous && { ...previous },
      });
    }
  return { events, levels: [...levels.values()] };
}
