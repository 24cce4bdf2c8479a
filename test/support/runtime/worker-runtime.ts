import { inject } from "vitest";
import { type Renewal, type Runtime, startRuntime } from "../../../infra/local/index.ts";
import { loopbackVariable } from "../../../shared/runtime/shared-names.ts";
import { hotKeyAfter } from "../../../shared/store/dynamodb/sharded-counter.ts";
import { keepPermissions } from "./permissions.ts";

/**
 * Each function has at most two instances unless a file requests more, since more would wait for the
 * processors. None is replaced by another. Tables have streams only if a file requests `streams`, because
 * they make every write slower. Failed messages are received again at once. Schedules run only when a test
 * runs them: on slow machines, they would run while a test counts calls.
 */
const modest = { instancesPerFunction: 2, streams: false, schedules: false, redeliversAtOnce: true };

/** What a file may ask of a runtime. */
export interface Wishes extends Renewal {
  /** Variables that all functions have besides; instances that have run before do not know them. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A runtime whose tables are empty, and which is paused. */
const start = ({ cold: _, environment, ...options }: Wishes): Promise<Runtime> =>
  startRuntime({
    assembly: inject("assembly"),
    dynamodbEndpoint: inject("dynamodbEndpoint"),
    compileCache: inject("compileCache"),
    environment: { [loopbackVariable]: "allowed", ...environment },
    liveInstances: 150,
    ...modest,
    ...options,
    paused: true,
  });

const end = (runtime: Runtime): Promise<void> => {
  keepPermissions(runtime);
  return runtime.stop();
};

/** The runtime that this worker keeps from one file to the next; a worker runs one file at a time. */
let kept: Promise<Runtime> | undefined;
/** Whether a file has it now. */
let isTaken = false;
/** Whether transactions were made to conflict since it began anew. */
let hasConflicts = false;

/** What publishes events remembers those of each account, whose next events may have the same ids. */
const publisher = "events/publish-events";

/**
 * The functions that may remember hot keys, since so many transactions of one invocation were refused. Items
 * of the next file may have the same keys, which are not hot.
 */
function withHotKeys(runtime: Runtime): readonly string[] {
  if (!hasConflicts) return [];
  const refused = runtime.calls().filter(({ error }) => error?.startsWith("Transaction"));
  const invocations = [...Map.groupBy(refused, ({ requestId }) => requestId).values()];
  return invocations
    .filter(({ length }) => length >= hotKeyAfter)
    .flatMap((calls) => calls.map((call) => call.function));
}

/** The kept runtime, begun anew. The first file of a worker starts it, and it stops after the last one. */
async function renewed({ cold = new Set(), ...tuning }: Renewal): Promise<Runtime> {
  if (kept === undefined) {
    kept = start(tuning);
    globalThis.endOfWorker.push(async () => kept && end(await kept));
    return kept;
  }
  const runtime = await kept;
  const anew = new Set([publisher, ...withHotKeys(runtime), ...cold]);
  await runtime.renew({ cold: anew, ...modest, ...tuning });
  hasConflicts = false;
  return runtime;
}

/** The same runtime, which is given back instead of stopped. */
const lent = (runtime: Runtime): Runtime => ({
  ...runtime,
  get dynamodb() {
    return runtime.dynamodb;
  },
  faults: {
    ...runtime.faults,
    add: (rule) => {
      hasConflicts ||= rule.effect === "conflict";
      return runtime.faults.add(rule);
    },
  },
  raiseConflicts: (on) => {
    hasConflicts ||= on;
    runtime.raiseConflicts(on);
  },
  stop: async () => {
    isTaken = false;
    runtime.faults.clear();
    // Between two files nothing has to be called.
    void runtime.pause();
  },
});

/**
 * A runtime whose tables are empty, for one file alone; it is paused. Whoever takes it must stop it. It is
 * the one that this worker keeps, since functions that have run before answer many times sooner. Where that
 * one is taken or would not do, the file gets another.
 */
export async function takeRuntime(wishes: Wishes = {}): Promise<Runtime> {
  if (isTaken || wishes.environment !== undefined) {
    const runtime = await start(wishes);
    return { ...runtime, stop: () => end(runtime) };
  }
  isTaken = true;
  try {
    return lent(await renewed(wishes));
  } catch (error) {
    isTaken = false;
    throw error;
  }
}
