/** Runs schedules. Everything that a schedule does follows from its plan. */
import { type Finding, faultsAfter } from "./checks/index.ts";
import { limitTransactions } from "./planted/plant.ts";
import { type Prepared, prepared } from "./prepared.ts";
import { noFaults } from "./schedule/faults.ts";
import { Random } from "./schedule/random.ts";
import type { Ending } from "./schedule/scheduler.ts";
import { setClock } from "./schedule/virtual.ts";
import { MemoryStore } from "./store/store.ts";
import type { History } from "./workload/history.ts";
import { beginClients, optionsOf, type Plan } from "./workload/plan.ts";
import { installQueues, newConnection, useStore } from "./world/connection.ts";
import { queueNames, World } from "./world/world.ts";

/** What came of a schedule. */
export interface Outcome {
  readonly findings: readonly Finding[];
  readonly story: readonly string[];
  readonly turns: number;
  /** The operations that had a success. */
  readonly succeeded: readonly string[];
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
  const start = await prepared();
  return (plan, tells = false) => simulate(start, plan, tells);
}

async function simulate(start: Prepared, plan: Plan, tells: boolean): Promise<Outcome> {
  const world = new World(new MemoryStore(start.store), new Random(plan.turns), {
    ...optionsOf(plan),
    tells,
  });
  limitTransactions(plan.transactions);
  const { history, clients } = beginClients(plan, world, start);
  const findings: Finding[] = [];
  try {
    findings.push(...(await run(history, clients, start, plan)));
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    findings.push({ check: "the schedule ends", text });
  }
  const { story, turns, switches } = world.scheduler;
  const succeeded = history.calls
    .filter(({ answer }) => answer?.status === 200)
    .map(({ operation }) => operation);
  return { findings, story, turns, succeeded, size: 100 * world.injected + 10 * switches + turns };
}

async function run(
  history: History,
  clients: readonly Promise<Ending<void>>[],
  start: Prepared,
  plan: Plan,
): Promise<readonly Finding[]> {
  const { world } = history;
  const { scheduler } = world;
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
    verifies: (plan.upgrades || plan.seed % verifyEvery === 0) && !history.isPoisoned,
  };
  findings.push(...(await faultsAfter(history, newConnection(), options)));
  return findings;
}
