/**
 * `npm run lockfile`, due after every `npm install`: removes the `engines` from package-lock.json that make
 * `npm ci` warn for no reason.
 *
 * npm compares the `engines` of each package with the Node that npm itself runs on. Here packages never run
 * on that one: the scripts use the Node that is a dependency, which is newer. A test compares that Node with
 * every installed package.
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

/** Records, because those keep the order of their keys. */
const entrySchema = z.record(z.string(), z.unknown());
const lockSchema = z.object({ packages: z.record(z.string(), entrySchema) });
const engineSchema = z.object({ node: z.string() });

/** The range of Node versions that a package requires; any, if it states none. */
export const engineOf = (engines: unknown): string => engineSchema.safeParse(engines).data?.node ?? "*";

/** The lockfile's text without the engines that reject nothing but an installer's Node. */
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
