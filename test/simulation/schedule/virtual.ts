/**
 * Gives this process virtual time and repeatable randomness: whatever the service reads of a clock, waits for
 * or draws at random comes from the schedule that is running. Outside of actors, waiting only sets the clock
 * forward, and randomness is repeatable, because setting up and checking have to be.
 */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import zlib from "node:zlib";
import { Random } from "./random.ts";
import { runningScheduler } from "./scheduler.ts";

/** The time at which all schedules begin. */
export const beginning = Date.parse("2026-03-01T12:00:00.000Z");

/** What draws at random before a schedule begins. */
const outside = new Random(1);

let clockOutside = beginning - 60_000;

/** Sets the time of day outside of actors. */
export const setClock = (now: number): void => {
  clockOutside = now;
};

const now = (): number => runningScheduler()?.now ?? clockOutside;
const random = (): Random => runningScheduler()?.random ?? outside;

const plain = (content: string | Uint8Array): Buffer =>
  typeof content === "string"
    ? Buffer.from(content)
    : Buffer.from(content.buffer, content.byteOffset, content.byteLength);

export function installVirtualTime(): void {
  const real = {
    timeout: globalThis.setTimeout,
    clear: globalThis.clearTimeout,
  };
  globalThis.Date = new Proxy(Date, {
    construct: (target, args: unknown[]) => Reflect.construct(target, args.length === 0 ? [now()] : args),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  });
  Object.assign(Math, { random: () => random().next() });
  Object.assign(process, { uptime: () => now() / 1000 });
  Object.assign(crypto, {
    randomUUID: () => random().uuid(),
    randomBytes: (size: number) => random().bytes(size),
    randomInt: (bound: number) => random().below(bound),
  });
  Object.assign(timers, {
    setTimeout: async (milliseconds = 0, value?: unknown, options: { signal?: AbortSignal } = {}) => {
      const scheduler = runningScheduler();
      if (scheduler === undefined) clockOutside += milliseconds;
      else await scheduler.sleep(milliseconds, `sleep ${Math.round(milliseconds)} ms`, options.signal);
      return value;
    },
  });
  // Compression takes a tenth of a schedule's time and changes nothing that a schedule is about.
  Object.assign(zlib, {
    brotliCompressSync: plain,
    brotliDecompressSync: plain,
    gzipSync: plain,
    gunzipSync: plain,
  });
  const cancelled = new WeakSet<object>();
  Object.assign(globalThis, {
    setTimeout: (work: () => void, milliseconds = 0) => {
      const scheduler = runningScheduler();
      if (scheduler === undefined) return real.timeout(work, milliseconds);
      const timer = {};
      void scheduler.sleep(milliseconds, "timer").then(() => (cancelled.has(timer) ? undefined : work()));
      return timer;
    },
    clearTimeout: (timer: NodeJS.Timeout | undefined) => {
      if (timer !== undefined) cancelled.add(timer);
      real.clear(timer);
    },
  });
  syncBuiltinESMExports();
}
