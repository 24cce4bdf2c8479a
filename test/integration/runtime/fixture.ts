import { afterAll, beforeAll, inject } from "vitest";
import { type Runtime, type RuntimeOptions, startRuntime } from "../../../infra/local/index.ts";
import { temporaryFolder, writeAssembly } from "./assembly.ts";
import { Direct } from "./direct.ts";
import { changeKeeper, countingWorker } from "./handlers.ts";
import type { FixtureFunction } from "./resources.ts";
import { stepsFor } from "./steps.ts";

/** Counts the messages of the queue that it is called with. */
export const worker: FixtureFunction = {
  code: countingWorker,
  tableActions: ["UpdateItem"],
  queueActions: ["ReceiveMessage", "DeleteMessage", "GetQueueAttributes"],
  consumesQueue: true,
};

/** Keeps what it is told of the changes of some items. */
export const keeper: FixtureFunction = {
  code: changeKeeper,
  tableActions: ["UpdateItem", "GetItem"],
  streamActions: ["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"],
  queueActions: ["SendMessage"],
  changesOf: ["order#", "stock#"],
  // A batch that timed out on a busy machine would be told twice.
  timeoutSeconds: 50,
};

/** A runtime of these functions, and what looks into its data and calls them. */
export interface Running {
  readonly runtime: Runtime;
  readonly direct: Direct;
  readonly steps: ReturnType<typeof stepsFor>;
}

/** Starts a runtime of these functions for a test file, and stops it at the file's end. It is there from the first test on. */
export function running(
  functions: Readonly<Record<string, FixtureFunction>>,
  options: Partial<RuntimeOptions> = {},
): () => Running {
  const { folder, remove } = temporaryFolder();
  let started: Running | undefined;
  beforeAll(async () => {
    const assembly = writeAssembly(folder, functions);
    const dynamodbEndpoint = inject("dynamodbEndpoint");
    const runtime = await startRuntime({ assembly, dynamodbEndpoint, ...options });
    started = { runtime, direct: new Direct(runtime), steps: stepsFor(runtime) };
  }, 60_000);
  afterAll(async () => {
    started?.direct.close();
    await started?.runtime.stop();
    remove();
  }, 30_000);
  return () => {
    if (started === undefined) throw new Error("the runtime has not started");
    return started;
  };
}
