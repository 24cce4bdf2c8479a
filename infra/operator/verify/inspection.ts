/** Decides about suspects while the service is in use: each is read twice, then reported and repaired. */
import { setTimeout as sleep } from "node:timers/promises";
import { clock } from "../../../shared/common/clock.ts";
import { forEachConcurrently, inBatches } from "../../../shared/common/concurrency.ts";
import { isDeepEqual } from "../../../shared/common/deep-equal.ts";
import { isCommitted } from "../../../shared/store/dynamodb/transact.ts";
import type { Write } from "../../../shared/store/dynamodb/writes.ts";
import { unlessUnreadable } from "../unreadable.ts";
import type { Deviation, Inconclusive, Verification } from "./finding.ts";

/** Differences that are repaired together. */
export interface Fault {
  readonly differences: readonly Deviation[];
  /**
   * The writes that repair the differences, or what carries out the repair: it returns whether it changed
   * anything, undefined if writers left no time for it. Without it, no command can repair them.
   */
  readonly repair?: readonly Write[] | (() => Promise<boolean | undefined>);
  /**
   * What a person does about the differences. With it, a repair would discard what points at something lost.
   * It is made only if the loss is accepted.
   */
  readonly next?: string;
}

export const repairable = (difference: Deviation, ...repair: readonly Write[]): Fault => ({
  differences: [difference],
  repair,
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
  repair,
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

/** Stores writes in one transaction; undefined if writers left no time for it. */
export const stored = async (db: Verification["db"], writes: readonly Write[]): Promise<true | undefined> =>
  (await isCommitted(db, writes)) ? true : undefined;

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
  for (const { differences, repair = [] } of faults.filter((fault) => !isLeft(fault))) {
    const carryOut = typeof repair === "function" ? repair : () => stored(db, repair);
    const repaired = repairer === undefined || (await carryOut());
    if (repaired === undefined) return false;
    const state = repairer === undefined ? "found" : "repaired";
    // Someone else may have repaired it meanwhile.
    if (repaired) for (const one of differences) report({ kind: "difference", ...one, state });
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
type Outcome = "right" | "found" | Inconclusive["why"];

/** Suspects inspected concurrently: an inspection is mostly a pause. */
const usuallyAtOnce = 64;

/** Suspects that are read together: what is found of them is in memory until the second read. */
const usuallyTogether = 1_000;

/** Something that may be wrong. */
export interface Suspect {
  /** The record, in words. */
  readonly title: string;
  readonly inspect: () => Promise<Inspection>;
}

/**
 * Reads suspects twice, with a pause in which a whole transaction becomes visible to every reader. One that
 * can't be read is unclear, because the first pass has reported the item. Faults
 * count only if both reads see the same `state`: it must hold, with versions, everything that the faults
 * follow from, so that no writer came in between. Those that can't be decided are read again until
 * `retryBudgetMs` ends, and are then reported as busy.
 * @param prepare reads what the suspects share, before each of the two reads
 */
export async function verifyTogether<T extends Pick<Suspect, "title">>(
  verification: Verification,
  suspects: readonly T[],
  prepare: () => Promise<(suspect: T) => Promise<Inspection>>,
  atOnce = usuallyAtOnce,
): Promise<ReadonlyMap<T, Outcome>> {
  const { settleMs, retryBudgetMs, report } = verification;
  const outcomes = new Map<T, Outcome>();
  const readAll = async (some: readonly T[]): Promise<ReadonlyMap<T, Inspection>> => {
    const found = new Map<T, Inspection>();
    if (some.length === 0) return found;
    const read = await prepare();
    const one = async (suspect: T) => void found.set(suspect, await unlessUnreadable(() => read(suspect)));
    await forEachConcurrently(some, one, atOnce);
    return found;
  };
  const decide = async (before: Inspection, found: Inspection): Promise<Outcome> => {
    if (found === "unclear") return "unclear";
    if (typeof found === "string" || typeof before === "string") return "busy";
    if (!isDeepEqual(before.state, found.state)) return "busy";
    if (!(await reportAndRepair(verification, found.faults))) return "busy";
    if (found.isUnclear === true) return "unclear";
    return found.faults.length > 0 ? "found" : "right";
  };
  const inspect = async (some: readonly T[]): Promise<readonly T[]> => {
    const first = await readAll(some);
    const wrong = some.filter((suspect) => looksWrong(first.get(suspect)));
    if (wrong.length > 0) await sleep(settleMs);
    const last = await readAll(wrong);
    const one = async (suspect: T): Promise<void> => {
      const before = first.get(suspect) ?? "busy";
      outcomes.set(suspect, await unlessUnreadable(() => decide(before, last.get(suspect) ?? before)));
    };
    await forEachConcurrently(some, one, atOnce);
    return some.filter((suspect) => outcomes.get(suspect) === "busy");
  };
  for (const some of inBatches(suspects, usuallyTogether)) {
    const until = clock() + retryBudgetMs;
    let busy = await inspect(some);
    while (busy.length > 0 && clock() <= until) {
      await sleep(settleMs);
      busy = await inspect(busy);
    }
    for (const suspect of some) {
      const why = outcomes.get(suspect);
      if (why === "busy" || why === "unclear") report({ kind: "inconclusive", record: suspect.title, why });
    }
  }
  return outcomes;
}

const looksWrong = (found: Inspection | undefined): boolean =>
  typeof found === "object" && (found.faults.length > 0 || found.isUnclear === true);

/** Verifies suspects that share nothing. */
export const verifySuspects = <T extends Suspect>(
  verification: Verification,
  suspects: readonly T[],
  atOnce?: number,
): Promise<ReadonlyMap<T, Outcome>> =>
  verifyTogether(verification, suspects, async () => (suspect) => suspect.inspect(), atOnce);
