import { findSkus } from "../catalog/name-repository.ts";
import type { Placed } from "../common/placed.ts";
import { invalidAt, notFound } from "../common/problem.ts";
import type { AccountContext } from "../runtime/context.ts";
import type { Database } from "../store/dynamodb/database.ts";
import type { Lookup } from "../store/dynamodb/reads.ts";
import type { Serial } from "./serial.ts";
import {
  madeAfter,
  maxCounted,
  maxCovered,
  resolveBatches,
  type SerialBatch,
  type SerialBatchInput,
  tooManyCovered,
} from "./serial-batch.ts";
import { latestBatches, newBatchLookup, serialsIn } from "./serial-repository.ts";

/** A batch that a call creates, and its place in the database. */
interface BatchDraft {
  readonly sku: string;
  readonly batch: SerialBatch;
  /** How many serials it covers. */
  readonly covered: number;
  readonly lookup: Lookup;
}

/** One batch of a call, and the serials that it covers: at most one more than is allowed. */
interface Covering {
  readonly input: SerialBatchInput;
  /** Its place in the call. */
  readonly path: string;
  readonly product_id: number;
  readonly serials: readonly Serial[];
}

/**
 * The batches that a call is to store, one for each record. Two round trips. Batches of one product have the
 * same time, and keep the order of the call.
 * @throws Problem `invalid` if a SKU is unknown, a range or its attributes are wrong, or a range covers
 * too many serials; `not_found` if a range covers none
 */
export async function draftBatches(
  { db, account_id, now }: AccountContext,
  inputs: readonly Placed<SerialBatchInput>[],
): Promise<readonly BatchDraft[]> {
  const skus = inputs.map(({ value }) => value.sku);
  const products = await findSkus(db, account_id, skus);
  const resolved = resolveBatches(inputs, (sku) => products.get(sku)?.product_id);
  const serialsOf = rangeReader(db);
  const [latest, covering] = await Promise.all([
    latestBatches(
      db,
      resolved.map(({ value }) => value.product_id),
    ),
    Promise.all(
      resolved.map(async ({ value: { input, product_id }, path }): Promise<Covering> => {
        return { input, path, product_id, serials: await serialsOf(product_id, input) };
      }),
    ),
  ]);
  await expectNotTooMany(db, covering);
  expectNoneEmpty(covering);
  const times = timesOf(covering, latest, now);
  return covering.map(({ input, product_id, serials }, position) => {
    const { sku, ...asked } = input;
    const batch = { ...asked, product_id, created_at: times.get(product_id) ?? now };
    return { sku, batch, covered: serials.length, lookup: newBatchLookup(batch, position) };
  });
}

/** Reads the serials of ranges. A range that several batches of a call share is read once. */
function rangeReader(db: Database) {
  const known = new Map<string, Promise<readonly Serial[]>>();
  return (product_id: number, range: SerialBatchInput): Promise<readonly Serial[]> => {
    const key = JSON.stringify([product_id, range.serial_start, range.serial_end]);
    const serials = known.get(key) ?? serialsIn(db, product_id, range, maxCovered + 1);
    known.set(key, serials);
    return serials;
  };
}

/**
 * The creation time of each product's batches: after its latest batch, and after all serials that they cover.
 */
function timesOf(
  covering: readonly Covering[],
  latest: ReadonlyMap<number, string>,
  now: string,
): ReadonlyMap<number, string> {
  const byProduct = Map.groupBy(covering, ({ product_id }) => product_id);
  return new Map(
    [...byProduct].map(([product_id, ofProduct]) => {
      const covered = ofProduct.flatMap(({ serials }) => serials.map(({ created_at }) => created_at));
      return [product_id, madeAfter(now, [latest.get(product_id) ?? "", ...covered])] as const;
    }),
  );
}

async function expectNotTooMany(db: Database, covering: readonly Covering[]): Promise<void> {
  const errors = await Promise.all(
    covering.map(async ({ input, path, product_id, serials }) => {
      if (serials.length <= maxCovered) return [];
      const { length } = await serialsIn(db, product_id, input, maxCounted);
      return [{ path, message: tooManyCovered(length) }];
    }),
  );
  if (errors.flat().length > 0) throw invalidAt(errors.flat());
}

function expectNoneEmpty(covering: readonly Covering[]): void {
  const errors = covering.flatMap(({ input: { serial_start, serial_end }, path, serials }) =>
    serials.length > 0 ? [] : [{ path, message: `covers no serial (${serial_start} to ${serial_end})` }],
  );
  const [first] = errors;
  if (first !== undefined) throw notFound(`${first.path} ${first.message}`, errors);
}
