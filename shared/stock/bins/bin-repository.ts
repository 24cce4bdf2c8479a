import * as z from "zod/mini";
import { binContentList } from "../../catalog/products/product-lists.ts";
import * as primitive from "../../common/primitives.ts";
import type { Undoing } from "../../jobs/job-repository.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { joined } from "../../store/dynamodb/keys.ts";
import { type Lookup, queryRange, type RawItem } from "../../store/dynamodb/reads.ts";
import { type Change, type RecordWrites, still, type Write } from "../../store/dynamodb/writes.ts";
import { listAttributes, recordKey, recordsOf } from "../../store/lists/block-list.ts";
import { countInsert } from "../../store/lists/counters/counters.ts";
import { unfiltered } from "../../store/lists/facets.ts";
import { recordOf, recordsIn } from "../../store/lists/repository.ts";
import type { PendingCorrection, QueuedCorrection } from "../recount/recount.ts";
import { type Layer, layer, productInBin } from "./goods.ts";
import { type BinGoods, mergeLayers, noGoods, unitsIn } from "./layers.ts";

/** The content of a bin: units of one product. */
export const binContent = z.object({
  account_id: primitive.int,
  ...productInBin.shape,
  quantity: primitive.int,
  /** The units whose lot and arrival are known, at most `quantity`. Stored layers may need merging. */
  layers: z.pipe(
    z._default(z.array(layer), []),
    z.transform((layers: Layer[]) => mergeLayers(layers)),
  ),
  /** Incremented when the layers change, because they are set from a read. Absent if there never were any. */
  layer_version: z.optional(primitive.int),
  /**
   * The quantity once all accepted corrections are applied. Any other change of `quantity` changes it as
   * well.
   */
  expected: primitive.int,
  /** The last accepted correction. */
  accepted: z.optional(primitive.int),
  /**
   * The facet key in the list of bin contents. Absent if the bin never held the product and only expects it.
   */
  cell: z.optional(primitive.text),
});
export type BinContent = z.output<typeof binContent>;

/** A product has a record for each bin that holds it or has held it. */
export const binContents = recordsIn<BinContent>(binContentList, recordOf(binContent), {
  idOf: ({ product_id }) => product_id,
  suffixOf: ({ location, bin }) => joined(location, bin),
});

export const binContentLookup = (productId: number, location: string, bin: string): Lookup => ({
  table: binContentList.table,
  key: recordKey(binContentList, productId, joined(location, bin)),
});

/** The contents of all bins with this product, by location and bin, including emptied bins. */
export async function binsOf(db: Database, productId: number): Promise<readonly BinContent[]> {
  const items = await queryRange(db, recordsOf(binContentList, productId));
  return items.map(binContents.parse).filter(({ cell }) => cell !== undefined);
}

/** A product in a bin, without its quantity. */
type BinIdentity = Omit<
  BinContent,
  "quantity" | "layers" | "layer_version" | "expected" | "accepted" | "cell"
>;

/** The attribute of a bin that records an accepted, unfinished correction. Its value is the difference. */
export const queuedAttribute = (jobId: number): string => queuedPrefix + jobId;
const queuedPrefix = "queued:";

/** The accepted, unfinished corrections of a bin. */
export const pendingCorrections = (item: RawItem): readonly PendingCorrection[] =>
  Object.entries(item).flatMap(([name, difference]) =>
    name.startsWith(queuedPrefix) && typeof difference === "number"
      ? [{ job_id: Number(name.slice(queuedPrefix.length)), difference }]
      : [],
  );

/** The goods in a bin; none if it has never held the product. */
export const goodsIn = (found: BinContent | undefined): BinGoods => found ?? noGoods;

/**
 * Sets the content of a bin to `after`. A bin that has never held the product is opened at `at` (ISO 8601)
 * and listed from then on. Picks call `changeContent` themselves, because a bin with goods is listed already.
 * Only `putBack` and `expectCorrections` change a bin in another way.
 *
 * Units are added or subtracted, so concurrent changes rarely conflict. Layers are set, on the condition that
 * they are as they were read. The change is stale if they are not, or if fewer units are left than it needs.
 * A `correction` does not change the expected quantity, because accepting it did.
 */
export function changeBin(
  bin: BinIdentity,
  found: BinContent | undefined,
  after: BinGoods,
  at: string,
  correction?: PendingCorrection,
): RecordWrites {
  if (found === undefined) {
    const { quantity } = after;
    const content = { ...bin, ...layerAttributes(undefined, after), quantity, expected: quantity };
    return binContents.insert(z.parse(binContent, content), at);
  }
  const change = changeContent(found, after, correction);
  return found.cell === undefined ? listingWrites(found, change, at) : [change];
}

/** The first change of a bin that only expects goods. Stale if another change came first. */
function listingWrites(found: BinContent, change: Change, at: string): RecordWrites {
  const { account_id, product_id } = found;
  const { cell, day } = listAttributes(binContentList, product_id, unfiltered, at);
  const when = [...change.when, still("cell", undefined)];
  return [
    { ...change, set: { ...change.set, cell, day }, when },
    countInsert(binContentList, String(account_id), product_id, cell),
  ];
}

/** Sets the content of a bin that has held the product before; see `changeBin`. */
export function changeContent(found: BinContent, after: BinGoods, correction?: PendingCorrection): Change {
  const { table, key } = binContentLookup(found.product_id, found.location, found.bin);
  const added = after.quantity - found.quantity;
  return {
    kind: "change",
    table,
    key,
    add: { quantity: added, ...(correction === undefined ? { expected: added } : {}) },
    set: layerAttributes(found, after),
    remove: correction === undefined ? [] : [queuedAttribute(correction.job_id)],
    when: [
      { attribute: "quantity", atLeast: Math.max(unitsIn(after.layers) - added, 0) },
      still("layer_version", found.layer_version),
    ],
  };
}

/** The layers to set, if they change. A change either only adds layers or only takes from them. */
function layerAttributes(found: BinContent | undefined, { layers }: BinGoods) {
  if (unitsIn(layers) === unitsIn(goodsIn(found).layers)) return {};
  return { layers: [...layers], layer_version: (found?.layer_version ?? 0) + 1 };
}

/**
 * Adds these corrections, in the order of their ids, to the expected quantity of their bin; its quantity
 * stays. Stale if the expected quantity has changed, or another correction has been accepted since. So the
 * ids of a bin's corrections rise in the order of acceptance, if they are allocated after the bin is read.
 */
export function expectCorrections(found: BinContent | undefined, jobs: readonly QueuedCorrection[]): Write {
  const last = jobs.at(-1);
  if (last === undefined) throw new Error("no corrections are accepted");
  const { job_id: accepted, payload: counted } = last;
  const { table, key } = binContentLookup(counted.product_id, counted.location, counted.bin);
  const added = jobs.reduce((sum, { payload }) => sum + payload.difference, 0);
  const queued = Object.fromEntries(
    jobs.map(({ job_id, payload }) => [queuedAttribute(job_id), payload.difference]),
  );
  if (found === undefined) {
    const content = z.parse(binContent, { ...counted, quantity: 0, expected: added, accepted });
    return { kind: "insert", table, item: { ...content, ...key, ...queued } };
  }
  return {
    kind: "change",
    table,
    key,
    set: { accepted, ...queued },
    add: { expected: added },
    when: [still("expected", found.expected), still("accepted", found.accepted)],
  };
}

/** What undoes the acceptance of a correction in its bin, if the correction fails. */
export const undoAcceptance = (
  { product_id, location, bin }: Pick<BinIdentity, "product_id" | "location" | "bin">,
  { job_id, difference }: PendingCorrection,
): Undoing => ({
  ...binContentLookup(product_id, location, bin),
  add: { expected: -difference },
  remove: [queuedAttribute(job_id)],
});

/**
 * Puts goods back with the lots and days of arrival they were taken with, whatever the state of the bin. It
 * never fails, because bins are never removed. The sum of the layers stays within the quantity, as both rise
 * by the same units; their number may exceed `maxLayers`. A change of the bin that was planned before becomes
 * stale by `layer_version`.
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
    ignoresLocks: true,
  };
}
