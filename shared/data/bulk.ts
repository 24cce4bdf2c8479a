import { invalidAt, Problem } from "../domain/problem.ts";
import type { Database } from "./database.ts";
import { backOff } from "./retry.ts";
import { commit, decisions, transactionLimit } from "./transact.ts";
import { type Change, type Insert, merged, Stale, type Write } from "./writes.ts";

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
 */
export async function storeEach<R, T>(
  db: Database,
  records: readonly R[],
  plan: (records: readonly R[]) => Promise<readonly Plan<T>[]>,
): Promise<readonly Outcome<T>[]> {
  const outcomes: (Outcome<T> | undefined)[] = records.map(() => undefined);
  let open = records.map((record, position) => ({ record, position }));
  for (let attempt = 1; open.length > 0; attempt += 1) {
    if (attempt > decisions) throw new Error("records kept changing under a bulk call");
    if (attempt > 1) await backOff(attempt);
    const plans = await plan(open.map(({ record }) => record));
    if (attempt === 1) refuseWhole(plans);
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
  let pending = plans.flatMap((plan, position) =>
    "problem" in plan ? [] : [{ writes: plan.writes, position }],
  );
  let stored = storedBefore;
  while (pending.length > 0) {
    const batch = fitting(pending);
    let broken: Insert | Change | undefined;
    try {
      broken = await commit(
        db,
        batch.flatMap(({ writes }) => writes),
      );
    } catch (error) {
      if (!stored) throw error;
      for (const { position } of pending) outcomes[position] = { problem: unsure(error) };
      return outcomes;
    }
    if (broken === undefined) {
      stored = true;
      pending = pending.slice(batch.length);
      continue;
    }
    const culprit = batch.find(({ writes }) => writes.some((write) => write === broken));
    const reason = broken.refusal();
    if (culprit === undefined || !(reason instanceof Problem || reason instanceof Stale)) throw reason;
    outcomes[culprit.position] = reason instanceof Problem ? { problem: reason } : undefined;
    pending = pending.filter((group) => group !== culprit);
  }
  return outcomes;
}

/** The longest run of groups, from the first, that one transaction holds. */
function fitting<G extends { readonly writes: readonly Write[] }>(groups: readonly G[]): readonly G[] {
  let count = 1;
  while (count < groups.length) {
    const together = merged(groups.slice(0, count + 1).flatMap(({ writes }) => writes));
    if (together === undefined || together.length > transactionLimit) break;
    count += 1;
  }
  return groups.slice(0, count);
}
