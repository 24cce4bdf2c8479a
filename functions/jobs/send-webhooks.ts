import type { WorkerContract } from "../../shared/lambda/contract.ts";
import { webhookJobs } from "../../shared/webhooks/sending/wake.ts";
import { senderLambda } from "../../shared/webhooks/sending/worker.ts";

/** Sends events to the receivers of webhooks. No other function can read the secrets that it signs with. */
export const worker: WorkerContract = {
  type: "worker",
  job: webhookJobs,
  messages: "wake-ups",
  access: { webhooks: "write", secrets: ["read", "remove"], events: "read" },
  sends: [webhookJobs],
};

export const handler = senderLambda();
