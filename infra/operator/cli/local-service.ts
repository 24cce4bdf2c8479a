/**
 * Where `npm start` runs, for `--local`. It writes a file while it runs, one for each port, and removes the
 * file at its end. The file holds no secrets: addresses of this machine, names of tables and queues, and
 * whose tables they are.
 */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { runningServices } from "../../paths.ts";
import { Unreachable, Usage } from "./outcome.ts";

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** A loopback address. A command with `--local` never leaves this machine. */
const address = z
  .string()
  .check(
    z.refine((text) => URL.canParse(text) && loopback.has(new URL(text).hostname), "is not of this machine"),
  );

const names = z.record(z.string(), z.string());

const runningService = z.object({
  pid: z.int(),
  url: address,
  dynamodb: z.object({ endpoint: address, accessKeyId: z.string(), tables: names }),
  sqs: z.object({ endpoint: address, queues: names, deadLetterQueues: names }),
});
export type RunningService = z.output<typeof runningService>;

const fileOf = (folder: string, port: string): string => join(folder, `${port}.json`);

/** Announces where the service runs on this machine. Returns a function that withdraws the announcement. */
export function noteRunning(service: Omit<RunningService, "pid">, folder = runningServices): () => void {
  mkdirSync(folder, { recursive: true });
  const file = fileOf(folder, new URL(service.url).port);
  const { url, dynamodb, sqs } = service;
  const noted = z.parse(runningService, { pid: process.pid, url, dynamodb, sqs });
  writeFileSync(file, JSON.stringify(noted), { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The contents of a file; undefined if it is incomplete or was written by another version. */
function serviceIn(file: string): RunningService | undefined {
  try {
    return z.parse(runningService, JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

/** The ports at which the service runs. Files of killed processes or other versions are deleted. */
function servicesIn(folder: string): ReadonlyMap<string, RunningService> {
  const found = new Map<string, RunningService>();
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".json"))) {
    const file = join(folder, name);
    const service = serviceIn(file);
    if (service !== undefined && isAlive(service.pid)) found.set(name.slice(0, -".json".length), service);
    else rmSync(file, { force: true });
  }
  return found;
}

/**
 * Where the service runs on this machine: at this port, or at its only one.
 * @throws Unreachable if it does not run, or not at this port; Usage if the port is ambiguous
 */
export function runningAt(port: string | undefined, folder = runningServices): RunningService {
  const services = servicesIn(folder);
  const [first] = services.values();
  const service = port === undefined && services.size === 1 ? first : services.get(port ?? "");
  if (service !== undefined) return service;
  if (services.size === 0)
    throw new Unreachable("Nothing runs on this machine: start the service with npm start.");
  const ports = [...services.keys()].join(", ");
  if (port !== undefined)
    throw new Unreachable(
      `Nothing runs at port ${port}. The service runs at ${ports}: name that with --port.`,
    );
  throw new Usage(`The service runs at the ports ${ports}: name one with --port.`);
}
