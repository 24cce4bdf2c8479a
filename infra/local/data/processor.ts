import { randomInt } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";

/** Runs its arguments on the processor of that number, or on all of them if that is not supported. */
const pin = 'taskset -c "$0" true 2>/dev/null && exec taskset -c "$0" "$@"; exec "$@"';

const ownStatus = "/proc/self/status";

/**
 * The numbers of the processors that this process may use; none if unknown. A container may be limited to any
 * of the machine's.
 */
function allowedProcessors(): readonly number[] {
  const status = existsSync(ownStatus) ? readFileSync(ownStatus, "utf8") : "";
  const [, list = ""] = /^Cpus_allowed_list:\s*(.*)$/m.exec(status) ?? [];
  return [...list.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, position) => Number(first) + position),
  );
}

/**
 * The command that runs another one on one processor, if the system has `taskset`. Several such programs use
 * different processors only by chance, because nothing moves them later.
 */
export function onOneProcessor(command: readonly string[]): readonly string[] {
  const processors = allowedProcessors();
  if (processors.length === 0) return command;
  return ["/bin/sh", "-c", pin, String(processors[randomInt(processors.length)]), ...command];
}
