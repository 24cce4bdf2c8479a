/** Pending events on their way into the feed: cut into batches that a transaction holds, and numbered. */

import { digestOf } from "../common/digest.ts";
import { jsonBytes } from "../common/strings.ts";
import type { Event } from "../events/event.ts";
import {
  type EventDraft,
  type PendingEvents,
  previousValues,
  type StockLevelChanged,
  stockPlacesIn,
} from "../events/kind.ts";
import { available, type StockUnits } from "../stock/stock.ts";
import { type FeedBatch, type FeedState, maxAdded } from "./feed-state.ts";

/** Bytes of events, as JSON, after which a batch takes no more. They are stored compressed. */
const enoughBytes = 200_000;

/** Changes of a batch: those of one call by the stream. So a record's entry, which names each of them, takes at most 2 KB. */
const maxBatchSize = 100;

/** The items that a change adds to a transaction, unless another change of the same record or place has added them. */
const itemsOf = (pending: PendingEvents): readonly string[] => [
  `entry ${pending.subject.kind} ${pending.subject.id}`,
  ...stockPlacesIn(pending).map((place) => `level ${place.product_id} ${place.distribution_center_id}`),
];

/** How many items changes of an account add to a transaction. */
export const itemsAdded = (pending: readonly PendingEvents[]): number =>
  new Set(pending.flatMap(itemsOf)).size;

/** Cuts the changes of one account into batches that one transaction holds. */
export function batchesOf<T extends PendingEvents>(pending: readonly T[]): readonly (readonly T[])[] {
  const batches: T[][] = [];
  let [items, bytes] = [new Set<string>(), 0];
  for (const one of pending) {
    const batch = batches.at(-1);
    const size = jsonBytes(one);
    const together = new Set([...items, ...itemsOf(one)]);
    const hasRoom =
      batch !== undefined &&
      batch.length < maxBatchSize &&
      bytes + size <= enoughBytes &&
      together.size <= maxAdded;
    if (hasRoom) batch.push(one);
    else batches.push([one]);
    items = hasRoom ? together : new Set(itemsOf(one));
    bytes = hasRoom ? bytes + size : size;
  }
  return batches;
}

/** The id of an event: a change emits one event of a type, so it is the same however often the change is delivered. */
const eventIdOf = (source: string, type: string): string => `evt_${digestOf(source, type).slice(0, 24)}`;

const levelWithAvailable = (level: StockUnits) => ({ ...level, available: available(level) });

/** An account's events, numbered after `sequence`, and the stock levels that they lead to. */
export function sequenced(
  pending: readonly PendingEvents[],
  { levelAt }: Pick<FeedState, "levelAt">,
  sequence: number,
): Pick<FeedBatch, "events" | "levels"> {
  const levels = new Map<string, FeedBatch["levels"][number]>();
  const applyToLevel = ({ type, place, units, why }: StockLevelChanged): EventDraft => {
    const { product_id, distribution_center_id, sku, distribution_center } = place;
    const name = `${product_id}@${distribution_center_id}`;
    const before = levels.get(name)?.[1] ?? levelAt(place);
    const after = {
      on_hand: before.on_hand + units.on_hand,
      reserved: before.reserved + units.reserved,
      incoming: before.incoming + units.incoming,
    };
    levels.set(name, [place, after]);
    const data = { sku, product_id, distribution_center, ...levelWithAvailable(after), ...why };
    return { type, data, previous: previousValues(levelWithAvailable(before), data) };
  };
  const events: Event[] = [];
  for (const { source, account_id, subject, version, occurred_at, by, drafts } of pending)
    for (const draft of drafts) {
      const { type, data, previous } = "place" in draft ? applyToLevel(draft) : draft;
      events.push({
        id: eventIdOf(source, type),
        sequence: sequence + events.length + 1,
        type,
        version,
        occurred_at,
        account_id,
        subject,
        by,
        data: { ...data },
        previous: previous && { ...previous },
      });
    }
  return { events, levels: [...levels.values()] };
}
