/**
 * What functions were allowed in the last release.
 *
 * A function has one role. While its new code is tried out, and until CloudFormation has replaced code that
 * is not tried out, the role serves the old code as well. So a role allows what this code states and what the
 * last release stated: a permission that a function gives up ends with the release after. Each version has an
 * environment of its own.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import project from "../../package.json" with { type: "json" };
import { type Access, mergeAccess, verbs } from "../../shared/store/access.ts";
import { tableNames, tableSchemas } from "../../shared/store/tables.ts";
import { accessOf } from "../access.ts";
import type { Entry } from "../catalog.ts";
import { projectRoot } from "../paths.ts";

/** What a function may reach: items, queues by their kind of job, and the secret that signs sessions. */
export interface Permissions {
  readonly access: Access;
  readonly sends: readonly string[];
  readonly secret: boolean;
}

export type Release = Readonly<Record<string, Permissions>>;

const permissions = z.strictObject({
  access: z.record(z.string(), z.record(z.string(), z.array(z.enum(verbs)))),
  sends: z.array(z.string()),
  secret: z.boolean(),
});

/** The permissions of each release by its version, latest first. `npm run release:freeze` writes the file. */
const releases = z.record(z.string(), z.record(z.string(), permissions));
export type Releases = z.output<typeof releases>;

/** The file stays where release 1.0.0 reads it: a downgrade checks it out of the newer release. */
export const releasesFile = join(projectRoot, "infra", "released-permissions.json");

export const readReleases = (): Releases => releases.parse(JSON.parse(readFileSync(releasesFile, "utf8")));

/** The version of the release that this code is or will become. */
export const { version } = project;

/**
 * The context value that limits roles to what this code states: `none`, if no code of a release runs beside
 * it.
 */
export const lastReleaseContext = "lastRelease";

/** The latest release other than `own`. Empty for the first release. */
export const lastRelease = (all: Releases = readReleases(), own = version): Release =>
  Object.entries(all).find(([released]) => released !== own)?.[1] ?? {};

export const statedPermissions = ({ contract, sends }: Pick<Entry, "contract" | "sends">): Permissions => ({
  access: accessOf(contract),
  sends,
  secret: contract.secret === true,
});

const places: ReadonlySet<string> = new Set(
  tableNames.flatMap((table) => [
    table,
    ...Object.keys(tableSchemas[table].indexes).map((index) => `${table}/${index}`),
  ]),
);

/** The part of an access whose tables and indexes still exist. */
const stillThere = (access: Access): Access =>
  Object.fromEntries(Object.entries(access).filter(([place]) => places.has(place)));

/** What a function's role allows: what the function states, and what it stated in the last release. */
export const withReleased = (own: Permissions, released: Permissions | undefined): Permissions =>
  released === undefined
    ? own
    : {
        access: mergeAccess(own.access, stillThere(released.access)),
        sends: [...new Set([...own.sends, ...released.sends])],
        secret: own.secret || released.secret,
      };
