/** Looks for the shortest schedule that breaks the same rule. */
import { noFaults } from "./schedule/faults.ts";
import type { Outcome } from "./simulate.ts";
import type { Plan } from "./workload/plan.ts";

type Simulate = (plan: Plan, tells?: boolean) => Promise<Outcome>;

/** How many orders of turns are tried for each shorter plan, and in the end for the shortest story. */
const attempts = 60;
const finalAttempts = 300;

/**
 * Drops clients, steps and faults for as long as some order of turns still breaks the rule, and returns the
 * simplest schedule of that plan with its story.
 */
export async function shrunk(
  plan: Plan,
  simulate: Simulate,
): Promise<{ readonly plan: Plan; readonly outcome: Outcome }> {
  const check = (await simulate(plan)).findings[0]?.check;
  if (check === undefined) return { plan, outcome: await simulate(plan, true) };
  const breaks = async (candidate: Plan, tries: number): Promise<Plan | undefined> => {
    let best: { readonly plan: Plan; readonly size: number } | undefined;
    for (let turns = 0; turns < tries; turns += 1) {
      const tried = { ...candidate, turns: turns === 0 ? candidate.turns : turns };
      const { findings, size } = await simulate(tried);
      if (!findings.some((one) => one.check === check)) continue;
      if (tries === attempts) return tried;
      if (best === undefined || size < best.size) best = { plan: tried, size };
    }
    return best?.plan;
  };
  let shortest = plan;
  for (let candidates = shorter(shortest); candidates.length > 0; ) {
    const [candidate, ...others] = candidates;
    const found = candidate && (await breaks(candidate, attempts));
    if (found !== undefined) shortest = found;
    candidates = found === undefined ? others : shorter(shortest);
  }
  const simplest = (await breaks(shortest, finalAttempts)) ?? shortest;
  return { plan: simplest, outcome: await simulate(simplest, true) };
}

/** Plans that leave something out, the largest parts first. */
function shorter(plan: Plan): readonly Plan[] {
  const { clients, faults } = plan;
  const without = <T>(list: readonly T[], position: number): readonly T[] =>
    list.filter((_, index) => index !== position);
  const fewerClients = clients.map((_, position) => ({ ...plan, clients: without(clients, position) }));
  const fewerSteps = clients.flatMap((steps, client) =>
    steps.map((_, step) => ({
      ...plan,
      clients: clients.map((own, position) => (position === client ? without(own, step) : own)),
    })),
  );
  const hasFaults = Object.values(faults).some((rate) => rate > 0);
  const calmer = hasFaults ? [{ ...plan, faults: noFaults }, ...fewerFaults(plan)] : [];
  return [...calmer, ...fewerClients.filter((one) => one.clients.length > 0), ...fewerSteps];
}

/** Plans with one kind of fault less. */
const fewerFaults = (plan: Plan): readonly Plan[] =>
  Object.entries(plan.faults)
    .filter(([, rate]) => rate > 0)
    .map(([name]) => ({ ...plan, faults: { ...plan.faults, [name]: 0 } }));
