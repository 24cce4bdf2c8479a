import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";

/** Runs its arguments on the processor of that number, or on all of them if the system can't do that. */
const pin = 'taskset -c "$0" true 2>/dev/null && exec taskset -c "$0" "$@"; exec "$@"';

/**
 * The command that runs another one on one processor, where the system has `taskset`. Several such programs
 * spread over the processors by chance, because nothing moves them later.
 */
export const onOneProcessor = (command: readonly string[]): readonly string[] =>
  process.platform === "linux"
    ? ["/bin/sh", "-c", pin, String(randomInt(availableParallelism())), ...command]
    : command;
