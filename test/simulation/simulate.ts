/** Runs schedules. Everything that a schedule does follows from its plan. */
import { type Finding, faultsAfter } from "./checks/index.ts";
import { type Prepared, prepared } from "./prepared.ts";
import { noFaults } from "./schedule/faults.ts";
import { Random } from "./schedule/random.ts";
import { setClock } from "./schedule/virtual.ts";
import { MemoryStore } from "./store/store.ts";
import { beginClients, needsLargeKit, optionsOf, type Plan } from "./workload/plan.ts";
import { installQueues, newConnection, useStore } from "./world/connection.ts";
import { queueNames, World } from "./world/world.ts";

/** What came of a schedule. */
export interface Outcome {
  readonly findings: readonly Finding[];
  readonly story: readonly string[];
  readonly turns: number;
  /** How complicated it was: faults, switches between actors, turns. */
  readonly size: number;
}

/** A verification takes as long as a third of a schedule, so only some schedules end with one. */
const verifyEvery = 3;

/** Time within which everything that is left must be done once faults end, in milliseconds. */
const settleMs = 45 * 60_000;

/** Prepares the data that all schedules begin with. @returns what runs a schedule */
export async function simulator(): Promise<(plan: Plan, tells?: boolean) => Promise<Outcome>> {
  installQueues(queueNames);
  const { usual, large } = await prepared();
  return (plan, tells = false) => simulate(needsLargeKit(plan) ? large : usual, plan, tells);
}

async function simulate(start: Prepared, plan: Plan, tells: boolean): Promise<Outcome> {
  const world = new World(new MemoryStore(start.store), new Random(plan.turns), {
    ...optionsOf(plan),
    tells,
  });
  const findings: Finding[] = [];
  try {
    findings.push(...(await run(world, start, plan)));
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    findings.push({ check: "the schedule ends", text });
  }
  const { story, turns, switches } = world.scheduler;
  return { findings, story, turns, size: 100 * world.injected + 10 * switches + turns };
}

async function run(world: World, start: Prepared, plan: Plan): Promise<readonly Finding[]> {
  const { scheduler } = world;
  const { history, clients } = beginClients(plan, world, start);
  const findings: Finding[] = [];
  let open = clients.length;
  for (const client of clients)
    void client.then((ending) => {
      open -= 1;
      if (ending.kind === "threw") findings.push({ check: "calls are answered", text: String(ending.error) });
    });
  await scheduler.run(() => open === 0);
  world.faults = noFaults;
  const until = scheduler.now + settleMs;
  await scheduler.run(() => world.isQuiet || scheduler.now > until);
  if (!world.isQuiet) findings.push({ check: "work ends", text: "work was left long after the last fault" });
  setClock(scheduler.now);
  useStore(world.store);
  world.settleIndexes();
  const options = {
    start,
    isCalm: plan.faults === noFaults,
    verifies: plan.seed % verifyEvery === 0 && !history.isPoisoned,
  };
  findings.push(...(await faultsAfter(history, newConnection(), options)));
  return findings;
}
