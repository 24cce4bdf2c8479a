import { join } from "node:path";

/** Paths of files that are made from the sources and never committed. */

export const projectRoot = join(import.meta.dirname, "..");

/** The folder in which `npm run build` leaves the bundles. */
export const defaultBundles = join(projectRoot, "dist", "functions");

/** The cloud assembly of `npm start`, `npm run synth` and the tests. */
export const defaultAssembly = join(projectRoot, "cdk.out");

/** `npm ci` empties it. */
const cache = join(projectRoot, "node_modules", ".cache");

/** Where Node keeps what it compiled, so that the next start is spared it. */
export const compileCache = join(cache, "compile");

/**
 * Holds the digest of the sources that the bundles and the assembly are made of. It is there only while both
 * are so.
 */
export const synthesizedMark = join(cache, "synthesized");

/** Holds a file for each service that `npm start` runs just now, which says where it is. */
export const runningServices = join(cache, "running");
