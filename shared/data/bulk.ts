import { invalidAt, Problem } from "../domain/problem.ts";
import type { Database } from "./database.ts";
import { backOff } from "./retry.ts";
import { commit, decisions, fitsTransaction } from "./transact.ts";
import { type Change, type Insert, placeOf, Stale, type Write } from "./writes.ts";

/** What is to be done for one record of a call, or why it can't be. */
export type Plan<T> =
  | { readonly writes: readonly Write[]; readonly result: T }
  | { readonly problem: Problem };

/** What became of one record. */
export type Outcome<T> = { readonly result: T } | { readonly problem: Problem };

/**
 * Carries out a bulk call. `plan` reads what the records need and answers a plan for each, in their order.
 * A problem in the first planning stops the whole call with nothing stored. After that each record is stored
 * atomically, several in one transaction where they fit; a record whose premise went stale is planned anew, and
 * one that meets a problem then fails alone (decisions, section 1, bulk calls).
 * A plan may build on those before it, by writing to items that they put or change: it is stored after them, and
 * planned anew where one of them could not be stored.
 * `planned` is told the results once all of them are planned and before any is stored.
 */
export async function storeEach<R, T>(
  db: Database,
  records: readonly R[],
  plan: (records: readonly R[]) => Promise<readonly Plan<T>[]>,
  planned: (results: readonly T[]) => Promise<void> = async () => undefined,
): Promise<readonly Outcome<T>[]> {
  const outcomes: (Outcome<T> | undefined)[] = records.map(() => undefined);
  let open = records.map((record, position) => ({ record, position }));
  for (let attempt = 1; open.length > 0; attempt += 1) {
    if (attempt > decisions) throw new Error("records kept changing under a bulk call");
    if (attempt > 1) await backOff(attempt);
    const plans = await plan(open.map(({ record }) => record));
    if (attempt === 1) {
      refuseWhole(plans);
      await planned(plans.flatMap((one) => ("result" in one ? [one.result] : [])));
    }
    const results = await commitEach(db, plans, attempt > 1);
    open.forEach(({ position }, index) => {
      outcomes[position] = results[index];
    });
    open = open.filter((_, index) => results[index] === undefined);
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

/** One record's writes, and where its outcome belongs. */
interface Group {
  readonly writes: readonly Write[];
  /** Their size as JSON, which is more than as DynamoDB counts it. */
  readonly bytes: number;
  readonly position: number;
}

/** What came of one transaction: the write whose premise was broken, if any, or what stopped it. */
type Result = { readonly broken: Insert | Change | undefined } | { readonly error: unknown };

/**
 * Commits the plans in order; a stale one is left undefined. `storedBefore` says whether some of the call is stored.
 * @throws what stops it, as long as nothing is stored; after that the rest is answered as not stored
 */
async function commitEach<T>(
  db: Database,
  plans: readonly Plan<T>[],
  storedBefore: boolean,
): Promise<readonly (Outcome<T> | undefined)[]> {
  const outcomes: (Outcome<T> | undefined)[] = plans.map((plan) =>
    "problem" in plan ? { problem: plan.problem } : { result: plan.result },
  );
  let pending = plans.flatMap((plan, position): Group[] =>
    "problem" in plan
      ? []
      : [{ writes: plan.writes, bytes: Buffer.byteLength(JSON.stringify(plan.writes)), position }],
  );
  let stored = storedBefore;
  while (pending.length > 0) {
    const batches = wave(pending);
    const results = await Promise.all(batches.map((batch) => attempt(db, batch)));
    const done = new Set<Group>();
    stored ||= results.some((result) => "broken" in result && result.broken === undefined);
    for (const [index, batch] of batches.entries()) {
      const result = results[index];
      if (result === undefined || "error" in result) continue;
      const ended = result.broken === undefined ? batch : settle(pending, batch, result.broken, outcomes);
      for (const group of ended) done.add(group);
    }
    pending = pending.filter((group) => !done.has(group));
    const stopped = results.find((result) => "error" in result);
    if (stopped === undefined) continue;
    if (!stored) throw stopped.error;
    for (const { position } of pending) outcomes[position] = { problem: unsure(stopped.error) };
    return outcomes;
  }
  return outcomes;
}

async function attempt(db: Database, batch: readonly Group[]): Promise<Result> {
  try {
    return {
      broken: await commit(
        db,
        batch.flatMap(({ writes }) => writes),
      ),
    };
  } catch (error) {
    return { error };
  }
}

/**
 * Notes what became of the record whose premise was broken, and that those which build on it are stale.
 * Answers all of them. @throws what is no record's problem
 */
function settle<T>(
  pending: readonly Group[],
  batch: readonly Group[],
  broken: Insert | Change,
  outcomes: (Outcome<T> | undefined)[],
): readonly Group[] {
  const place = placeOf(broken);
  const culprit = batch.find(({ writes }) => premised(writes).includes(place));
  const reason = broken.refusal();
  if (culprit === undefined || !(reason instanceof Problem || reason instanceof Stale)) throw reason;
  const later = building(pending.slice(pending.indexOf(culprit) + 1), culprit);
  for (const { position } of later) outcomes[position] = undefined;
  outcomes[culprit.position] = reason instanceof Problem ? { problem: reason } : undefined;
  return [culprit, ...later];
}

/** The items that writes put, change or delete. Counts are not among them: they build on nothing that others count. */
const premised = (writes: readonly Write[]): readonly string[] =>
  writes.filter(({ kind }) => kind !== "count").map(placeOf);

/** Those of the groups that touch what `first` would have made of an item, or what another of them would. */
function building(groups: readonly Group[], first: Group): readonly Group[] {
  const missing = new Set(premised(first.writes));
  return groups.filter(({ writes }) => {
    const builds = writes.some((write) => missing.has(placeOf(write)));
    if (builds) for (const place of premised(writes)) missing.add(place);
    return builds;
  });
}

/** Most transactions of one call at a time. */
const widest = 8;

/** The first transactions to run: each as full as it gets, side by side as long as no two touch the same item. */
function wave(groups: readonly Group[]): readonly (readonly Group[])[] {
  const batches: (readonly Group[])[] = [];
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

/**
 * Most bytes of several records in one transaction. DynamoDB's limit is 4 MB, to which attributes that a change leaves
 * as they are count as well.
 */
const mostBytes = 3_500_000;

/** The longest run of groups, from the first, that one transaction holds. */
function fitting(groups: readonly Group[]): readonly Group[] {
  let count = 1;
  let bytes = groups[0]?.bytes ?? 0;
  while (count < groups.length) {
    bytes += groups[count]?.bytes ?? 0;
    if (bytes > mostBytes) break;
    if (!fitsTransaction(groups.slice(0, count + 1).flatMap(({ writes }) => writes))) break;
    count += 1;
  }
  return groups.slice(0, count);
}
