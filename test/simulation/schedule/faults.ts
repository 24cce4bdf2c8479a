/** Which faults a schedule has, and how often. */
import type { Random } from "./random.ts";
import type { Fate } from "./scheduler.ts";

/** The probability of each fault at a call. */
export type Faults = Readonly<Record<Exclude<Fate, "go">, number>>;

export const noFaults: Faults = {
  throttle: 0,
  conflict: 0,
  fail: 0,
  "lose-response": 0,
  "die-before": 0,
  "die-after": 0,
};

/** A third of the schedules have no faults but order; others have one kind of fault, or all. */
export function faultsOf(random: Random): Faults {
  const rate = random.of([0.02, 0.05, 0.1]);
  const deaths = { ...noFaults, "die-before": rate / 2, "die-after": rate / 2 };
  return random.of([
    noFaults,
    noFaults,
    deaths,
    deaths,
    { ...noFaults, throttle: rate, conflict: rate, fail: rate / 4 },
    {
      throttle: rate / 4,
      conflict: rate / 2,
      fail: rate / 8,
      "lose-response": rate / 4,
      "die-before": rate / 4,
      "die-after": rate / 4,
    },
  ]);
}

export function fateOf(random: Random, faults: Faults): Fate {
  const drawn = random.next();
  let bound = 0;
  for (const fate of fates) {
    bound += faults[fate];
    if (drawn < bound) return fate;
  }
  return "go";
}

const fates = ["throttle", "conflict", "fail", "lose-response", "die-before", "die-after"] as const;
