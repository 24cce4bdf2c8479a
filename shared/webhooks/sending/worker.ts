import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { loopbackVariable, webhooksOff } from "../../lambda/contract.ts";
import { database } from "../../lambda/database.ts";
import { beginHandler } from "../../lambda/handler.ts";
import { logger } from "../../lambda/log.ts";
import { sendMetrics } from "../../lambda/metrics.ts";
import { type DispatchContext, type DispatchFigures, runDispatch, totalFigures } from "./dispatch.ts";
import { post, postTimeoutMs } from "./post.ts";
import { enqueueDispatch, parseDispatchRequest } from "./queue.ts";

/** What must remain of the worker's 30 s for a round to begin: the longest post, and what is stored before and after. */
const minRemainingMs = postTimeoutMs + 5_000;

/**
 * The Lambda handler of the sender. The webhooks of a batch are looked after side by side, so a slow receiver delays none of
 * them. A message that fails goes back to the queue alone.
 */
export const senderLambda = () =>
  beginHandler<SQSEvent, SQSBatchResponse>().handler(async ({ Records }, context) => {
    const visitor: DispatchContext = {
      db: await database(),
      post: (url, headers, body) => post(url, { headers, body }, { loopback: isLocal() }),
      clock: Date.now,
      hasTime: () => context.getRemainingTimeInMillis() > minRemainingMs,
      wakeAgain: (webhook, milliseconds) => enqueueDispatch([webhook], milliseconds),
    };
    const texts = new Set(Records.map(({ body }) => body));
    const failed = new Set<string>();
    const figures = await Promise.all(
      [...texts].map(async (text): Promise<readonly DispatchFigures[]> => {
        try {
          return [await runDispatch(visitor, parseDispatchRequest(text))];
        } catch (error) {
          logger.error("webhook not looked after", { error });
          failed.add(text);
          return [];
        }
      }),
    );
    report(totalFigures(figures.flat()));
    const back = Records.filter(({ body }) => failed.has(body));
    return { batchItemFailures: back.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  });

const isLocal = (): boolean => process.env[loopbackVariable] === "allowed";

function report({ delivered, failed, disabled }: DispatchFigures): void {
  logger.info("webhooks", { delivered, failed, disabled });
  const values = { webhook_deliveries: delivered, webhook_failures: failed, [webhooksOff]: disabled };
  sendMetrics({ unit: "Count", values });
}
