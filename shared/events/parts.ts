import { mostAdded } from "../data/publishing.ts";
import { bytesOf } from "../domain/bytes.ts";
import { placesIn, type Tidings, type Told } from "./kind.ts";

/** Bytes of tidings, as JSON, after which a transaction takes no more. They are compressed. */
const enoughBytes = 200_000;

/** Tidings that a transaction takes at most: a batch of a stream. So a record's entry, which names each, takes at most 2 KB. */
const mostTogether = 100;

interface Part {
  readonly told: Told[];
  /** The items that the tidings add to the transaction. */
  readonly items: Set<string>;
  bytes: number;
}

/** The items that tidings add to a transaction, unless others of the same record or place have added them. */
const itemsOf = (tidings: Tidings): readonly string[] => [
  `entry ${tidings.subject.kind} ${tidings.subject.id}`,
  ...placesIn(tidings).map((place) => `level ${place.product_id} ${place.distribution_center_id}`),
];

/** How many items tidings of one account add to a transaction. */
export const addedBy = (tidings: readonly Tidings[]): number => new Set(tidings.flatMap(itemsOf)).size;

const hasRoom = ({ told, items, bytes }: Part, added: readonly string[], more: number): boolean =>
  told.length < mostTogether &&
  bytes + more <= enoughBytes &&
  new Set([...items, ...added]).size <= mostAdded;

/** Tidings of one account, in runs that one transaction takes. */
export function partsOf(told: readonly Told[]): readonly (readonly Told[])[] {
  const parts: Part[] = [];
  for (const one of told) {
    const added = itemsOf(one.tidings);
    const more = bytesOf(one.tidings);
    const last = parts.at(-1);
    if (last !== undefined && hasRoom(last, added, more)) {
      last.told.push(one);
      for (const item of added) last.items.add(item);
      last.bytes += more;
    } else parts.push({ told: [one], items: new Set(added), bytes: more });
  }
  return parts.map((part) => part.told);
}
