/**
 * Checkouts of released states. A release is the commit that froze its folder in `test/releases`: nothing
 * changes that afterwards.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../infra/paths.ts";

export interface Release {
  readonly version: string;
  /** Where its sources lie, ready to be synthesized; undefined if its commit is yet to be made. */
  readonly checkout: string | undefined;
}

const folder = "test/releases";

const git = (...words: readonly string[]): string =>
  execFileSync("git", words, { cwd: projectRoot, encoding: "utf8" }).trim();

/** Versions in rising order; `1.10.0` comes behind `1.9.0`. */
const releasedVersions = (): readonly string[] => {
  const at = join(projectRoot, folder);
  const versions = existsSync(at) ? readdirSync(at).filter((name) => /^\d+\.\d+\.\d+$/.test(name)) : [];
  return versions.toSorted(new Intl.Collator("en", { numeric: true }).compare);
};

/** The last release, which is not checked out. */
export function lastRelease(): Release {
  const version = releasedVersions().at(-1);
  if (version === undefined) throw new Error(`${folder} has no release.`);
  return { version, checkout: undefined };
}

/** Checks the last release out below `scratch`. @throws in a shallow clone, which may lack its commit */
export function checkOutLastRelease(scratch: string): Release {
  const { version } = lastRelease();
  // The oldest commit of such a clone seems to add every file, so it would pass for the release.
  if (git("rev-parse", "--is-shallow-repository") === "true")
    throw new Error(
      `This clone is shallow. The commit of release ${version} is needed: run git fetch --unshallow, ` +
        "or npm run rehearse -- --from-here, which upgrades this checkout to itself.",
    );
  const commit = git("log", "--format=%H", "--max-count=1", "--", `${folder}/${version}`);
  if (commit === "") return lastRelease();
  const checkout = join(scratch, `release-${version}`);
  git("clone", "--quiet", "--shared", "--no-checkout", projectRoot, checkout);
  execFileSync("git", ["checkout", "--quiet", commit], { cwd: checkout });
  installFor(checkout);
  return { version, checkout };
}

/** Gives a checkout its packages: this checkout's, if the lockfile is the same. */
function installFor(checkout: string): void {
  const [there, here] = [checkout, projectRoot].map((root) =>
    readFileSync(join(root, "package-lock.json"), "utf8"),
  );
  if (there === here) symlinkSync(join(projectRoot, "node_modules"), join(checkout, "node_modules"));
  else
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], {
      cwd: checkout,
      stdio: ["ignore", "ignore", "inherit"],
    });
}
