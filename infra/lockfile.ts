/**
 * `npm run lockfile`, due after every `npm install`: takes out of package-lock.json what makes `npm ci` warn for nothing.
 *
 * npm compares each package's `engines` with the Node that npm itself runs on. Here packages never run on that one:
 * the scripts use the Node that is a dependency, which is newer. What that Node does not suit stays in, and a test
 * compares it with every package that is installed.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const root = join(import.meta.dirname, "..");
const file = join(root, "package-lock.json");

/** The oldest Nodes that may run `npm ci`. */
export const installers = ["20.19.0", "22.13.0"];

const projectSchema = z.object({ devDependencies: z.object({ node: z.string() }) });

/** The version of the Node that runs everything. */
export const ownNode = (): string =>
  projectSchema.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8"))).devDependencies.node;

const numbers = (version: string): readonly number[] => {
  const parts = version.split(".").filter((part) => part !== "x" && part !== "*");
  return [0, 1, 2].map((place) => Number(parts[place] ?? 0));
};

const compare = (one: string, other: string): number => {
  const right = numbers(other);
  return numbers(one).reduce((found, number, place) => found || number - (right[place] ?? 0), 0);
};

const meets = (version: string, comparator: string): boolean => {
  const [, sign, bound = ""] = /^(>=|<|\^|)\s*([\d.x*]+)$/.exec(comparator) ?? [];
  if (sign === undefined) throw new Error(`"${comparator}" is no known way to state an engine.`);
  if (bound === "*") return true;
  if (sign === "<") return compare(version, bound) < 0;
  const sameMajor = numbers(version)[0] === numbers(bound)[0];
  return compare(version, bound) >= 0 && (sign === ">=" || sameMajor);
};

/** Whether a version is in a range such as `^20.19.0 || >=22 <25`. @throws for what `engines` of no package state so far */
export const accepts = (range: string, version: string): boolean =>
  range.split("||").some((choice) => {
    const comparators = choice
      .replaceAll(/([<>=^])\s+/g, "$1")
      .trim()
      .split(/\s+/);
    return comparators.every((comparator) => meets(version, comparator));
  });

/** Records, because those keep the order of their keys. */
const entrySchema = z.record(z.string(), z.unknown());
const lockSchema = z.object({ packages: z.record(z.string(), entrySchema) });
const engineSchema = z.object({ node: z.string() });

/** The Node that a package asks for; any, if it does not say. */
export const engineOf = (engines: unknown): string => engineSchema.safeParse(engines).data?.node ?? "*";

/** The lockfile's text without the engines that only refuse the Node of an installer. */
export const withoutInstallersEngines = (text: string): string => {
  const lock = entrySchema.parse(JSON.parse(text));
  const kept = Object.entries(lockSchema.parse(lock).packages).map(([name, entry]) => {
    const range = engineOf(entry["engines"]);
    const warns = installers.some((version) => !accepts(range, version)) && accepts(range, ownNode());
    const { engines, ...others } = entry;
    return [name, name !== "" && warns ? others : entry];
  });
  return `${JSON.stringify({ ...lock, packages: Object.fromEntries(kept) }, null, 2)}\n`;
};

export const readLockfile = (): string => readFileSync(file, "utf8");

if (import.meta.main) writeFileSync(file, withoutInstallersEngines(readLockfile()));
