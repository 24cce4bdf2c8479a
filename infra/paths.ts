import { join } from "node:path";

/** Paths of files that are made from the sources and never committed. */

export const projectRoot = join(import.meta.dirname, "..");

/** The folder in which `npm run build` leaves the bundles. */
export const defaultBundles = join(projectRoot, "dist", "functions");

/** The cloud assembly of `npm start`, `npm run synth` and the tests. */
export const defaultAssembly = join(projectRoot, "cdk.out");

/** `npm ci` empties it. */
const cache = join(projectRoot, "node_modules", ".cache");

/** Where Node caches compiled code, so that the next start is faster. */
export const compileCache = join(cache, "compile");

/**
 * Holds the digest of the sources that the bundles and the assembly were made from. It exists only while both
 * are complete.
 */
export const synthesizedMark = join(cache, "synthesized");

/** Holds a file with the address of each service that `npm start` is running. */
export const runningServices = join(cache, "running");
