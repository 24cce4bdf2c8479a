import { AsyncLocalStorage } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";

type Wait = (milliseconds: number) => Promise<unknown>;

const { setTimeout: sleep } = timers;

const waits = new AsyncLocalStorage<Wait>();

const setTimeout: typeof sleep = async (milliseconds = 0, value, options) => {
  const wait = waits.getStore();
  if (wait === undefined) return sleep(milliseconds, value, options);
  options?.signal?.throwIfAborted();
  await waits.exit(() => wait(milliseconds));
  options?.signal?.throwIfAborted();
  return sleep(0, value, options);
};
Object.defineProperty(timers, "setTimeout", { value: setTimeout });
syncBuiltinESMExports();

/**
 * Runs work whose waits of a stated time take a tenth of it, or what `wait` takes instead: they allow for
 * what the local database does not do, such as indexes that lag behind. All other work of this process waits
 * as it states.
 */
export const hurried = <T>(
  work: () => Promise<T>,
  wait: Wait = (milliseconds) => sleep(milliseconds / 10),
): Promise<T> => waits.run(waits.getStore() ?? wait, work);
