import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import type { WorkerContract } from "../../shared/runtime/contract.ts";
import { database } from "../../shared/runtime/database.ts";
import { beginHandler } from "../../shared/runtime/handler.ts";
import { logger } from "../../shared/runtime/log.ts";
import { sendMetrics } from "../../shared/runtime/metrics.ts";
import { loopbackVariable, webhooksOff } from "../../shared/runtime/shared-names.ts";
import { type DispatchContext, runDispatch } from "../../shared/webhooks/sending/dispatch.ts";
import { post, postTimeoutMs } from "../../shared/webhooks/sending/post.ts";
import { parseWakeUp, wakeWebhooks, webhookQueue } from "../../shared/webhooks/sending/queue.ts";

/** Sends events to the receivers of webhooks. No other function can read the secrets with which it signs. */
export const worker: WorkerContract = {
  type: "worker",
  job: webhookQueue,
  messages: "wake-ups",
  access: { webhooks: "write", secrets: ["read", "remove"], events: "read" },
  sends: [webhookQueue],
};

/**
 * Time left of the worker's 30 s below which no batch begins. It covers the longest post and the reads and
 * writes around it.
 */
const minRemainingMs = postTimeoutMs + 5_000;

export const handler = beginHandler<SQSEvent, SQSBatchResponse>().handler(async ({ Records }, context) =>
  dispatchAll(Records, {
    db: await database(),
    post: (url, sent) => post(url, sent, { loopback: process.env[loopbackVariable] === "allowed" }),
    clock: Date.now,
    hasTime: () => context.getRemainingTimeInMillis() > minRemainingMs,
    wakeAgain: (webhook, delayMs) => wakeWebhooks([webhook], delayMs),
  }),
);

/**
 * Processes the webhooks of a batch of messages concurrently, so that a slow receiver does not delay the
 * others. If a message fails, only that message returns to the queue.
 */
export async function dispatchAll(
  records: readonly SQSRecord[],
  dispatch: DispatchContext,
): Promise<SQSBatchResponse> {
  const figures = { delivered: 0, failed: 0, disabled: 0 };
  const failedTexts = new Set<string>();
  const run = async (text: string): Promise<void> => {
    try {
      const { delivered, failed, disabled } = await runDispatch(dispatch, parseWakeUp(text));
      figures.delivered += delivered;
      figures.failed += failed;
      figures.disabled += disabled;
    } catch (error) {
      logger.error("webhook dispatch failed", { error, message: text });
      failedTexts.add(text);
    }
  };
  await Promise.all([...new Set(records.map(({ body }) => body))].map(run));
  logger.info("webhooks", figures);
  const { delivered, failed, disabled } = figures;
  const values = { webhook_deliveries: delivered, webhook_failures: failed, [webhooksOff]: disabled };
  sendMetrics({ unit: "Count", values });
  const failures = records.filter(({ body }) => failedTexts.has(body));
  return { batchItemFailures: failures.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}
