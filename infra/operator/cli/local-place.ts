/**
 * Where `npm start` runs, for `--local`. It writes a file while it runs, one for each port, and removes the
 * file at its end. The file holds no secrets: addresses of this machine, names of tables and queues, and
 * whose tables they are.
 */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { runningPlaces } from "../../outputs.ts";
import { Unreachable, Usage } from "./outcome.ts";

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** A loopback address. A command with `--local` never leaves this machine. */
const address = z
  .string()
  .check(
    z.refine((text) => URL.canParse(text) && loopback.has(new URL(text).hostname), "is not of this machine"),
  );

const names = z.record(z.string(), z.string());

const runningPlace = z.object({
  pid: z.int(),
  url: address,
  dynamodb: z.object({ endpoint: address, accessKeyId: z.string(), tables: names }),
  sqs: z.object({ endpoint: address, queues: names, deadLetterQueues: names }),
});
export type RunningPlace = z.output<typeof runningPlace>;

const fileOf = (folder: string, port: string): string => join(folder, `${port}.json`);

/** Announces where the service runs on this machine. Returns a function that withdraws the announcement. */
export function noteRunning(place: Omit<RunningPlace, "pid">, folder = runningPlaces): () => void {
  mkdirSync(folder, { recursive: true });
  const file = fileOf(folder, new URL(place.url).port);
  const { url, dynamodb, sqs } = place;
  const noted = z.parse(runningPlace, { pid: process.pid, url, dynamodb, sqs });
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
function placeIn(file: string): RunningPlace | undefined {
  try {
    return z.parse(runningPlace, JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

/** The ports at which the service runs. Files of killed processes or other versions are deleted. */
function placesIn(folder: string): ReadonlyMap<string, RunningPlace> {
  const found = new Map<string, RunningPlace>();
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".json"))) {
    const file = join(folder, name);
    const place = placeIn(file);
    if (place !== undefined && isAlive(place.pid)) found.set(name.slice(0, -".json".length), place);
    else rmSync(file, { force: true });
  }
  return found;
}

/**
 * Where the service runs on this machine: at this port, or at its only one.
 * @throws Unreachable if it does not run, or not at this port; Usage if the port is ambiguous
 */
export function runningAt(port: string | undefined, folder = runningPlaces): RunningPlace {
  const places = placesIn(folder);
  const [first] = places.values();
  const place = port === undefined && places.size === 1 ? first : places.get(port ?? "");
  if (place !== undefined) return place;
  if (places.size === 0)
    throw new Unreachable("Nothing runs on this machine: start the service with npm start.");
  const ports = [...places.keys()].join(", ");
  if (port !== undefined)
    throw new Unreachable(
      `Nothing runs at port ${port}. The service runs at ${ports}: name that with --port.`,
    );
  throw new Usage(`The service runs at the ports ${ports}: name one with --port.`);
}
