/**
 * A part of `npm run release:freeze`: records the permissions of this version's functions beside those of the
 * release before.
 */
import { writeFileSync } from "node:fs";
import { functions } from "../../functions/index.ts";
import { mergeAccess } from "../../shared/store/access.ts";
import { catalogEntries } from "../catalog.ts";
import { type Release, readReleases, releasesFile, statedPermissions, version } from "./released.ts";

/** The permissions of this version's functions. Access is expanded, so that releases can be compared. */
export const currentRelease = (): Release =>
  Object.fromEntries(
    catalogEntries(functions).map((entry) => {
      const { access, sends, secret } = statedPermissions(entry);
      return [entry.key, { access: mergeAccess(access), sends: sends.toSorted(), secret }];
    }),
  );

const written = (release: Release): string =>
  `{\n${Object.entries(release)
    .map(([key, permissions]) => `    ${JSON.stringify(key)}: ${JSON.stringify(permissions)}`)
    .join(",\n")}\n  }`;

/**
 * @param released the versions that were released, in any order; other recorded versions were never released
 */
export function freezePermissions(released: readonly string[]): void {
  const [before] = Object.entries(readReleases()).filter(
    ([recorded]) => recorded !== version && released.includes(recorded),
  );
  const kept = [[version, currentRelease()] as const, ...(before === undefined ? [] : [before])];
  const texts = kept.map(([name, release]) => `  ${JSON.stringify(name)}: ${written(release)}`);
  writeFileSync(releasesFile, `{\n${texts.join(",\n")}\n}\n`);
}
