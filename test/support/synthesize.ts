import type { TestProject } from "vitest/node";
import { synthesize } from "../../infra/synthesize.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder of the cloud assembly that this run tests. */
    assembly: string;
  }
}

/** Bundles and synthesizes once a run; every integration test boots what came of it. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide("assembly", await synthesize());
}
