/** `npm run simulate`: runs schedules by seed, and tells the story of the first that breaks a rule. */
import { parseArgs } from "node:util";
import { faultsOf, noFaults } from "./schedule/faults.ts";
import { Random } from "./schedule/random.ts";
import { beginning, installVirtualTime, setClock } from "./schedule/virtual.ts";

installVirtualTime();
// The service logs to standard output; a schedule's story goes to standard error.
process.stdout.write = () => true;

const { MemoryStore } = await import("./store/store.ts");
const { World, installQueues, newConnection, useStore } = await import("./world.ts");
const { History, beginClients } = await import("./workload.ts");
const { faultsAfter } = await import("./checks.ts");
const { prepared } = await import("./prepared.ts");
installQueues();

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    schedules: { type: "string", default: "2000" },
    story: { type: "boolean", default: false },
  },
});

const start = await prepared();

interface Result {
  readonly faults: readonly string[];
  readonly story: readonly string[];
  readonly turns: number;
}

/** A verification takes longer than the schedule itself, so only some schedules end with one. */
const verifyEvery = 10;

/** Time within which everything that is left must be done once faults end, in milliseconds. */
const settleMs = 45 * 60_000;

async function runSchedule(seed: number, tells: boolean): Promise<Result> {
  const random = new Random(seed);
  const world = new World(new MemoryStore(start.store), random, {
    now: beginning,
    faults: faultsOf(random),
    tells,
  });
  const { scheduler } = world;
  const history = new History(world, start.orderIds);
  let open = 0;
  const faults: string[] = [];
  for (const client of beginClients(history)) {
    open += 1;
    void client.then((ending) => {
      open -= 1;
      if (typeof ending === "object" && ending !== null && "error" in ending)
        faults.push(String(ending.error));
    });
  }
  try {
    await scheduler.run(() => open === 0);
    world.faults = noFaults;
    const until = scheduler.now + settleMs;
    await scheduler.run(() => world.isQuiet || scheduler.now > until);
    if (!world.isQuiet) faults.push("work was left long after the last fault");
    setClock(scheduler.now);
    useStore(world.store);
    world.settleIndexes();
    if (world.deadLetters.length > 0)
      faults.push(`${world.deadLetters.length} messages in a dead-letter queue`);
    faults.push(...(await faultsAfter(history, newConnection(), { verified: seed % verifyEvery === 0 })));
  } catch (error) {
    faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  return { faults, story: scheduler.story, turns: scheduler.turns };
}

/** Runs a schedule once more, and prints what happened in it and which rules it broke. */
async function tell(seed: number): Promise<void> {
  const { faults, story } = await runSchedule(seed, true);
  process.stderr.write(`\nseed ${seed}\n${[...story, ...faults].join("\n")}\n`);
}

const [first, count] = [Number(values.seed), Number(values.schedules)];
let turns = 0;
let broken = 0;
for (let seed = first; seed < first + count; seed += 1) {
  const { faults, turns: taken } = await runSchedule(seed, false);
  turns += taken;
  if (faults.length > 0) broken += 1;
  if (faults.length > 0 || values.story) await tell(seed);
}
const seconds = process.cpuUsage().user / 1e6;
process.stderr.write(
  `${count} schedules in ${seconds.toFixed(1)} s of a processor, ${turns} turns, ${broken} broken\n`,
);
process.exit(broken === 0 ? 0 : 1);
