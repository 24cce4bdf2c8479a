import { setTimeout as sleep } from "node:timers/promises";
import { isDeepEqual } from "../../../shared/common/deep-equal.ts";
import { type Fault, settleFaults } from "./fault.ts";
import { decideEach, type Inconclusive, type Verification } from "./finding.ts";

/** What was read of a suspect, or why nothing is known of it. Of one that is busy more may be known a little later. */
export type Seen = Inconclusive["why"] | SeenState;

interface SeenState {
  /** All that the faults follow from. It must change whenever a writer changes what they follow from. */
  readonly state: unknown;
  readonly faults: readonly Fault[];
}

/** Nothing is wrong with a suspect. */
export const right: Seen = { state: "right", faults: [] };

/**
 * Reads each suspect twice, with time between for all of a transaction to show. Faults count only where both reads see the
 * same. So no writer came between, and what was read first is what was read last. A suspect of which an item can't be read
 * is reported as unclear.
 * @returns the suspects whose faults counted
 */
export async function verifyTwice<T>(
  verification: Verification,
  suspects: readonly T[],
  read: (suspect: T) => Promise<Seen>,
  titleOf: (suspect: T) => string,
): Promise<readonly T[]> {
  const faulty: T[] = [];
  const look = async (suspect: T): Promise<"decided" | Inconclusive["why"]> => {
    const first = await read(suspect);
    if (typeof first === "string") return first;
    if (first.faults.length === 0) return "decided";
    await sleep(verification.settle);
    const last = await read(suspect);
    if (typeof last === "string") return last;
    if (!isDeepEqual(first.state, last.state)) return "busy";
    if (!(await settleFaults(verification, last.faults))) return "busy";
    if (last.faults.length > 0) faulty.push(suspect);
    return "decided";
  };
  await decideEach(verification, suspects, look, titleOf);
  return faulty;
}
