/** What a verification finds, and how it goes about it. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../store/database.ts";

/** Something that is not as it ought to be. */
export interface Difference {
  readonly kind: "difference";
  /** Which record it is of. */
  readonly record: string;
  /** What of the record, in words. */
  readonly what: string;
  readonly is: string | number;
  readonly ought: string | number;
  /** What became of it. Nothing is repaired without being asked for; `by_hand` can't be repaired by a command. */
  readonly state: "found" | "repaired" | "by_hand";
}

/** A record that was written to without a pause, so that nothing is known of it. */
export interface Undecided {
  readonly kind: "undecided";
  readonly record: string;
}

export type Finding = Difference | Undecided;

/** How a verification waits for writers, in milliseconds. */
export interface Pace {
  /**
   * How long all of a transaction may take to show to every reader, an index included. DynamoDB takes a few ms, and up to a
   * second for an index; it states no limit.
   */
  readonly settle: number;
  /** How long records that look wrong are read again, where they keep changing. */
  readonly patience: number;
}

/** What is verified, and how. */
export interface Verification extends Pace {
  readonly db: Database;
  /** All accounts without it. */
  readonly accountId: number | undefined;
  /** Who has differences repaired; nothing is written without it. */
  readonly repairer?: string | undefined;
  readonly report: (finding: Finding) => void;
}

/**
 * Looks at what seems wrong until nothing of it is left: `look` answers the suspects that it could not decide about.
 * Those that are left at the end of `patience` are reported as undecided.
 */
export async function untilDecided<T>(
  { settle, patience, report }: Pick<Verification, "settle" | "patience" | "report">,
  suspects: readonly T[],
  look: (suspects: readonly T[]) => Promise<readonly T[]>,
  nameOf: (suspect: T) => string,
): Promise<void> {
  const until = performance.now() + patience;
  let left = suspects;
  for (let isFirst = true; left.length > 0; isFirst = false) {
    if (!isFirst && performance.now() > until) break;
    if (!isFirst) await sleep(settle);
    left = await look(left);
  }
  for (const suspect of left) report({ kind: "undecided", record: nameOf(suspect) });
}
