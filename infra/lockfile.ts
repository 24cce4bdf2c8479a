/**
 * `npm run lockfile`, to be run after every `npm install`: removes the `engines` from package-lock.json that
 * make `npm ci` warn for no reason.
 *
 * npm compares the `engines` of each package with the Node that runs npm. Packages never run on that Node
 * here: the scripts use a newer Node, which is a dependency. A test compares that Node with every installed
 * package.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import semver from "semver";
import * as z from "zod";
import { projectRoot } from "./paths.ts";

const file = join(projectRoot, "package-lock.json");

/** The oldest Nodes that may run `npm ci`. */
export const installers = ["20.19.0", "22.13.0"];

const projectSchema = z.object({ devDependencies: z.object({ node: z.string() }) });

/** The version of the Node that runs everything. */
export const ownNode = (): string =>
  projectSchema.parse(JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"))).devDependencies
    .node;

/** Records, because they keep the order of their keys. */
const entrySchema = z.record(z.string(), z.unknown());
const lockSchema = z.object({ packages: z.record(z.string(), entrySchema) });
const engineSchema = z.object({ node: z.string() });

/** The range of Node versions that a package requires. A package without one runs on any. */
export const engineOf = (engines: unknown): string => engineSchema.safeParse(engines).data?.node ?? "*";

/** The lockfile's text without the engines that reject only an installer's Node. */
export const withoutInstallersEngines = (text: string): string => {
  const lock = entrySchema.parse(JSON.parse(text));
  const kept = Object.entries(lockSchema.parse(lock).packages).map(([name, entry]) => {
    const range = engineOf(entry["engines"]);
    const warns =
      installers.some((version) => !semver.satisfies(version, range)) && semver.satisfies(ownNode(), range);
    const { engines, ...others } = entry;
    return [name, name !== "" && warns ? others : entry];
  });
  return `${JSON.stringify({ ...lock, packages: Object.fromEntries(kept) }, null, 2)}\n`;
};

export const readLockfile = (): string => readFileSync(file, "utf8");

if (import.meta.main) writeFileSync(file, withoutInstallersEngines(readLockfile()));
