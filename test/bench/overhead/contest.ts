/** The service's functions beside handlers that are written by hand: processor time, taken in turns. */
import { at } from "../../support/http/client.ts";
import { quantile } from "../scale/figures.ts";
import { type Instance, startInstance } from "./instance.ts";

/** One call, and the bundles that answer it. */
export interface Contest {
  readonly name: string;
  readonly service: string;
  readonly bare: string;
  readonly event: object;
}

/** Microseconds of both. */
export interface Pair {
  readonly service: number;
  readonly bare: number;
}

const median = (values: readonly number[]): number =>
  quantile(
    values.toSorted((left, right) => left - right),
    0.5,
  );

type Side = keyof Pair;
const sides: readonly Side[] = ["service", "bare"];

export const medians = (samples: readonly Pair[]): Pair => ({
  service: median(samples.map(({ service }) => service)),
  bare: median(samples.map(({ bare }) => bare)),
});

/**
 * What the service takes by what the other takes. Two are compared that ran side by side: a machine's speed
 * changes.
 */
export const ratioOf = (samples: readonly Pair[]): number =>
  median(samples.map(({ service, bare }) => service / bare));

async function ask(instance: Instance, event: object, times = 1): Promise<number> {
  const { answering, answer } = await instance.ask([event], times);
  if (at(answer, "statusCode") !== 200) throw new Error(`a function answered ${JSON.stringify(answer)}`);
  return answering / times;
}

/**
 * What a fresh instance takes: while it loads, when Lambda lends it a full processor, and for its first
 * answer.
 */
export interface Cold {
  readonly loading: Pair;
  readonly first: Pair;
}

export async function cold(
  contest: Contest,
  env: Record<string, string>,
  samples: number,
): Promise<readonly Cold[]> {
  const found: Cold[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const [load, answer] = [
      { service: 0, bare: 0 },
      { service: 0, bare: 0 },
    ];
    for (const side of sides) {
      const instance = await startInstance(contest[side], env);
      load[side] = instance.loading;
      answer[side] = await ask(instance, contest.event);
      await instance.stop();
    }
    found.push({ loading: load, first: answer });
  }
  return found;
}

/** What a call takes once an instance has answered many: `before` are not counted. */
export async function warm(
  contest: Contest,
  env: Record<string, string>,
  { before, rounds, calls }: { readonly before: number; readonly rounds: number; readonly calls: number },
): Promise<readonly Pair[]> {
  const instances = {
    service: await startInstance(contest.service, env),
    bare: await startInstance(contest.bare, env),
  };
  for (const side of sides) await ask(instances[side], contest.event, before);
  const samples: Pair[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const sample = { service: 0, bare: 0 };
    for (const side of sides) sample[side] = await ask(instances[side], contest.event, calls);
    samples.push(sample);
  }
  for (const side of sides) await instances[side].stop();
  return samples;
}

/**
 * How long functions take to load, by the time of the floor: the client alone, loaded in turns with them.
 * Each is loaded once. One load says little, so the `slowest` of them are loaded `samples` times more, and
 * the medians of these count.
 */
export async function imports(
  files: ReadonlyMap<string, string>,
  floor: string,
  env: Record<string, string>,
  { slowest, samples }: { readonly slowest: number; readonly samples: number },
): Promise<ReadonlyMap<string, number>> {
  const found = await loadedOnce(files, floor, env);
  const slow = [...found].sort(([, left], [, right]) => right - left).slice(0, slowest);
  const names = new Set(slow.map(([name]) => name));
  const again = new Map([...files].filter(([name]) => names.has(name)));
  const rounds: ReadonlyMap<string, number>[] = [];
  for (let sample = 0; sample < samples; sample += 1) rounds.push(await loadedOnce(again, floor, env));
  return new Map([
    ...found,
    ...slow.map(([name]) => [name, median(rounds.flatMap((round) => round.get(name) ?? []))] as const),
  ]);
}

/** The time of each function by that of the floor, which is loaded before every third of them. */
async function loadedOnce(
  files: ReadonlyMap<string, string>,
  floor: string,
  env: Record<string, string>,
): Promise<ReadonlyMap<string, number>> {
  const floors: number[] = [];
  const loaded = new Map<string, number>();
  for (const [name, file] of files) {
    if (loaded.size % 3 === 0) floors.push(await loading(floor, env));
    loaded.set(name, await loading(file, env));
  }
  const least = median(floors);
  return new Map([...loaded].map(([name, time]) => [name, time / least]));
}

async function loading(file: string, env: Record<string, string>): Promise<number> {
  const instance = await startInstance(file, env);
  await instance.stop();
  return instance.loading;
}
