/** What goes wrong in the soak, spread over it by chance. */
import type { Fault, FaultEffect, Runtime } from "../../../infra/local/index.ts";
import { pick, whole } from "../../support/http/random.ts";

/**
 * Shares of the messages that are delivered twice, and that meet a fault in their worker; of the calls, that
 * lose theirs.
 */
const [duplicates, faults, losses] = [0.05, 0.02, 0.02];

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

/** Has batches sent twice, of so many messages in all. */
export function duplicateSome(runtime: Runtime, messages: number, random: () => number): readonly Fault[] {
  const batches = Math.ceil(messages / batchSize);
  return Array.from({ length: Math.ceil(batches * duplicates) }, () =>
    runtime.faults.add({
      effect: "duplicate",
      operation: "SendMessageBatch",
      skip: whole(random, 0, Math.floor(batches * 0.8)),
    }),
  );
}

/** Which of the calls lose their messages: at least one. */
export function losing(calls: number, random: () => number): ReadonlySet<number> {
  const lost = Math.max(1, Math.floor(calls * losses));
  return new Set(Array.from({ length: lost }, () => whole(random, 0, calls - 1)));
}

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
