import { jsonBytes } from "../common/strings.ts";
import { type PendingEvents, stockPlacesIn, type Told } from "../events/kind.ts";
import { maxAdded } from "./publication.ts";

/** Bytes of events, as JSON, after which a transaction takes no more. They are compressed. */
const enoughBytes = 200_000;

/** Changes that a transaction takes at most: a batch of a stream. So a record's entry, which names each, takes at most 2 KB. */
const maxBatchSize = 100;

interface Part {
  readonly told: Told[];
  /** The items that the events of the change add to the transaction. */
  readonly items: Set<string>;
  bytes: number;
}

/** The items that a change's events add to a transaction, unless others of the same record or place have added them. */
const itemsOf = (changeEvents: PendingEvents): readonly string[] => [
  `entry ${changeEvents.subject.kind} ${changeEvents.subject.id}`,
  ...stockPlacesIn(changeEvents).map((place) => `level ${place.product_id} ${place.distribution_center_id}`),
];

/** How many items the events of an account's changes add to a transaction. */
export const itemsAdded = (changeEvents: readonly PendingEvents[]): number =>
  new Set(changeEvents.flatMap(itemsOf)).size;

const hasRoom = ({ told, items, bytes }: Part, added: readonly string[], more: number): boolean =>
  told.length < maxBatchSize && bytes + more <= enoughBytes && new Set([...items, ...added]).size <= maxAdded;

/** The changes of one account, in runs that one transaction takes. */
export function batchesOf(told: readonly Told[]): readonly (readonly Told[])[] {
  const parts: Part[] = [];
  for (const one of told) {
    const added = itemsOf(one.changeEvents);
    const more = jsonBytes(one.changeEvents);
    const last = parts.at(-1);
    if (last !== undefined && hasRoom(last, added, more)) {
      last.told.push(one);
      for (const item of added) last.items.add(item);
      last.bytes += more;
    } else parts.push({ told: [one], items: new Set(added), bytes: more });
  }
  return parts.map((part) => part.told);
}
