/**
 * The bundles of the bench: the service's as they are deployed, and those of the handlers that are written by
 * hand.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { functions } from "../../../functions/index.ts";
import { bundleFolder, bundling } from "../../../infra/bundle/bundle.ts";
import { projectRoot } from "../../../infra/paths.ts";

/** The bundle of a function of the service, which `synthesize` has made. */
export const bundleOf = (key: string): string => join(bundleFolder(key), "index.mjs");

export const allBundles = (): ReadonlyMap<string, string> =>
  new Map(Object.keys(functions).map((key) => [key, bundleOf(key)]));

export interface BareBundles {
  bundleOf(name: "ping" | "get-order" | "floor"): string;
  remove(): void;
}

/** Bundles what is written by hand, with the options that the service's functions are bundled with. */
export function bundleBare(): BareBundles {
  const outdir = mkdtempSync(join(tmpdir(), "bare-"));
  const entryPoints = [join(import.meta.dirname, "bare", "*.ts")];
  buildSync({ ...bundling, absWorkingDir: projectRoot, entryPoints, outdir });
  return {
    bundleOf: (name) => join(outdir, `${name}.mjs`),
    remove: () => rmSync(outdir, { recursive: true, force: true }),
  };
}
