import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { randomFrom } from "../../../support/http/random.ts";
import { quantile } from "../figures.ts";

/** Calls that come in at a rate, whether earlier ones were answered or not. */
export interface Load {
  /** Calls a second. */
  readonly rate: number;
  readonly seconds: number;
  /** Calls that are under way at once, at most. Further ones wait, and their time counts. */
  readonly clients: number;
}

export interface Outcome {
  /** Calls that succeeded, by the seconds from the first to the end of the last. */
  readonly reached: number;
  readonly stored: number;
  readonly failed: number;
  /** Milliseconds from the time at which a call came in, failed calls included. */
  readonly p50: number;
  readonly p99: number;
  /** Cores that this process kept busy, and the share of the whole machine that anything did. */
  readonly cores: number;
  readonly machine: number;
}

/** Makes calls at random times, as independent buyers do; `call` is told which client makes it. */
export async function carry(
  { rate, seconds, clients }: Load,
  call: (client: number) => Promise<unknown>,
): Promise<Outcome> {
  const arrivals = arrivalsOf(rate, seconds);
  const latencies: number[] = [];
  let [next, failed] = [0, 0];
  const usage = process.cpuUsage();
  const machine = machineTimes();
  const began = process.hrtime.bigint();
  const start = performance.now();
  const client = async (number: number): Promise<void> => {
    for (let due = arrivals[next++]; due !== undefined; due = arrivals[next++]) {
      const early = start + due - performance.now();
      if (early > 0) await sleep(early);
      await call(number).catch(() => {
        failed += 1;
      });
      latencies.push(performance.now() - start - due);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  const milliseconds = performance.now() - start;
  const { user, system } = process.cpuUsage(usage);
  const microseconds = Number(process.hrtime.bigint() - began) / 1000;
  const sorted = latencies.toSorted((left, right) => left - right);
  const after = machineTimes();
  return {
    reached: ((sorted.length - failed) * 1000) / milliseconds,
    stored: sorted.length - failed,
    failed,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    cores: (user + system) / microseconds,
    machine: (after.busy - machine.busy) / (after.all - machine.all),
  };
}

/**
 * Milliseconds at which calls come in; the times between them are random, and as many are long as with real
 * buyers.
 */
function arrivalsOf(rate: number, seconds: number): readonly number[] {
  const random = randomFrom(1);
  let time = 0;
  const times = Array.from({ length: rate * seconds }, () => {
    time -= Math.log(1 - random());
    return time;
  });
  return times.map((one) => (one * seconds * 1000) / time);
}

function machineTimes(): { readonly busy: number; readonly all: number } {
  const times = cpus().map((cpu) => cpu.times);
  const all = times.flatMap((one) => Object.values(one)).reduce((sum, one) => sum + one, 0);
  return { busy: all - times.reduce((sum, { idle }) => sum + idle, 0), all };
}
