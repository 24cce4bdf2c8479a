/**
 * `npm run simulate`: runs schedules by seed, and tells the shortest story that breaks the same rule as the
 * first of them. With `--planted`, plants faults in the product and reports after how many schedules each is
 * found.
 */
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { plantedFaults } from "./planted/index.ts";
import { Runner } from "./runner.ts";

const { values, positionals } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    schedules: { type: "string" },
    also: { type: "string", multiple: true, default: [] },
    workers: { type: "string", default: String(availableParallelism()) },
    story: { type: "boolean", default: false },
    planted: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const first = Number(values.seed);
/** Seeds to run after the schedules from the first seed on. */
const further = values.also.map(Number);
const workers = Number(values.workers);

/** Schedules that a thread runs between two reports. */
const together = 20;

/** Schedules after which a long run says how far it has come. */
const reportedEvery = 10_000;

/** Schedules that look for a planted fault at most. */
const maxForFault = 100_000;

const print = (text: string): void => void process.stderr.write(`${text}\n`);

interface Total {
  ran: number;
  turns: number;
  readonly broken: number[];
  /** How often each operation had a success. */
  readonly successes: Map<string, number>;
}

interface Range {
  readonly first: number;
  readonly count: number;
}

/** What is asked of threads: so many seeds from the first one on, and then the further ones. */
function* rangesOf(count: number): Generator<Range> {
  const end = first + count;
  for (let next = first; next < end; next += together)
    yield { first: next, count: Math.min(together, end - next) };
  for (const seed of further) yield { first: seed, count: 1 };
}

/** Runs seeds on several threads. */
async function runAll(count: number): Promise<Total> {
  const total: Total = { ran: 0, turns: 0, broken: [], successes: new Map() };
  const ranges = rangesOf(count);
  const run = async (): Promise<void> => {
    const runner = new Runner();
    for (const order of ranges) {
      await runSome(runner, order, total);
      if (Math.floor(total.ran / reportedEvery) > Math.floor((total.ran - order.count) / reportedEvery))
        print(
          `${total.ran} schedules so far, ${(process.cpuUsage().user / 1e6).toFixed(0)} s of a processor`,
        );
    }
    await runner.end();
  };
  await Promise.all(Array.from({ length: Math.min(workers, count) }, run));
  return total;
}

async function runSome(runner: Runner, order: Range, total: Total): Promise<void> {
  for (let done = 0; done < order.count; ) {
    const rest = { kind: "run", first: order.first + done, count: order.count - done } as const;
    const report = await runner.ask(rest);
    if (report.kind !== "ran") throw new Error("a thread reported something else");
    done += report.ran;
    total.ran += report.ran;
    total.turns += report.turns;
    for (const [name, times] of Object.entries(report.successes))
      total.successes.set(name, (total.successes.get(name) ?? 0) + times);
    if (report.broken === undefined) continue;
    total.broken.push(report.broken.seed);
    print(`seed ${report.broken.seed}: ${report.broken.findings.map(({ text }) => text).join("\n")}`);
  }
}

/** Prints what happened in a schedule and which rules it broke. */
async function tell(seed: number, shrinks: boolean, planted?: string): Promise<void> {
  const runner = new Runner(planted);
  const report = await runner.ask({ kind: "tell", seed, shrinks });
  await runner.end();
  if (report.kind !== "told") return;
  const found = report.findings.map(({ check, text }) => `${check}: ${text}`);
  print(`\nseed ${seed} ${report.plan}\n${[...report.story, ...found].join("\n")}`);
}

/** Looks for a planted fault. @returns whether it was found */
async function find(name: string, limit: number): Promise<boolean> {
  const runner = new Runner(name);
  let ran = 0;
  while (ran < limit) {
    const order = { kind: "run", first: first + ran, count: Math.min(together, limit - ran) } as const;
    const report = await runner.ask(order);
    if (report.kind !== "ran") throw new Error("a thread reported something else");
    ran += report.ran;
    if (report.broken === undefined) continue;
    const { findings } = report.broken;
    print(`| ${name} | ${ran} | ${findings[0]?.check} |`);
    if (values.story) await tell(report.broken.seed, true, name);
    await runner.end();
    return true;
  }
  print(`| ${name} | not within ${ran} | |`);
  await runner.end();
  return false;
}

/** Looks for all planted faults, or those that are named. @returns how many were not found */
async function findPlanted(limit: number): Promise<number> {
  const all = [...plantedFaults.keys()];
  const unknown = positionals.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`no planted fault is named ${unknown.join(", ")}`);
  const names = positionals.length > 0 ? positionals : all;
  let missed = 0;
  let next = 0;
  const run = async (): Promise<void> => {
    for (let name = names[next++]; name !== undefined; name = names[next++])
      if (!(await find(name, limit))) missed += 1;
  };
  await Promise.all(Array.from({ length: workers }, run));
  return missed;
}

async function runSeeds(count: number): Promise<boolean> {
  const began = performance.now();
  const { ran, turns, broken, successes } = await runAll(count);
  const seconds = process.cpuUsage().user / 1e6;
  const wall = (performance.now() - began) / 1000;
  const [worst] = broken.toSorted((left, right) => left - right);
  if (worst !== undefined) await tell(worst, !values.story);
  else if (values.story) await tell(first, false);
  const never = [...successes].filter(([, times]) => times === 0).map(([name]) => name);
  if (never.length > 0) print(`never had a success: ${never.join(", ")}`);
  const { stdout: revision } = spawnSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" });
  print(
    `seeds ${first} to ${first + count - 1} at ${revision.trim()}: ${ran} schedules in ${wall.toFixed(1)} s (${seconds.toFixed(1)} s of a processor), ${turns} turns, ${broken.length} broken`,
  );
  return broken.length === 0;
}

const isFine = values.planted
  ? (await findPlanted(Number(values.schedules ?? maxForFault))) === 0
  : await runSeeds(Number(values.schedules ?? 2_000));
process.exit(isFine ? 0 : 1);
