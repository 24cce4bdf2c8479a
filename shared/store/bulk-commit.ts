/**
 * The committing half of a bulk call; `bulk.ts` is the planning half.
 *
 * The writes of one record are stored together or not at all. Records are packed into transactions in their order. Each
 * transaction is as full as DynamoDB takes. A record that no transaction holds is stored in steps (`steps.ts`), and stands
 * for a transaction here. A round runs transactions side by side, as long as no two touch the same item; the rest waits
 * for the next round.
 * A transaction ends in one of three ways. All of its records are stored. Or a premise of one record, the culprit,
 * does not hold: the culprit is refused for good, or is stale and stays open. The next round then runs without the
 * culprit. Or something unexpected stops the transaction: then no further round begins.
 * A record builds on an earlier one where it touches an item that the earlier one puts, changes or deletes. Records that
 * build on a culprit leave the rounds with the culprit, and stay open. On a count nothing builds: a later one adds to
 * whatever is there.
 */
import { Problem } from "../domain/problem.ts";
import type { Database } from "./database.ts";
import { extendBudget } from "./retry.ts";
import { finishSteps, store } from "./steps.ts";
import { largestTransaction, sizeOf, transactionLimit } from "./transact.ts";
import { merged, mergeInto, placeOf, Stale, Underway, type Write } from "./writes.ts";

/** What became of one record's writes. An open record is to be planned anew. */
export type Fate =
  | { readonly kind: "stored" }
  | { readonly kind: "refused"; readonly problem: Problem }
  | { readonly kind: "open" };

interface Committed {
  /** The fate of each record, in their order. */
  readonly fates: readonly Fate[];
  /** The error after which no further round began. */
  readonly stopped?: { readonly error: unknown };
}

/** One record's writes, and its position among the records. */
interface Parcel {
  readonly writes: readonly Write[];
  readonly position: number;
}

/** How one transaction ended. */
type Result =
  | { readonly stored: readonly Parcel[] }
  | { readonly culprit: Parcel; readonly reason: Problem | Stale }
  | { readonly error: unknown };

/**
 * Stores the writes of records in their order. A record without writes counts as stored. `finish` is given the steps, begun by
 * someone else, that hold a record, so that the record can be planned anew. A caller that does not, or whose function may
 * not touch what the steps store, leaves them alone.
 */
export async function commitEach(
  db: Database,
  records: readonly (readonly Write[])[],
  finish: Finish = finishSteps,
): Promise<Committed> {
  const fates: Fate[] = records.map(() => ({ kind: "open" }));
  let pending: readonly Parcel[] = records.map((writes, position) => ({ writes, position }));
  while (pending.length > 0) {
    const results = await Promise.all(roundOf(pending).map((batch) => attempt(db, batch, finish)));
    const done = new Set<Parcel>();
    for (const result of results) {
      if ("stored" in result) {
        for (const parcel of result.stored) {
          fates[parcel.position] = { kind: "stored" };
          done.add(parcel);
        }
      } else if ("culprit" in result) {
        const { culprit, reason } = result;
        if (reason instanceof Problem) fates[culprit.position] = { kind: "refused", problem: reason };
        for (const parcel of [culprit, ...buildingOn(culprit, pending)]) done.add(parcel);
      }
    }
    const stopped = results.find((result) => "error" in result);
    if (stopped !== undefined) return { fates, stopped };
    pending = pending.filter((parcel) => !done.has(parcel));
  }
  return { fates };
}

type Finish = (db: Database, steps: string) => Promise<void>;

async function attempt(db: Database, batch: readonly Parcel[], finish: Finish): Promise<Result> {
  try {
    const writes = batch.flatMap((parcel) => parcel.writes);
    const broken = await store(db, writes);
    if (broken === undefined) {
      // Others of the round, which wait for busy items just now, have longer from here on.
      if (writes.length > 0) extendBudget();
      return { stored: batch };
    }
    const culprit = batch.find((parcel) => premised(parcel.writes).includes(placeOf(broken)));
    const reason = broken.refusal();
    if (culprit === undefined || !(reason instanceof Problem || reason instanceof Stale)) throw reason;
    if (reason instanceof Underway) await finish(db, reason.steps);
    return { culprit, reason };
  } catch (error) {
    return { error };
  }
}

/** The items that writes put, change or delete. */
const premised = (writes: readonly Write[]): readonly string[] =>
  writes.filter(({ kind }) => kind !== "count").map(placeOf);

/** The parcels behind the culprit that build on it, or on another parcel that does. */
function buildingOn(culprit: Parcel, pending: readonly Parcel[]): readonly Parcel[] {
  const missing = new Set(premised(culprit.writes));
  return pending.slice(pending.indexOf(culprit) + 1).filter(({ writes }) => {
    const builds = writes.some((write) => missing.has(placeOf(write)));
    if (builds) for (const place of premised(writes)) missing.add(place);
    return builds;
  });
}

/** Most transactions of a round. 100 records with a transaction each take seven rounds where no two touch the same item. */
const widest = 16;

/** The transactions of the next round, from the first parcel on. The first that touches an item of another ends it. */
function roundOf(parcels: readonly Parcel[]): readonly (readonly Parcel[])[] {
  const batches: (readonly Parcel[])[] = [];
  const touched = new Set<string>();
  let rest = parcels;
  while (rest.length > 0 && batches.length < widest) {
    const batch = fitting(rest);
    const writes = batch.flatMap((parcel) => parcel.writes);
    const places = (merged(writes) ?? writes).map(placeOf);
    if (places.some((place) => touched.has(place))) break;
    for (const place of places) touched.add(place);
    batches.push(batch);
    rest = rest.slice(batch.length);
  }
  return batches;
}

/** The longest run of parcels, from the first, that one transaction holds. */
function fitting(parcels: readonly Parcel[]): readonly Parcel[] {
  const items = new Map<string, Write>();
  let isOne = true;
  let bytes = 0;
  let count = 0;
  for (const { writes } of parcels) {
    isOne &&= mergeInto(items, writes);
    bytes += sizeOf(writes);
    const fits = isOne && items.size <= transactionLimit && bytes <= largestTransaction;
    if (count > 0 && !fits) break;
    count += 1;
  }
  return parcels.slice(0, count);
}
