import { hasWaiting } from "../../shared/data/deliveries.ts";
import { readHead } from "../../shared/data/feed.ts";
import { allWebhooks, type Found } from "../../shared/data/webhooks.ts";
import { defineSchedule, scheduleLambda } from "../../shared/jobs/schedule.ts";
import { wake, webhookJobs } from "../../shared/jobs/webhooks/wake.ts";
import type { Database } from "../../shared/store/database.ts";

/** What must remain of a run's 50 s for another hundred webhooks, in milliseconds. */
const leastRemaining = 10_000;

/**
 * Wakes the webhooks that have something to send: they lag behind their feed, or a delivery is due. So a message that was
 * lost does no harm. Of each webhook a run reads its settings, its progress, what waits first, and of its account the feed's
 * head: about two read units in all.
 */
export const schedule = defineSchedule(
  { everyMinutes: 1, access: { webhooks: "read", events: "read" }, sends: [webhookJobs] },
  async ({ db, now, remaining }) => {
    let [looked, woken] = [0, 0];
    for await (const webhooks of allWebhooks(db)) {
      if (remaining() < leastRemaining) throw new Error(`${looked} webhooks took the whole time of a run`);
      const asleep = await Promise.all(
        webhooks.map(async (one) => ((await hasWork(db, one, now)) ? [one] : [])),
      );
      const wanted = asleep.flat().map(({ webhook }) => webhook);
      await wake(wanted);
      looked += webhooks.length;
      woken += wanted.length;
    }
    return { looked, woken };
  },
);

async function hasWork(db: Database, { webhook, progress }: Found, now: string): Promise<boolean> {
  const { account_id, webhook_id, active } = webhook;
  const { probe_at, cursor } = progress;
  if (active && probe_at === null && (await readHead(db, account_id, now)).sequence > cursor) return true;
  if (active && probe_at !== null && probe_at <= now) return true;
  return hasWaiting(db, webhook_id, active && probe_at === null ? now : undefined);
}

export const handler = scheduleLambda(schedule);
