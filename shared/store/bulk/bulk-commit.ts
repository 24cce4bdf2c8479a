/**
 * The committing half of a bulk call; `bulk.ts` is the planning half.
 *
 * The writes of one record are stored together or not at all. Records are packed into transactions in their order. Each
 * transaction is as full as DynamoDB takes. A record that no transaction holds is stored in steps (`sagas/saga.ts`), and stands
 * for a transaction here. A round runs transactions side by side, as long as no two touch the same item; the rest waits
 * for the next round.
 * A transaction ends in one of three ways. All of its records are stored. Or a condition of one record, the failing item,
 * does not hold: the failing item is refused for good, or is stale and stays open. The next round then runs without the
 * failing item. Or something unexpected stops the transaction: then no further round begins.
 * A record builds on an earlier one where it touches an item that the earlier one puts, changes or deletes. Records that
 * build on a failing item leave the rounds with the failing item, and stay open. On a count nothing builds: a later one adds to
 * whatever is there.
 */
import { Problem } from "../../common/problem.ts";
import type { Database } from "../dynamodb/database.ts";
import { extendBudget } from "../dynamodb/retry.ts";
import { maxTransactionBytes, sizeOf, transactionLimit } from "../dynamodb/transact.ts";
import { merged, mergeInto, placeOf, SagaInProgress, Stale, type Write } from "../dynamodb/writes.ts";
import { resumeSaga, store } from "../sagas/saga.ts";

/** What became of one record's writes. An open record is to be planned anew; `reason` is its own condition that failed. */
export type CommitOutcome =
  | { readonly kind: "stored" }
  | { readonly kind: "refused"; readonly problem: Problem }
  | { readonly kind: "open"; readonly reason?: Stale };

interface Committed {
  /** The outcome of each record, in their order. */
  readonly outcomes: readonly CommitOutcome[];
  /** The error after which no further round began. */
  readonly stopped?: { readonly error: unknown };
}

/** One record's writes, and its position among the records. */
interface BatchItem {
  readonly writes: readonly Write[];
  readonly position: number;
}

/** How one transaction ended. */
type Result =
  | { readonly stored: readonly BatchItem[] }
  | { readonly failingItem: BatchItem; readonly reason: Problem | Stale }
  | { readonly error: unknown };

/**
 * Stores the writes of records in their order. A record without writes counts as stored. `finish` is given the steps, begun by
 * someone else, that hold a record, so that the record can be planned anew. A caller that does not, or whose function may
 * not touch what the steps store, leaves them alone.
 */
export async function commitEach(
  db: Database,
  records: readonly (readonly Write[])[],
  finish: Finish = resumeSaga,
): Promise<Committed> {
  const outcomes: CommitOutcome[] = records.map(() => ({ kind: "open" }));
  let pending: readonly BatchItem[] = records.map((writes, position) => ({ writes, position }));
  while (pending.length > 0) {
    const results = await Promise.all(roundOf(pending).map((batch) => attempt(db, batch, finish)));
    const done = new Set<BatchItem>();
    for (const result of results) {
      if ("stored" in result) {
        for (const item of result.stored) {
          outcomes[item.position] = { kind: "stored" };
          done.add(item);
        }
      } else if ("failingItem" in result) {
        const { failingItem, reason } = result;
        outcomes[failingItem.position] =
          reason instanceof Problem ? { kind: "refused", problem: reason } : { kind: "open", reason };
        for (const item of [failingItem, ...buildingOn(failingItem, pending)]) done.add(item);
      }
    }
    const stopped = results.find((result) => "error" in result);
    if (stopped !== undefined) return { outcomes, stopped };
    pending = pending.filter((item) => !done.has(item));
  }
  return { outcomes };
}

type Finish = (db: Database, steps: string) => Promise<void>;

async function attempt(db: Database, batch: readonly BatchItem[], finish: Finish): Promise<Result> {
  try {
    const writes = batch.flatMap((item) => item.writes);
    const broken = await store(db, writes);
    if (broken === undefined) {
      // Others of the round, which wait for busy items just now, have longer from here on.
      if (writes.length > 0) extendBudget();
      return { stored: batch };
    }
    const failingItem = batch.find((item) => placesWithConditions(item.writes).includes(placeOf(broken)));
    const reason = broken.rejection();
    if (failingItem === undefined || !(reason instanceof Problem || reason instanceof Stale)) throw reason;
    if (reason instanceof SagaInProgress) await finish(db, reason.saga);
    return { failingItem, reason };
  } catch (error) {
    return { error };
  }
}

/** The items that writes put, change or delete. */
const placesWithConditions = (writes: readonly Write[]): readonly string[] =>
  writes.filter(({ kind }) => kind !== "count").map(placeOf);

/** The items behind the failing item that build on it, or on another item that does. */
function buildingOn(failingItem: BatchItem, pending: readonly BatchItem[]): readonly BatchItem[] {
  const missing = new Set(placesWithConditions(failingItem.writes));
  return pending.slice(pending.indexOf(failingItem) + 1).filter(({ writes }) => {
    const builds = writes.some((write) => missing.has(placeOf(write)));
    if (builds) for (const place of placesWithConditions(writes)) missing.add(place);
    return builds;
  });
}

/** Most transactions of a round. 100 records with a transaction each take seven rounds where no two touch the same item. */
const widest = 16;

/** The transactions of the next round, from the first item on. The first that touches an item of another ends it. */
function roundOf(items: readonly BatchItem[]): readonly (readonly BatchItem[])[] {
  const batches: (readonly BatchItem[])[] = [];
  const touched = new Set<string>();
  let rest = items;
  while (rest.length > 0 && batches.length < widest) {
    const batch = fitting(rest);
    const writes = batch.flatMap((item) => item.writes);
    const places = (merged(writes) ?? writes).map(placeOf);
    if (places.some((place) => touched.has(place))) break;
    for (const place of places) touched.add(place);
    batches.push(batch);
    rest = rest.slice(batch.length);
  }
  return batches;
}

/** The longest run of items, from the first, that one transaction holds. */
function fitting(items: readonly BatchItem[]): readonly BatchItem[] {
  const merged = new Map<string, Write>();
  let isOne = true;
  let bytes = 0;
  let count = 0;
  for (const { writes } of items) {
    isOne &&= mergeInto(merged, writes);
    bytes += sizeOf(writes);
    const fits = isOne && merged.size <= transactionLimit && bytes <= maxTransactionBytes;
    if (count > 0 && !fits) break;
    count += 1;
  }
  return items.slice(0, count);
}
