/** What goes wrong in the soak, spread over it by chance. */
import type { Fault, FaultEffect, Runtime } from "../../../infra/local/index.ts";
import { pick, whole } from "../../support/http/random.ts";
import { shuffled } from "./ask.ts";

/**
 * Shares of the calls whose messages are delivered twice, and of those that lose theirs; of the messages,
 * that meet a fault in their worker.
 */
const [duplicates, losses, faults] = [0.05, 0.02, 0.02];

/** SQS's limit of messages in one call, and the attempts that the service makes to send a batch. */
const [batchSize, sendAttempts] = [10, 3];

/** What may strike a function that stores something. */
export const effects: readonly FaultEffect[] = [
  "kill-before",
  "kill-during",
  "kill-after",
  "conflict",
  "throttle",
  "error",
  "lose-response",
];

/**
 * The positions of the calls that lose their messages, and of others that send theirs twice: at least one.
 */
export function troubledCalls(
  calls: number,
  random: () => number,
): { readonly losing: ReadonlySet<number>; readonly doubling: ReadonlySet<number> } {
  const positions = shuffled([...Array(calls).keys()], random);
  const [lost = 1, doubled = 1] = [losses, duplicates].map((share) => Math.max(1, Math.floor(calls * share)));
  return {
    losing: new Set(positions.slice(0, lost)),
    doubling: new Set(positions.slice(lost, lost + doubled)),
  };
}

/** Sends a batch of messages of one call twice. */
export const doubleMessages = (runtime: Runtime): Fault =>
  runtime.faults.add({ effect: "duplicate", operation: "SendMessageBatch" });

/** Loses the messages of one call of so many jobs. */
export const loseMessages = (runtime: Runtime, jobs: number): Fault =>
  runtime.faults.add({
    effect: "drop",
    operation: "SendMessageBatch",
    times: Math.ceil(jobs / batchSize) * sendAttempts,
  });

/** Lets the transactions of a worker that takes so many messages fail in every way there is. */
export function troubleWorker(
  runtime: Runtime,
  worker: string,
  messages: number,
  random: () => number,
): readonly Fault[] {
  return Array.from({ length: Math.ceil(messages * faults) }, () =>
    runtime.faults.add({
      effect: pick(random, effects),
      function: worker,
      operation: "TransactWriteItems",
      skip: whole(random, 0, Math.floor(messages * 0.9)),
    }),
  );
}
