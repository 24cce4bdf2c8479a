/**
 * The planning half of a bulk call; `bulk-commit.ts` is the committing half.
 *
 * A caller states how its records are planned: what to write for each of them, or why a record can't be stored.
 * The first planning decides about the whole call: one problem, and nothing is stored (docs/decisions.md, Bulk calls).
 * After that each record is stored atomically, and stands for itself. A record whose condition went stale is planned
 * anew, together with the records that build on it. A record that meets a problem then fails alone.
 * A plan may build on earlier plans, by writing to items that they put or change.
 * Something unexpected ends the call. As long as nothing is stored, the call ends with an error. After that it ends with
 * an outcome for every record; those of the open records say that it is not known whether they were stored.
 */
import { invalid, invalidAt, Problem } from "../../common/problem.ts";
import type { Database } from "../dynamodb/database.ts";
import { backOff, inBudget } from "../dynamodb/retry.ts";
import type { Write } from "../dynamodb/writes.ts";
import { type CommitOutcome, commitEach } from "./bulk-commit.ts";

/** What to write for one record of a call and its result, or why the record can't be stored. */
export type Plan<T> =
  | { readonly writes: readonly Write[]; readonly result: T }
  | { readonly problem: Problem };

/** What became of one record. */
export type Outcome<T> = { readonly result: T } | { readonly problem: Problem };

/** Plans the records of a call: answers a plan for each, in their order. */
export type Planner<R, T> = (records: readonly R[]) => readonly Plan<T>[] | Promise<readonly Plan<T>[]>;

/**
 * Carries out a bulk call. `planned` is told the results of all records once they are planned, before any is stored, and
 * again whenever some were planned anew.
 * @returns what became of each record, in their order
 * @throws Problem with all that is wrong, where the first planning meets problems; Busy or the unexpected error, where
 * nothing is stored yet
 */
export const storeEach = <R, T>(
  db: Database,
  records: readonly R[],
  plan: Planner<R, T>,
  planned: (results: readonly T[]) => Promise<unknown> = async () => undefined,
): Promise<readonly Outcome<T>[]> => inBudget(() => storeAll(db, records, plan, planned));

async function storeAll<R, T>(
  db: Database,
  records: readonly R[],
  plan: Planner<R, T>,
  planned: (results: readonly T[]) => Promise<unknown>,
): Promise<readonly Outcome<T>[]> {
  const outcomes: (Outcome<T> | undefined)[] = records.map(() => undefined);
  let open = records.map((record, position) => ({ record, position }));
  const intended: T[] = [];
  let isAnythingStored = false;
  try {
    for (let attempt = 1; open.length > 0; attempt += 1) {
      if (attempt > 1) await backOff(attempt, new Error("records kept changing under a bulk call"));
      const plans = await plan(open.map(({ record }) => record));
      if (attempt === 1) {
        refuseWhole(plans);
        refuseTooMuch(plans);
      }
      if (plans.length !== open.length) throw new Error("not every record of a bulk call was planned");
      for (const [index, { position }] of open.entries()) {
        const one = plans[index];
        if (one !== undefined && "result" in one) intended[position] = one.result;
      }
      await planned([...intended]);
      const { outcomes: commits, stopped } = await commitEach(db, plans.map(writesOf));
      for (const [index, { position }] of open.entries()) {
        const [one, commit] = [plans[index], commits[index]];
        if (one === undefined || commit === undefined)
          throw new Error("a record of a bulk call has no outcome");
        outcomes[position] = outcomeOf(one, commit);
        isAnythingStored ||= commit.kind === "stored" && writesOf(one).length > 0;
      }
      if (stopped !== undefined) throw stopped.error;
      open = open.filter(({ position }) => outcomes[position] === undefined);
    }
  } catch (error) {
    if (!isAnythingStored) throw error;
    return outcomes.map((outcome) => outcome ?? { problem: unsure(error) });
  }
  return outcomes.filter((outcome) => outcome !== undefined);
}

const writesOf = <T>(plan: Plan<T>): readonly Write[] => ("writes" in plan ? plan.writes : []);

/** Undefined for a record that is to be planned anew. */
function outcomeOf<T>(plan: Plan<T>, commit: CommitOutcome): Outcome<T> | undefined {
  if ("problem" in plan) return { problem: plan.problem };
  switch (commit.kind) {
    case "stored":
      return { result: plan.result };
    case "refused":
      return { problem: commit.problem };
    case "open":
      return undefined;
  }
}

/** @throws Problem that names the wrong places of all records, in the words of the first problem */
function refuseWhole(plans: readonly Plan<unknown>[]): void {
  const problems = plans.flatMap((plan) => ("problem" in plan ? [plan.problem] : []));
  const [first] = problems;
  if (first === undefined) return;
  const errors = problems.flatMap(({ details }) => details.errors ?? []);
  if (first.kind === "invalid" && errors.length > 0) throw invalidAt(errors);
  throw errors.length > 0 ? new Problem(first.kind, first.message, { errors }) : first;
}

/**
 * Most writes of one call. They fill 120 transactions; where all of them touch the same items, they follow one another,
 * and a Lambda has 29 s. An order takes two for each of its products, and the orders of a call may be 100 of 50 products or
 * eleven of 500.
 */
export const maxWrites = 12_000;

/** @throws Problem where a call would take too long to store, with nothing stored */
function refuseTooMuch(plans: readonly Plan<unknown>[]): void {
  const count = plans.reduce((sum, plan) => sum + writesOf(plan).length, 0);
  if (count <= maxWrites) return;
  throw invalid(
    `The call changes too much at once (${count} records of stock and others, at most ${maxWrites}); send it in several`,
  );
}

/** The outcome of a record that was still open when something unexpected ended the call, after others were stored. */
const unsure = (cause: unknown): Problem =>
  new Problem(
    "invalid",
    "could not be stored just now; look for it, and send it again if it is not there",
    {},
    cause,
  );
