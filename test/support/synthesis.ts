import type { TestProject } from "vitest/node";
import { synthesize } from "../../infra/synthesize.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder of the cloud assembly that this run tests. */
    assembly: string;
  }
}

/** The projects whose tests read or boot what is synthesized. */
const users: ReadonlySet<string> = new Set(["infra", "integration"]);

/** Bundles and synthesizes once a run, without a trace of AWS around it; not for a run of unit tests alone. */
export default async function setup(root: TestProject): Promise<void> {
  if (!root.vitest.projects.some(({ name }) => users.has(name))) return;
  for (const name of Object.keys(process.env)) if (/^(AWS|CDK)_/.test(name)) delete process.env[name];
  root.provide("assembly", await synthesize());
}
