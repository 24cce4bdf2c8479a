import type { WorkerContract } from "../../shared/lambda/contract.ts";
import { webhookQueue } from "../../shared/webhooks/sending/queue.ts";
import { senderLambda } from "../../shared/webhooks/sending/worker.ts";

/** Sends events to the receivers of webhooks. No other function can read the secrets that it signs with. */
export const worker: WorkerContract = {
  type: "worker",
  job: webhookQueue,
  messages: "wake-ups",
  access: { webhooks: "write", secrets: ["read", "remove"], events: "read" },
  sends: [webhookQueue],
};

export const handler = senderLambda();
