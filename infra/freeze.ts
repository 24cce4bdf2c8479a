/**
 * `npm run release:freeze`, a part of each release: records what the functions of this version may reach, beside what those of
 * the release before may. Run it again if the version changes before it is released.
 */
import { writeFileSync } from "node:fs";
import { functions } from "../functions/index.ts";
import { together } from "../shared/store/access.ts";
import { entriesOf } from "./constructs/catalog.ts";
import { type Release, readReleases, releasesFile, statedPermissions, version } from "./released.ts";

/** What the functions of this version may reach. Access is written out, so that it compares. */
export const currentRelease = (): Release =>
  Object.fromEntries(
    entriesOf(functions).map((entry) => {
      const { access, sends, secret } = statedPermissions(entry);
      return [entry.key, { access: together(access), sends: sends.toSorted(), secret }];
    }),
  );

/** A line for each function. */
const written = (release: Release): string =>
  `{\n${Object.entries(release)
    .map(([key, permissions]) => `    ${JSON.stringify(key)}: ${JSON.stringify(permissions)}`)
    .join(",\n")}\n  }`;

if (import.meta.main) {
  const [before] = Object.entries(readReleases()).filter(([released]) => released !== version);
  const kept = [[version, currentRelease()] as const, ...(before === undefined ? [] : [before])];
  const texts = kept.map(([name, release]) => `  ${JSON.stringify(name)}: ${written(release)}`);
  writeFileSync(releasesFile, `{\n${texts.join(",\n")}\n}\n`);
}
