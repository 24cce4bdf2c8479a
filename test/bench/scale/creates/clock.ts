import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";

/**
 * Runs work while the clock of this process goes `times` slower: its pauses last so many times longer, and
 * `process.uptime`, which the service goes by, and `performance.now` tell so much less. All code and DynamoDB
 * Local run as ever, so they seem so much faster. A machine that can't carry a load can carry it slowed, with
 * the same calls under way at once.
 */
export async function slowed<T>(times: number, work: () => Promise<T>): Promise<T> {
  const now = performance.now;
  const uptime = process.uptime;
  const sleep = timers.setTimeout;
  const set = (clock: typeof now, alive: typeof uptime, pause: typeof sleep): void => {
    Reflect.set(performance, "now", clock);
    Reflect.set(process, "uptime", alive);
    Reflect.set(timers, "setTimeout", pause);
    // So that what modules imported by name changes as well.
    syncBuiltinESMExports();
  };
  set(
    () => now.call(performance) / times,
    () => uptime.call(process) / times,
    (milliseconds, ...rest) => sleep((milliseconds ?? 0) * times, ...rest),
  );
  try {
    return await work();
  } finally {
    set(now, uptime, sleep);
  }
}
