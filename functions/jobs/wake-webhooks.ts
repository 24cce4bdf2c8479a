import { readFeedHead } from "../../shared/events/feed-repository.ts";
import { logger } from "../../shared/runtime/log.ts";
import { defineSchedule } from "../../shared/runtime/schedule.ts";
import type { Database } from "../../shared/store/dynamodb/database.ts";
import { hasWaiting } from "../../shared/webhooks/delivery-repository.ts";
import { wakeWebhooks, webhookQueue } from "../../shared/webhooks/sending/queue.ts";
import type { Webhook } from "../../shared/webhooks/webhook.ts";
import {
  allWebhooks,
  type ListedWebhook,
  type WebhookState,
} from "../../shared/webhooks/webhook-repository.ts";

/** Time left of a run's 50 s below which no further hundred webhooks begin. */
const minRemainingMs = 10_000;

/**
 * Wakes webhooks that lag behind their feed or have a delivery due, so a lost message is harmless. For each
 * webhook, a run reads its settings, its progress, its first waiting delivery and the head of its account's
 * feed: about two read units in all. If it can't read one of these, it wakes the others and fails, which
 * raises an alarm.
 */
export const { schedule, handler } = defineSchedule(
  {
    everyMinutes: 1,
    access: { webhooks: "read", "webhooks/wakeable": "read", events: "read" },
    sends: [webhookQueue],
  },
  async ({ db, now, remaining }) => {
    let [looked, woken, failed] = [0, 0, 0];
    for await (const webhooks of allWebhooks(db, Math.floor(Date.parse(now) / 60_000))) {
      if (remaining() < minRemainingMs) throw new Error(`the time of the run ended after ${looked} webhooks`);
      const latest = headsOf(db, now);
      const wanted = async ({ key, read }: ListedWebhook): Promise<readonly Webhook[]> => {
        try {
          const state = read();
          return state !== undefined && (await hasWork(db, state, now, latest)) ? [state.webhook] : [];
        } catch (error) {
          // One webhook, or the feed of one account, must not keep the others from being woken.
          logger.error("webhook not woken", { error, key });
          failed += 1;
          return [];
        }
      };
      const waking = (await Promise.all(webhooks.map(wanted))).flat();
      await wakeWebhooks(waking);
      looked += webhooks.length;
      woken += waking.length;
    }
    if (failed > 0) throw new Error(`${failed} webhooks could not be read`);
    return { looked, woken };
  },
);

type Latest = (accountId: number) => Promise<number>;

/** Looks up the latest sequence of an account's feed. Reads each account's head once. */
function headsOf(db: Database, now: string): Latest {
  const heads = new Map<number, Promise<number>>();
  return (accountId) => {
    const known = heads.get(accountId) ?? readFeedHead(db, accountId, now).then(({ sequence }) => sequence);
    heads.set(accountId, known);
    return known;
  };
}

async function hasWork(
  db: Database,
  { webhook, progress }: WebhookState,
  now: string,
  latest: Latest,
): Promise<boolean> {
  const { account_id, webhook_id, active } = webhook;
  const { probe_at, cursor } = progress;
  if (active && probe_at === null && (await latest(account_id)) > cursor) return true;
  if (active && probe_at !== null && probe_at <= now) return true;
  return hasWaiting(db, webhook_id, active && probe_at === null ? { dueBy: now } : "requested");
}
