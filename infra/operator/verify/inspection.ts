/** Decides about suspects while the service is in use: each is read twice, then reported and repaired. */
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import { clock } from "../../../shared/common/clock.ts";
import { forEachConcurrently } from "../../../shared/common/concurrency.ts";
import { isDeepEqual } from "../../../shared/common/deep-equal.ts";
import { Unreadable } from "../../../shared/store/dynamodb/unreadable.ts";
import type { Write } from "../../../shared/store/dynamodb/writes.ts";
import { isStored } from "../../../shared/store/lists/repair/rebuild-context.ts";
import { type Comparison, comparison, type Facts } from "./comparator.ts";
import { type Deviation, type Inconclusive, reportUnclear, type Verification } from "./finding.ts";

/** Differences that one transaction repairs. */
export interface Fault {
  readonly differences: readonly Deviation[];
  /** Without them, no command can repair the differences. */
  readonly writes?: readonly Write[];
  /**
   * What a person does about the differences. With it, the writes would discard what points at something
   * lost. They are made only if the loss is accepted.
   */
  readonly next?: string;
}

export const repairable = (difference: Deviation, ...writes: readonly Write[]): Fault => ({
  differences: [difference],
  writes,
});

/** A difference that no command can repair, and what a person does about it. */
export const manual = (difference: Deviation, next: string): Fault => ({ differences: [difference], next });

/**
 * A difference that points at something lost, and what a person does about it. The writes discard it once the
 * loss is accepted.
 */
export const kept = (difference: Deviation, next: string, ...writes: readonly Write[]): Fault => ({
  differences: [difference],
  next,
  writes,
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
  const isLeft = ({ next, writes, differences }: Fault): boolean =>
    writes === undefined || (next !== undefined && !differences.some(({ record }) => accepted?.has(record)));
  for (const { differences, writes = [] } of faults.filter((fault) => !isLeft(fault))) {
    if (repairer !== undefined && !(await isStored(db, writes))) return false;
    const state = repairer === undefined ? "found" : "repaired";
    for (const one of differences) report({ kind: "difference", ...one, state });
  }
  for (const { differences, next, writes } of faults.filter(isLeft))
    for (const one of differences)
      report({
        kind: "difference",
        ...one,
        state: "by_hand",
        ...(next !== undefined && { next }),
        ...(writes !== undefined && { isAcceptable: true }),
      });
  return true;
}

/**
 * Inspects suspects until all are decided: `inspect` returns those that it could not decide about. Those that
 * are left when `retryBudgetMs` ends are reported as busy, and returned.
 */
export async function untilDecided<T>(
  { settleMs, retryBudgetMs, report }: Pick<Verification, "settleMs" | "retryBudgetMs" | "report">,
  suspects: readonly T[],
  inspect: (suspects: readonly T[]) => Promise<readonly T[]>,
  titleOf: (suspect: T) => string,
): Promise<readonly T[]> {
  const until = clock() + retryBudgetMs;
  let left = suspects.length === 0 ? [] : await inspect(suspects);
  while (left.length > 0 && clock() <= until) {
    await sleep(settleMs);
    left = await inspect(left);
  }
  for (const suspect of left) report({ kind: "inconclusive", record: titleOf(suspect), why: "busy" });
  return left;
}

/** Suspects inspected concurrently: an inspection is mostly a pause. */
const usuallyAtOnce = 64;

/**
 * Inspects each suspect until it is decided. One with an unreadable item is reported as unclear.
 * @returns those that stayed busy
 */
export const decideEach = <T>(
  verification: Verification,
  suspects: readonly T[],
  inspect: (suspect: T) => Promise<"decided" | Inconclusive["why"]>,
  titleOf: (suspect: T) => string,
  atOnce = usuallyAtOnce,
): Promise<readonly T[]> =>
  untilDecided(
    verification,
    suspects,
    async (left) => {
      const busy: T[] = [];
      await forEachConcurrently(
        left,
        async (suspect) => {
          const outcome = await unlessUnreadable(() => inspect(suspect));
          if (outcome === "busy") busy.push(suspect);
          if (outcome === "unclear") reportUnclear(verification, titleOf(suspect));
        },
        atOnce,
      );
      return busy;
    },
    titleOf,
  );

/** Suspects that are read together: what is found of them is in memory until the second read. */
const usuallyTogether = 1_000;

/**
 * Reads suspects twice, with a pause in which a whole transaction becomes visible to every reader. Faults
 * count only if both reads see the same `state`: it must hold, with versions, everything that the faults
 * follow from, so that no writer came in between. Before each read, `prepare` reads what the suspects share.
 * @returns the suspects whose faults counted
 */
export async function verifyTogether<T>(
  verification: Verification,
  suspects: readonly T[],
  prepare: () => Promise<(suspect: T) => Promise<Inspection>>,
  titleOf: (suspect: T) => string,
): Promise<readonly T[]> {
  const faulty: T[] = [];
  const readAll = async (some: readonly T[]): Promise<ReadonlyMap<T, Inspection>> => {
    if (some.length === 0) return new Map();
    const read = await prepare();
    const found = new Map<T, Inspection>();
    await forEachConcurrently(
      some,
      async (suspect) => void found.set(suspect, await unlessUnreadable(() => read(suspect))),
      usuallyAtOnce,
    );
    return found;
  };
  const inspect = async (left: readonly T[]): Promise<readonly T[]> => {
    const first = await readAll(left);
    const wrong = left.filter((suspect) => looksWrong(first.get(suspect)));
    if (wrong.length > 0) await sleep(verification.settleMs);
    const last = await readAll(wrong);
    const busy: T[] = [];
    await forEachConcurrently(left, async (suspect) => {
      const before = first.get(suspect) ?? "busy";
      const found = last.get(suspect) ?? before;
      if (found === "unclear") return reportUnclear(verification, titleOf(suspect));
      const isDecided =
        typeof found !== "string" &&
        typeof before !== "string" &&
        isDeepEqual(before.state, found.state) &&
        (await reportAndRepair(verification, found.faults));
      if (!isDecided) return void busy.push(suspect);
      if (found.faults.length > 0) faulty.push(suspect);
      if (found.isUnclear === true) reportUnclear(verification, titleOf(suspect));
    });
    return busy;
  };
  for (let start = 0; start < suspects.length; start += usuallyTogether)
    await untilDecided(verification, suspects.slice(start, start + usuallyTogether), inspect, titleOf);
  return faulty;
}

const looksWrong = (found: Inspection | undefined): boolean =>
  typeof found === "object" && (found.faults.length > 0 || found.isUnclear === true);

/** Verifies suspects that share nothing. */
export const verifySuspects = <T>(
  verification: Verification,
  suspects: readonly T[],
  read: (suspect: T) => Promise<Inspection>,
  titleOf: (suspect: T) => string,
): Promise<readonly T[]> => verifyTogether(verification, suspects, async () => read, titleOf);

/** One check: what it compares, and how it decides about the suspects. */
export interface Check {
  readonly compared: Comparison<unknown>;
  readonly decide: () => Promise<unknown>;
}

/** A check whose suspects are the subjects of facts that do not agree. */
export function checkOf<S>(
  verification: Verification,
  {
    inspect,
    titleOf,
    ...facts
  }: Facts<S> & {
    readonly inspect: (suspect: S) => Promise<Inspection>;
    readonly titleOf: (suspect: S) => string;
  },
): Check {
  const compared = comparison(facts);
  return { compared, decide: () => verifySuspects(verification, compared.suspects(), inspect, titleOf) };
}

/**
 * Returns `unclear` for an unreadable item, so that the verification goes on: the first pass has reported the
 * item.
 */
export async function unlessUnreadable<T>(read: () => T | Promise<T>): Promise<T | "unclear"> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Unreadable || error instanceof z.core.$ZodError) return "unclear";
    throw error;
  }
}
