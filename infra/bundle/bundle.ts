import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { functions } from "../../functions/index.ts";
import { routesOf } from "../../shared/runtime/contract.ts";
import { writeFiles } from "../documents/pages/files.ts";
import { defaultBundles, projectRoot, synthesizedMark } from "../paths.ts";
import { lighterBundles } from "./lighter-bundles.ts";

/**
 * The folder of one function's bundle, which is the function's asset. It holds only `index.mjs` and, for a
 * page, the folder `files`.
 */
export const bundleFolder = (key: string, bundles = defaultBundles): string => join(bundles, flat(key));

/** The bundle of the function that records deployments, which only the stacks call. */
export const deploymentRecordKey = "deployment-record";

const flat = (key: string): string => key.replaceAll("/", "-");

/** esbuild's options for every bundle. */
export const bundling = {
  outExtension: { ".js": ".mjs" },
  bundle: true,
  splitting: false,
  minify: true,
  format: "esm",
  platform: "node",
  target: "node24",
  mainFields: ["module", "main"],
  /** See `lambda-credentials.ts`. */
  alias: { "@aws-sdk/credential-provider-node": "./infra/bundle/lambda-credentials.ts" },
  legalComments: "none",
  sourcemap: false,
  logLevel: "warning",
} as const satisfies BuildOptions;

interface BundleOptions {
  /** The folder to fill. It is emptied first, so that the bundle of a deleted function is never deployed. */
  readonly outdir?: string;
  /** The checkout to bundle. */
  readonly root?: string;
  /** The functions to bundle; all by default. Other bundles are deleted from `outdir`. */
  readonly keys?: readonly string[];
}

/**
 * Bundles the functions of the list with one esbuild call.
 *
 * The same commit gives the same bytes on every machine, so an unchanged function keeps its asset hash and is
 * not deployed again. Bundles carry no source maps: to get the map of a deployed bundle, bundle its commit
 * again.
 */
export const bundle = async ({
  outdir = defaultBundles,
  root = projectRoot,
  keys = Object.keys(functions),
}: BundleOptions = {}): Promise<void> => {
  if (new Set(keys.map(flat)).size < keys.length)
    throw new Error("Two functions would share a bundle: a/b-c and a-b/c.");
  if (outdir === defaultBundles) rmSync(synthesizedMark, { force: true });
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  const deploymentRecord = { [`${deploymentRecordKey}/index`]: join("infra", "deployment-record.ts") };
  await build({
    ...bundling,
    absWorkingDir: root,
    outdir,
    entryPoints: { ...entries(keys), ...deploymentRecord },
    plugins: [withServedRoutes, lighterBundles],
  });
  for (const [key, contract] of Object.entries(functions))
    if (contract.type === "page" && keys.includes(key))
      await writeFiles(contract, join(bundleFolder(key, outdir), "files"));
};

/** A bundle for debugging. */
interface DebuggedBundle {
  readonly folder: string;
  /** The absolute paths of its sources, packages included. */
  readonly sources: readonly string[];
}

/**
 * Bundles one function with a source map, without minifying or lightening it, which takes a fraction of the
 * time.
 * @throws if it can't be bundled; the message says where and why
 */
export const bundleForDebugging = async (
  key: string,
  { root = projectRoot, outdir }: { readonly root?: string; readonly outdir: string },
): Promise<DebuggedBundle> => {
  const { metafile } = await build({
    ...bundling,
    minify: false,
    sourcemap: "linked",
    metafile: true,
    logLevel: "silent",
    absWorkingDir: root,
    outdir,
    entryPoints: entries([key]),
    plugins: [withServedRoutes],
  });
  const sources = Object.keys(metafile.inputs).map((path) => join(root, path));
  return { folder: bundleFolder(key, outdir), sources };
};

/** Every route, as the fallback needs it. */
const servedRoutes = Object.values(functions).flatMap((contract) =>
  contract.type === "endpoint" || contract.type === "page" || contract.type === "health-check"
    ? routesOf(contract).map(({ method, path }) => `${method} ${path}`)
    : [],
);

/** Provides the routes, which the fallback could import only with the code of all functions. */
const withServedRoutes: Plugin = {
  name: "served-routes",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/fallback\/served-routes\.ts$/ }, () => ({
      contents: `export const servedRoutes = ${JSON.stringify(servedRoutes)};`,
    })),
};

const entries = (keys: readonly string[]): Record<string, string> =>
  Object.fromEntries(keys.map((key) => [`${flat(key)}/index`, join("functions", `${key}.ts`)]));

/** The size of each function's bundle in bytes. */
export const bundleSizes = (bundles = defaultBundles): ReadonlyMap<string, number> =>
  new Map(
    Object.keys(functions).map((key) => [key, statSync(join(bundleFolder(key, bundles), "index.mjs")).size]),
  );

if (import.meta.main) {
  await bundle();
  for (const [key, bytes] of bundleSizes()) console.log(`${String(bytes).padStart(8)}  ${key}`);
}
