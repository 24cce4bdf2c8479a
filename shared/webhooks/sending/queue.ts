import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { logger } from "../../runtime/log.ts";
import { sendTexts } from "../../runtime/send-messages.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { webhooksOf, withProgress } from "../webhook-repository.ts";

/** The job kind whose queue carries wake-ups. */
export const webhookQueue = "webhook";

/** A wake-up names a webhook to check. What to send is read from the tables. */
const wakeUp = z.object({ account_id: primitive.int, webhook_id: primitive.int });
export type WakeUp = z.output<typeof wakeUp>;

/** Parses the text of a message. @throws if it is not a wake-up */
export const parseWakeUp = (text: string): WakeUp => z.parse(wakeUp, JSON.parse(text));

/** Below the message age that raises an alarm. The schedule wakes webhooks that must wait longer. */
const maxDelayMs = 400_000;

/** Never throws: once a minute the schedule wakes all webhooks that have something to send. */
export async function wakeWebhooks(webhooks: readonly WakeUp[], milliseconds?: number): Promise<void> {
  if (milliseconds !== undefined && milliseconds > maxDelayMs) return;
  const texts = webhooks.map((one) => JSON.stringify(z.parse(wakeUp, one)));
  const delay = milliseconds === undefined ? undefined : Math.max(1, Math.ceil(milliseconds / 1000));
  const lost = await sendTexts(webhookQueue, texts, delay);
  if (lost.length > 0) logger.warn("webhooks not woken; the schedule will", { count: lost.length });
}

/** Wakes a webhook, unless in a dry run. */
export const wakeWebhook = ({ dryRun }: Pick<Database, "dryRun">, webhook: WakeUp): Promise<void> =>
  wakeWebhooks(dryRun === undefined ? [webhook] : []);

/**
 * Wakes an account's webhooks, except those being probed. Never throws. The function's `sends` must include
 * `webhook`, and its `access` the table `webhooks`.
 */
export async function wakeWebhooksOf(db: Database, accountId: number): Promise<void> {
  try {
    const active = (await webhooksOf(db, accountId)).filter((webhook) => webhook.active);
    if (active.length === 0) return;
    const found = await withProgress(db, active);
    await wakeWebhooks(
      found.filter(({ progress }) => progress.probe_at === null).map(({ webhook }) => webhook),
    );
  } catch (error) {
    logger.warn("webhooks not woken; the schedule will", { account_id: accountId, error });
  }
}
