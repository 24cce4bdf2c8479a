import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { synthesize } from "../../../infra/synthesize.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder of the cloud assembly that this run tests. */
    assembly: string;
    /**
     * Where the instances of this run find what another has compiled, since a run starts about a thousand.
     */
    compileCache: string;
  }
}

/** The projects whose tests read or boot what is synthesized. */
const users: ReadonlySet<string> = new Set(["infra", "integration"]);

/**
 * Bundles and synthesizes once a run, without a trace of AWS around it; not for a run of unit tests alone.
 * Workers and the processes that tests start share what Node compiles, too.
 */
export default async function setup(root: TestProject): Promise<() => void> {
  const compileCache = mkdtempSync(join(tmpdir(), "test-compiled-"));
  process.env["NODE_COMPILE_CACHE"] = compileCache;
  root.provide("compileCache", compileCache);
  if (root.vitest.projects.some(({ name }) => users.has(name))) {
    for (const name of Object.keys(process.env)) if (/^(AWS|CDK)_/.test(name)) delete process.env[name];
    root.provide("assembly", await synthesize());
  }
  return () => rmSync(compileCache, { recursive: true, force: true });
}
