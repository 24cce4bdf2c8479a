import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { sendTexts } from "../../jobs/send.ts";
import { logger } from "../../lambda/log.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import type { Webhook } from "../webhook.ts";
import { webhooksOf, withProgress } from "../webhook-repository.ts";

/** The kind whose queue carries wake-ups, as the sender states it. */
export const webhookQueue = "webhook";

/** A wake-up: it says only which webhook is to be looked at. What is to be sent, the tables say. */
const wakeUp = z.object({ account_id: primitive.int, webhook_id: primitive.int });
export type DispatchRequest = z.output<typeof wakeUp>;

/** Reads the text of a message. @throws where it is no wake-up */
export const parseDispatchRequest = (text: string): DispatchRequest => z.parse(wakeUp, JSON.parse(text));

/**
 * The longest delay that a wake-up is given to the queue with, in milliseconds: below the age of messages that raises an
 * alarm. The schedule wakes who must wait longer.
 */
const maxDelayMs = 400_000;

/**
 * Wakes the sender for these webhooks, after so many milliseconds. Never throws: the schedule wakes each minute all that
 * have something to send.
 */
export async function enqueueDispatch(
  webhooks: readonly DispatchRequest[],
  milliseconds?: number,
): Promise<void> {
  if (milliseconds !== undefined && milliseconds > maxDelayMs) return;
  const texts = webhooks.map((one) => JSON.stringify(z.parse(wakeUp, one)));
  const delay = milliseconds === undefined ? undefined : Math.max(1, Math.ceil(milliseconds / 1000));
  const lost = await sendTexts(webhookQueue, texts, delay);
  if (lost.length > 0) logger.warn("webhooks not woken; the schedule will", { count: lost.length });
}

export const enqueueWebhook = (webhook: Pick<Webhook, "account_id" | "webhook_id">): Promise<void> =>
  enqueueDispatch([webhook]);

/**
 * Wakes an account's webhooks, as its feed has new events. Receivers that are just probed are left alone. Never throws: the
 * schedule wakes each minute all that lag. The function's `sends` must state `webhook`, and its `access` the table `webhooks`.
 */
export async function enqueueAccountWebhooks(db: Database, accountId: number): Promise<void> {
  try {
    const active = (await webhooksOf(db, accountId)).filter((webhook) => webhook.active);
    if (active.length === 0) return;
    const found = await withProgress(db, active);
    await enqueueDispatch(
      found.filter(({ progress }) => progress.probe_at === null).map(({ webhook }) => webhook),
    );
  } catch (error) {
    logger.warn("webhooks not woken; the schedule will", { account_id: accountId, error });
  }
}
