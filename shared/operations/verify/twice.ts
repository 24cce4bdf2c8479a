import { setTimeout as sleep } from "node:timers/promises";
import { same } from "../../domain/same.ts";
import { forEach } from "../../store/side-by-side.ts";
import { type Fault, settleFaults } from "./fault.ts";
import { untilDecided, type Verification } from "./finding.ts";

/** What was read of a suspect. */
export interface Seen {
  /** All that the faults follow from. It must change whenever a writer changes what they follow from. */
  readonly state: unknown;
  readonly faults: readonly Fault[];
}

/** Suspects looked at side by side: a look is mostly a pause. */
const atOnce = 64;

/**
 * Reads each suspect twice, with time between for all of a transaction to show. Faults count only where both reads see the
 * same. So no writer came between, and what was read first is what was read last.
 */
export const verifyTwice = async <T>(
  verification: Verification,
  suspects: readonly T[],
  read: (suspect: T) => Promise<Seen>,
  titleOf: (suspect: T) => string,
): Promise<void> => {
  await untilDecided(
    verification,
    suspects,
    async (left) => {
      const undecided: T[] = [];
      await forEach(
        left,
        async (suspect) => {
          const first = await read(suspect);
          if (first.faults.length === 0) return;
          await sleep(verification.settle);
          const last = await read(suspect);
          const isDecided = same(first.state, last.state) && (await settleFaults(verification, last.faults));
          if (!isDecided) undecided.push(suspect);
        },
        atOnce,
      );
      return undecided;
    },
    titleOf,
  );
};
