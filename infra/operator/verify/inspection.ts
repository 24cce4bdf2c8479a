/** Decides about suspects while the service is in use: each is read twice, then reported and repaired. */
import { setTimeout as sleep } from "node:timers/promises";
import { clock } from "../../../shared/common/clock.ts";
import { forEachConcurrently, inBatches } from "../../../shared/common/concurrency.ts";
import { isDeepEqual } from "../../../shared/common/deep-equal.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { isCommitted } from "../../../shared/store/dynamodb/transact.ts";
import type { Write } from "../../../shared/store/dynamodb/writes.ts";
import { unlessUnreadable } from "../unreadable.ts";
import type { Deviation, Inconclusive, Verification } from "./finding.ts";

/** How a repair ended: `unneeded` if someone else was first, `busy` if writers left no time for it. */
export type Repaired = "repaired" | "unneeded" | "busy";

export type Repair = (db: Database) => Promise<Repaired>;

export const storing =
  (writes: readonly Write[]): Repair =>
  async (db) =>
    (await isCommitted(db, writes)) ? "repaired" : "busy";

/** Differences that are repaired together. */
export interface Fault {
  readonly differences: readonly Deviation[];
  /** Without it, no command can repair them. */
  readonly repair?: Repair;
  /**
   * What a person does about the differences. With it, a repair would discard what points at something lost.
   * It is made only if the loss is accepted.
   */
  readonly next?: string;
}

export const repairable = (difference: Deviation, ...repair: readonly Write[]): Fault => ({
  differences: [difference],
  repair: storing(repair),
});

/** A difference that no command can repair, and what a person does about it. */
export const manual = (difference: Deviation, next: string): Fault => ({ differences: [difference], next });

/**
 * A difference that points at something lost, and what a person does about it. The writes discard it once the
 * loss is accepted.
 */
export const acceptable = (difference: Deviation, next: string, ...repair: readonly Write[]): Fault => ({
  differences: [difference],
  next,
  repair: storing(repair),
});

/**
 * What was read of a suspect. A `busy` one can be read again a little later; an `unclear` one needs a repair
 * first.
 */
export type Inspection =
  | Inconclusive["why"]
  | {
      readonly state: unknown;
      readonly faults: readonly Fault[];
      /** Whether more may be wrong, which depends on an unreadable record. */
      readonly isUnclear?: boolean;
    };

export const nothingWrong: Inspection = { state: "right", faults: [] };

/**
 * Reports faults, and repairs them if there is a repairer. Returns false if a record changed meanwhile, or
 * stayed busy: that fault and those after it are neither reported nor repaired. What is left to a person
 * comes last, so that a retry does not report it a second time.
 */
async function reportAndRepair(
  { db, repairer, accepted, report }: Pick<Verification, "db" | "repairer" | "accepted" | "report">,
  faults: readonly Fault[],
): Promise<boolean> {
  const isLeft = ({ next, repair, differences }: Fault): boolean =>
    repair === undefined || (next !== undefined && !differences.some(({ record }) => accepted?.has(record)));
  for (const { differences, repair } of faults.filter((fault) => !isLeft(fault))) {
    const state = repairer === undefined ? "found" : await repair?.(db);
    if (state === "busy") return false;
    if (state === "found" || state === "repaired")
      for (const one of differences) report({ kind: "difference", ...one, state });
  }
  for (const { differences, next, repair } of faults.filter(isLeft))
    for (const one of differences)
      report({
        kind: "difference",
        ...one,
        state: "by_hand",
        ...(next !== undefined && { next }),
        ...(repair !== undefined && { isAcceptable: true }),
      });
  return true;
}

/** How the inspection of a suspect ended. What was `found` is repaired by now if there is a repairer. */
type InspectionOutcome = "right" | "found" | Inconclusive["why"];

/** Suspects inspected concurrently: an inspection is mostly a pause. */
const usuallyAtOnce = 64;

/** Suspects that are read together: what is found of them is in memory until the second read. */
const usuallyTogether = 1_000;

export interface Suspect {
  readonly title: string;
  readonly inspect: () => Promise<Inspection>;
}

/** Reads what suspects share. Returns what inspects one of them. */
type Prepare<T> = () => Promise<(suspect: T) => Promise<Inspection>>;

/**
 * Reads suspects twice, with a pause in which a whole transaction becomes visible to every reader. One that
 * can't be read is unclear, because the first pass has reported the item. Faults count only if both reads see
 * the same `state`: it must hold, with versions, everything that the faults follow from, so that no writer
 * came in between. Those that can't be decided are read again until `retryBudgetMs` ends, and are then
 * reported as busy.
 * @param prepare is called before each of the two reads
 */
export async function verifyTogether<T extends Pick<Suspect, "title">>(
  verification: Verification,
  suspects: readonly T[],
  prepare: Prepare<T>,
  atOnce = usuallyAtOnce,
): Promise<ReadonlyMap<T, InspectionOutcome>> {
  const { settleMs, retryBudgetMs, report } = verification;
  const outcomes = new Map<T, InspectionOutcome>();
  for (const some of inBatches(suspects, usuallyTogether)) {
    const until = clock() + retryBudgetMs;
    let busy = some;
    while (busy.length > 0) {
      for (const [suspect, outcome] of await readTwice(verification, busy, prepare, atOnce))
        outcomes.set(suspect, outcome);
      busy = clock() > until ? [] : busy.filter((suspect) => outcomes.get(suspect) === "busy");
      if (busy.length > 0) await sleep(settleMs);
    }
    for (const suspect of some) {
      const why = outcomes.get(suspect);
      if (why === "busy" || why === "unclear") report({ kind: "inconclusive", record: suspect.title, why });
    }
  }
  return outcomes;
}

async function readTwice<T>(
  verification: Verification,
  suspects: readonly T[],
  prepare: Prepare<T>,
  atOnce: number,
): Promise<ReadonlyMap<T, InspectionOutcome>> {
  const read = async (some: readonly T[]): Promise<ReadonlyMap<T, Inspection>> =>
    some.length === 0 ? new Map() : answersFor(some, atOnce, await prepare());
  const first = await read(suspects);
  const wrong = suspects.filter((suspect) => looksWrong(first.get(suspect)));
  if (wrong.length > 0) await sleep(verification.settleMs);
  const last = await read(wrong);
  return answersFor(suspects, atOnce, async (suspect) => {
    const before = first.get(suspect) ?? "busy";
    return decide(verification, before, last.get(suspect) ?? before);
  });
}

/** What a function answers for each suspect; `unclear` for one that can't be read. */
async function answersFor<T, A>(
  suspects: readonly T[],
  atOnce: number,
  answer: (suspect: T) => Promise<A>,
): Promise<ReadonlyMap<T, A | "unclear">> {
  const answers = new Map<T, A | "unclear">();
  const one = async (suspect: T) => void answers.set(suspect, await unlessUnreadable(() => answer(suspect)));
  await forEachConcurrently(suspects, one, atOnce);
  return answers;
}

async function decide(
  verification: Verification,
  before: Inspection,
  found: Inspection,
): Promise<InspectionOutcome> {
  if (found === "unclear") return "unclear";
  if (typeof found === "string" || typeof before === "string") return "busy";
  if (!isDeepEqual(before.state, found.state)) return "busy";
  if (!(await reportAndRepair(verification, found.faults))) return "busy";
  if (found.isUnclear === true) return "unclear";
  return found.faults.length > 0 ? "found" : "right";
}

const looksWrong = (found: Inspection | undefined): boolean =>
  typeof found === "object" && (found.faults.length > 0 || found.isUnclear === true);

/** Verifies suspects that share nothing. */
export const verifySuspects = <T extends Suspect>(
  verification: Verification,
  suspects: readonly T[],
  atOnce?: number,
): Promise<ReadonlyMap<T, InspectionOutcome>> =>
  verifyTogether(verification, suspects, async () => (suspect) => suspect.inspect(), atOnce);
