import { invalidAt, Problem } from "../domain/problem.ts";
import type { Database } from "./database.ts";
import { backOff } from "./retry.ts";
import { commit, largestTransaction, mostDecisions, transactionLimit } from "./transact.ts";
import { merged, placeOf, Stale, type Write } from "./writes.ts";

/** What is to be done for one record of a call, or why it can't be. */
export type Plan<T> =
  | { readonly writes: readonly Write[]; readonly result: T }
  | { readonly problem: Problem };

/** What became of one record. */
export type Outcome<T> = { readonly result: T } | { readonly problem: Problem };

/** How far a call has come. */
interface Progress<T> {
  /** By the records' positions; undefined while a record is open. */
  readonly outcomes: (Outcome<T> | undefined)[];
  /** Whether anything is stored. */
  stored: boolean;
}

/**
 * Carries out a bulk call. `plan` reads what the records need and answers a plan for each, in their order.
 * A problem in the first planning stops the whole call with nothing stored. After that each record is stored
 * atomically, several in one transaction where they fit; a record whose premise went stale is planned anew, and
 * one that meets a problem then fails alone (docs/decisions.md, Bulk calls).
 * A plan may build on those before it, by writing to items that they put or change: it is stored after them, and
 * planned anew where one of them could not be stored.
 * `planned` is told the results once all of them are planned and before any is stored.
 * @throws what stops it, as long as nothing is stored; after that the records still open are answered as not stored
 */
export async function storeEach<R, T>(
  db: Database,
  records: readonly R[],
  plan: (records: readonly R[]) => Promise<readonly Plan<T>[]>,
  planned: (results: readonly T[]) => Promise<unknown> = async () => undefined,
): Promise<readonly Outcome<T>[]> {
  const progress: Progress<T> = { outcomes: records.map(() => undefined), stored: false };
  const { outcomes } = progress;
  let open = records.map((record, position) => ({ record, position }));
  try {
    for (let attempt = 1; open.length > 0; attempt += 1) {
      if (attempt > mostDecisions) throw new Error("records kept changing under a bulk call");
      if (attempt > 1) await backOff(attempt);
      const plans = await plan(open.map(({ record }) => record));
      if (attempt === 1) {
        refuseWhole(plans);
        await planned(plans.flatMap((one) => ("result" in one ? [one.result] : [])));
      }
      const positions = open.map(({ position }) => position);
      await commitEach(db, groupsOf(plans, positions, outcomes), progress);
      open = open.filter(({ position }) => outcomes[position] === undefined);
    }
  } catch (error) {
    if (!progress.stored) throw error;
    for (const { position } of open) outcomes[position] ??= { problem: unsure(error) };
  }
  return outcomes.filter((outcome) => outcome !== undefined);
}

function refuseWhole(plans: readonly Plan<unknown>[]): void {
  const problems = plans.flatMap((plan) => ("problem" in plan ? [plan.problem] : []));
  const [first] = problems;
  if (first === undefined) return;
  const errors = problems.flatMap(({ details }) => details.errors ?? []);
  if (first.kind === "invalid" && errors.length > 0) throw invalidAt(errors);
  throw errors.length > 0 ? new Problem(first.kind, first.message, { errors }) : first;
}

/** What a caller is told of a record that something unexpected kept from being stored, after others were. */
const unsure = (cause: unknown): Problem =>
  new Problem(
    "invalid",
    "could not be stored just now; look for it, and send it again if it is not there",
    {},
    cause,
  );

/** One record's writes, what it comes to once they are stored, and where that belongs. */
interface Group<T> {
  readonly writes: readonly Write[];
  readonly result: T;
  readonly position: number;
}

/** What is to be stored; a record that can't be has its outcome at once. */
function groupsOf<T>(
  plans: readonly Plan<T>[],
  positions: readonly number[],
  outcomes: (Outcome<T> | undefined)[],
): readonly Group<T>[] {
  const groups: Group<T>[] = [];
  for (const [index, position] of positions.entries()) {
    const plan = plans[index];
    if (plan === undefined) throw new Error("a record of a bulk call was not planned");
    if ("problem" in plan) outcomes[position] = { problem: plan.problem };
    else groups.push({ ...plan, position });
  }
  return groups;
}

/** What came of one transaction: stored, or kept from it by one record, or stopped by something else. */
type Result<T> =
  | { readonly stored: readonly Group<T>[] }
  | { readonly culprit: Group<T>; readonly reason: Problem | Stale }
  | { readonly error: unknown };

/** Stores the groups in their order. One whose premise is stale stays open, with those that build on it. @throws what stops it */
async function commitEach<T>(
  db: Database,
  groups: readonly Group<T>[],
  progress: Progress<T>,
): Promise<void> {
  let pending = groups;
  while (pending.length > 0) {
    const results = await Promise.all(wave(pending).map((batch) => attempt(db, batch)));
    const done = new Set(results.flatMap((result) => note(result, progress, pending)));
    pending = pending.filter((group) => !done.has(group));
    const stopped = results.find((result) => "error" in result);
    if (stopped !== undefined) throw stopped.error;
  }
}

async function attempt<T>(db: Database, batch: readonly Group<T>[]): Promise<Result<T>> {
  try {
    const broken = await commit(
      db,
      batch.flatMap(({ writes }) => writes),
    );
    if (broken === undefined) return { stored: batch };
    const culprit = batch.find(({ writes }) => premised(writes).includes(placeOf(broken)));
    const reason = broken.refusal();
    if (culprit === undefined || !(reason instanceof Problem || reason instanceof Stale)) throw reason;
    return { culprit, reason };
  } catch (error) {
    return { error };
  }
}

/** Notes what came of a transaction, and answers the groups that are done with, among those that are `pending`. */
function note<T>(
  result: Result<T>,
  progress: Progress<T>,
  pending: readonly Group<T>[],
): readonly Group<T>[] {
  if ("error" in result) return [];
  if ("culprit" in result) {
    const { culprit, reason } = result;
    if (reason instanceof Problem) progress.outcomes[culprit.position] = { problem: reason };
    return [culprit, ...building(pending.slice(pending.indexOf(culprit) + 1), culprit)];
  }
  for (const group of result.stored) {
    progress.outcomes[group.position] = { result: group.result };
    progress.stored ||= group.writes.length > 0;
  }
  return result.stored;
}

/** The items that writes put, change or delete. Counts are not among them: they build on nothing that others count. */
const premised = (writes: readonly Write[]): readonly string[] =>
  writes.filter(({ kind }) => kind !== "count").map(placeOf);

/** Those of the groups that touch what `first` would have made of an item, or what another of them would. */
function building<T>(groups: readonly Group<T>[], first: Group<T>): readonly Group<T>[] {
  const missing = new Set(premised(first.writes));
  return groups.filter(({ writes }) => {
    const builds = writes.some((write) => missing.has(placeOf(write)));
    if (builds) for (const place of premised(writes)) missing.add(place);
    return builds;
  });
}

/** Most transactions of one call at a time: 100 records of a transaction each, the most there are, take seven rounds. */
const widest = 16;

/** The first transactions to run: each as full as it gets, side by side as long as no two touch the same item. */
function wave<T>(groups: readonly Group<T>[]): readonly (readonly Group<T>[])[] {
  const batches: (readonly Group<T>[])[] = [];
  const touched = new Set<string>();
  let rest = groups;
  while (rest.length > 0 && batches.length < widest) {
    const batch = fitting(rest);
    const places = batch.flatMap(({ writes }) => writes.map(placeOf));
    if (places.some((place) => touched.has(place))) break;
    for (const place of places) touched.add(place);
    batches.push(batch);
    rest = rest.slice(batch.length);
  }
  return batches;
}

/** The longest run of groups, from the first, that one transaction holds. */
function fitting<T>(groups: readonly Group<T>[]): readonly Group<T>[] {
  let together: readonly Write[] = [];
  let bytes = 0;
  let count = 0;
  for (const { writes } of groups) {
    const all = merged([...together, ...writes]);
    bytes += sizeOf(writes);
    const fits = all !== undefined && all.length <= transactionLimit && bytes <= largestTransaction;
    if (count > 0 && !fits) break;
    together = all ?? writes;
    count += 1;
  }
  return groups.slice(0, count);
}

/** Bytes as JSON, which takes more than DynamoDB does. */
const sizeOf = (writes: readonly Write[]): number =>
  writes.reduce((sum, write) => sum + Buffer.byteLength(JSON.stringify(write)), 0);
