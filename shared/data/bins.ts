import * as z from "zod/mini";
import { combined, type Holding, type Layer, layer, nothingHeld, unitsIn } from "../domain/stock/layers.ts";
import { type BinCorrection, correctedBy } from "../domain/stock/recount.ts";
import type { Database } from "../store/database.ts";
import { joined } from "../store/keys.ts";
import { recordKey, recordsOf } from "../store/lists/block-list.ts";
import { binContentList } from "../store/lists/definitions.ts";
import { recordsIn } from "../store/lists/records.ts";
import { type Lookup, queryRange } from "../store/reads.ts";
import { type Change, type Condition, stale, type Write } from "../store/writes.ts";

/** What a bin holds of a product, in units. */
export const binContent = z.object({
  account_id: z.int(),
  product_id: z.int(),
  sku: z.string(),
  bin_id: z.int(),
  location: z.string(),
  bin: z.string(),
  distribution_center_id: z.int(),
  quantity: z.int(),
  /** What of it is known to have come in when, as which lot; never more than `quantity`. Stored ones may be in parts. */
  layers: z.pipe(
    z._default(z.array(layer), []),
    z.transform((layers: Layer[]) => combined(layers)),
  ),
  /** Rises whenever the layers change, which are set from a read; a bin that never had any has none. */
  layer_version: z.optional(z.int()),
  /** The latest absolute count that was applied; corrections accepted before it are in it, and must not follow it. */
  counted_by: z.optional(z.int()),
  /** The latest relative correction that was applied; a count accepted before it lacks it, and must not follow it. */
  changed_by: z.optional(z.int()),
  /** How often goods were put in or taken out, other than by a correction. */
  moves: z.optional(z.int()),
});
export type BinContent = z.output<typeof binContent>;

/** What bins hold of products; a product has a record for each bin that holds it or has held it. */
export const binContents = recordsIn(binContentList, binContent, {
  idOf: ({ product_id }) => product_id,
  suffixOf: ({ location, bin }) => joined(location, bin),
});

export const binContentLookup = (productId: number, location: string, bin: string): Lookup => ({
  table: binContentList.table,
  key: recordKey(binContentList, productId, joined(location, bin)),
});

/** What the bins hold of a product, by location and bin; a bin that was emptied is among them. */
export async function binsOf(db: Database, productId: number): Promise<readonly BinContent[]> {
  const items = await queryRange(db, recordsOf(binContentList, productId));
  return items.map(binContents.parse);
}

/** A product in a bin, whatever it holds of it. */
export type BinPlace = Omit<
  BinContent,
  "quantity" | "layers" | "layer_version" | "counted_by" | "changed_by" | "moves"
>;

/** What was found in a bin: nothing, if it has never held the product. */
export const heldIn = (found: BinContent | undefined): Holding => found ?? nothingHeld;

/**
 * Has a bin hold `after` in place of what was found in it. Everything that changes what bins hold comes to this, but for
 * `putBack`. A bin that has never held the product (`found` is undefined) is opened at `at` (ISO 8601).
 *
 * Units are added or taken, so changes side by side seldom meet. Layers are set, on the condition that they are as they
 * were found. The change is stale where they are not, where fewer units are left than it needs, or where the bin was
 * counted meanwhile. A count (`correction`) is stale also where the bin holds another quantity by now, or took a change
 * that the count does not know of.
 */
export function changeBin(
  place: BinPlace,
  found: BinContent | undefined,
  after: Holding,
  at: string,
  correction?: BinCorrection,
): readonly Write[] {
  if (found !== undefined) return [changeContent(found, after, correction)];
  const corrected = correction === undefined ? { moves: 1 } : correctedBy({}, correction);
  return openBin({ ...place, ...corrected, ...layered(undefined, after), quantity: after.quantity }, at);
}

/** Puts the product into a bin that has never held it; stale where one has meanwhile. */
const openBin = (content: z.input<typeof binContent>, at: string): readonly Write[] =>
  binContents.insert(z.parse(binContent, content), at);

/** Has a bin that has held the product hold `after`; see `changeBin`. */
export function changeContent(found: BinContent, after: Holding, correction?: BinCorrection): Change {
  const { table, key } = binContentLookup(found.product_id, found.location, found.bin);
  const by = after.quantity - found.quantity;
  const counts = correction?.kind === "absolute";
  return {
    kind: "change",
    table,
    key,
    add: { quantity: by, ...(correction === undefined ? { moves: 1 } : {}) },
    set: {
      ...(correction === undefined ? {} : correctedBy(found, correction)),
      ...layered(found, after),
    },
    when: [
      counts
        ? { attribute: "quantity", equals: found.quantity }
        : { attribute: "quantity", atLeast: Math.max(unitsIn(after.layers) - by, 0) },
      still("counted_by", found.counted_by),
      still("layer_version", found.layer_version),
      ...(counts ? [still("moves", found.moves)] : []),
      ...(correction === undefined ? [] : premises(found, correction)),
    ],
    refusal: stale,
  };
}

/** The layers to set, where they change: a change only adds to them or only takes from them. */
function layered(found: BinContent | undefined, { layers }: Holding) {
  if (unitsIn(layers) === unitsIn(heldIn(found).layers)) return {};
  return { layers: [...layers], layer_version: (found?.layer_version ?? 0) + 1 };
}

const still = (attribute: string, value: number | undefined): Condition =>
  value === undefined ? { attribute, is: "absent" } : { attribute, equals: value };

/** A relative change gives way only to a change that was accepted after it. So changes side by side seldom meet. */
function premises({ changed_by }: BinContent, { id, kind }: BinCorrection): readonly Condition[] {
  if (kind === "absolute" || changed_by === undefined) return [still("changed_by", changed_by)];
  return id > changed_by ? [{ attribute: "changed_by", atMost: id }] : [];
}

/**
 * Puts goods back, whatever has become of the bin since: the very lots and days of arrival that were taken. It is never
 * refused, for bins never go away. The layers still fit the bin, which only holds more. A change of the bin that was
 * decided before it is stale by its `layer_version`.
 */
export function putBack({
  product_id,
  location,
  bin,
  quantity,
  layers,
}: Pick<BinContent, "product_id" | "location" | "bin" | "quantity" | "layers">): Change {
  const { table, key } = binContentLookup(product_id, location, bin);
  const known = layers.length > 0;
  return {
    kind: "change",
    table,
    key,
    add: { quantity, moves: 1, ...(known ? { layer_version: 1 } : {}) },
    ...(known ? { append: { layers } } : {}),
    when: [{ attribute: "quantity", is: "present" }],
    own: true,
    refusal: stale,
  };
}
