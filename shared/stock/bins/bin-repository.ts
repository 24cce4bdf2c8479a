import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import type { Undoing } from "../../jobs/job-repository.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { joined } from "../../store/dynamodb/keys.ts";
import { type Lookup, queryRange, type RawItem } from "../../store/dynamodb/reads.ts";
import { type Change, type Condition, stale, type Write } from "../../store/dynamodb/writes.ts";
import { listAttributes, recordKey, recordsOf } from "../../store/lists/block-list.ts";
import { countInsert } from "../../store/lists/counters/counters.ts";
import { binContentList } from "../../store/lists/definitions.ts";
import { unfiltered } from "../../store/lists/facets.ts";
import { recordsIn } from "../../store/lists/records.ts";
import type { PendingCorrection, QueuedCorrection } from "../recount/recount.ts";
import { combined, type Holding, type Layer, layer, nothingHeld, productInBin, unitsIn } from "./layers.ts";

/** What a bin holds of a product, in units. */
export const binContent = z.object({
  account_id: primitive.int,
  ...productInBin.shape,
  quantity: primitive.int,
  /** What of it is known to have come in when, as which lot; never more than `quantity`. Stored ones may be in parts. */
  layers: z.pipe(
    z._default(z.array(layer), []),
    z.transform((layers: Layer[]) => combined(layers)),
  ),
  /** Rises whenever the layers change, which are set from a read; a bin that never had any has none. */
  layer_version: z.optional(primitive.int),
  /** What it will hold once all corrections that were accepted are applied. It changes with `quantity`, but for those. */
  expected: primitive.int,
  /** The correction that was accepted last. */
  accepted: z.optional(primitive.int),
  /** Its cell in the list of bin contents. A bin that never held the product, and only expects some, has none. */
  cell: z.optional(primitive.text),
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
  return items.map(binContents.parse).filter(({ cell }) => cell !== undefined);
}

/** A product in a bin, whatever it holds of it. */
export type BinPlace = Omit<
  BinContent,
  "quantity" | "layers" | "layer_version" | "expected" | "accepted" | "cell"
>;

/** The attribute of a bin that notes a correction which is accepted and not finished. Its value is the difference. */
export const queuedAttribute = (jobId: number): string => queuedPrefix + jobId;
const queuedPrefix = "queued:";

/** The corrections of a bin that are accepted and not finished. */
export const pendingCorrections = (item: RawItem): readonly PendingCorrection[] =>
  Object.entries(item).flatMap(([name, difference]) =>
    name.startsWith(queuedPrefix) && typeof difference === "number"
      ? [{ job_id: Number(name.slice(queuedPrefix.length)), difference }]
      : [],
  );

/** What was found in a bin: nothing, if it has never held the product. */
export const heldIn = (found: BinContent | undefined): Holding => found ?? nothingHeld;

/**
 * Has a bin hold `after` in place of what was found in it. Everything that changes what bins hold comes to this, but for
 * `putBack`. A bin that has never held the product is opened at `at` (ISO 8601): it is listed from then on.
 *
 * Units are added or taken, so concurrent changes seldom conflict. Layers are set, on the condition that they are as they
 * were found. The change is stale if they are not, or if fewer units are left than it needs. A `correction` does
 * not change what the bin will hold: accepting it did.
 */
export function changeBin(
  place: BinPlace,
  found: BinContent | undefined,
  after: Holding,
  at: string,
  correction?: PendingCorrection,
): readonly Write[] {
  if (found === undefined) {
    const { quantity } = after;
    const content = { ...place, ...layered(undefined, after), quantity, expected: quantity };
    return binContents.insert(z.parse(binContent, content), at);
  }
  const change = changeContent(found, after, correction);
  return found.cell === undefined ? listed(found, change, at) : [change];
}

/** The first change of a bin that only expected goods. It is stale where another one was the first. */
function listed(found: BinContent, change: Change, at: string): readonly Write[] {
  const { account_id, product_id } = found;
  const { cell, day } = listAttributes(binContentList, product_id, unfiltered, at);
  const when = [...change.when, still("cell", undefined)];
  return [
    { ...change, set: { ...change.set, cell, day }, when },
    countInsert(binContentList, String(account_id), product_id, cell),
  ];
}

/** Has a bin that has held the product hold `after`; see `changeBin`. */
export function changeContent(found: BinContent, after: Holding, correction?: PendingCorrection): Change {
  const { table, key } = binContentLookup(found.product_id, found.location, found.bin);
  const by = after.quantity - found.quantity;
  return {
    kind: "change",
    table,
    key,
    add: { quantity: by, ...(correction === undefined ? { expected: by } : {}) },
    set: layered(found, after),
    remove: correction === undefined ? [] : [queuedAttribute(correction.job_id)],
    when: [
      { attribute: "quantity", atLeast: Math.max(unitsIn(after.layers) - by, 0) },
      still("layer_version", found.layer_version),
    ],
    rejection: stale,
  };
}

/** The layers to set, where they change: a change only adds to them or only takes from them. */
function layered(found: BinContent | undefined, { layers }: Holding) {
  if (unitsIn(layers) === unitsIn(heldIn(found).layers)) return {};
  return { layers: [...layers], layer_version: (found?.layer_version ?? 0) + 1 };
}

const still = (attribute: string, value: number | undefined): Condition =>
  value === undefined ? { attribute, is: "absent" } : { attribute, equals: value };

/**
 * Adds what these corrections of one bin, in the order of their ids, come to, to what the bin will hold; it holds what it
 * held. Stale if the bin expects another quantity by now, or another correction was accepted meanwhile. So the ids of a
 * bin's corrections rise in the order in which they were accepted, if they were allocated after the bin was found.
 */
export function expectCorrections(found: BinContent | undefined, jobs: readonly QueuedCorrection[]): Write {
  const last = jobs.at(-1);
  if (last === undefined) throw new Error("no corrections are accepted");
  const { job_id: accepted, payload: place } = last;
  const { table, key } = binContentLookup(place.product_id, place.location, place.bin);
  const by = jobs.reduce((sum, { payload }) => sum + payload.difference, 0);
  const queued = Object.fromEntries(
    jobs.map(({ job_id, payload }) => [queuedAttribute(job_id), payload.difference]),
  );
  if (found === undefined) {
    const content = z.parse(binContent, { ...place, quantity: 0, expected: by, accepted });
    return { kind: "insert", table, item: { ...content, ...key, ...queued }, rejection: stale };
  }
  return {
    kind: "change",
    table,
    key,
    set: { accepted, ...queued },
    add: { expected: by },
    when: [still("expected", found.expected), still("accepted", found.accepted)],
    rejection: stale,
  };
}

/** What a correction's acceptance changed of its bin, to be undone where the correction fails. */
export const expectationOf = (
  { product_id, location, bin }: Pick<BinPlace, "product_id" | "location" | "bin">,
  { job_id, difference }: PendingCorrection,
): Undoing => ({
  ...binContentLookup(product_id, location, bin),
  add: { expected: -difference },
  remove: [queuedAttribute(job_id)],
});

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
    add: { quantity, expected: quantity, ...(known ? { layer_version: 1 } : {}) },
    ...(known ? { append: { layers } } : {}),
    when: [{ attribute: "quantity", is: "present" }],
    own: true,
    rejection: stale,
  };
}
