/**
 * One sender's visit to one webhook: it takes the lease, sends what there is to send, round by round, and ends the lease.
 *
 * Whatever interrupts a visit, nothing is lost: what was sent is stored round by round, together with the cursor. A round
 * that was not stored is sent again, under the same ids. Its lease runs out, and the schedule wakes the webhook.
 */
import { hasWaiting } from "../../data/deliveries.ts";
import { endLease, saveProgress, takeLease } from "../../data/webhook-leases.ts";
import { removeSecret } from "../../data/webhook-secrets.ts";
import { type Found, findWebhook, saveWebhook } from "../../data/webhooks.ts";
import { healthy } from "../../domain/webhooks/health.ts";
import { hostOf } from "../../domain/webhooks/url.ts";
import { signingSecrets } from "../../domain/webhooks/webhook.ts";
import { logger } from "../../handler.ts";
import { transact } from "../../store/transact.ts";
import { Stale } from "../../store/writes.ts";
import { type Done, LeaseLost, recordRound, type Sender, sendAll, timeOf } from "./round.ts";
import type { WakeUp } from "./wake.ts";
import { readWork } from "./work.ts";

/** What a visit needs besides sending. */
export interface Visitor extends Sender {
  /** Whether there is time for another round. */
  readonly hasTime: () => boolean;
  /** Has the webhook looked at again, after so many milliseconds. */
  readonly wakeAgain: (webhook: WakeUp, milliseconds?: number) => Promise<void>;
}

/** What a visit did. */
export interface Figures {
  readonly delivered: number;
  readonly failed: number;
  readonly disabled: number;
}

const nothing: Figures = { delivered: 0, failed: 0, disabled: 0 };

export const total = (figures: readonly Figures[]): Figures =>
  figures.reduce(
    (sum, one) => ({
      delivered: sum.delivered + one.delivered,
      failed: sum.failed + one.failed,
      disabled: sum.disabled + one.disabled,
    }),
    nothing,
  );

/** Looks after a webhook, unless another sender does. */
export async function visit(visitor: Visitor, place: WakeUp): Promise<Figures> {
  const { db, clock } = visitor;
  const token = await takeLease(db, place.webhook_id, clock);
  if (token === undefined) return nothing;
  const rounds: Figures[] = [];
  try {
    for (;;) {
      const { touched } = await sendRounds(visitor, place, token, rounds);
      if (await endLease(db, place.webhook_id, token, touched)) break;
      // Either somebody wants one more look, or the webhook is this sender's no more: then the next round says so.
    }
  } catch (error) {
    if (!(error instanceof LeaseLost)) {
      await endLease(db, place.webhook_id, token);
      throw error;
    }
  }
  return total(rounds);
}

/** How a sequence of rounds ended: what `touched` was before the last look. Undefined where there was no time for more. */
interface End {
  readonly touched?: number;
}

async function sendRounds(visitor: Visitor, place: WakeUp, token: string, rounds: Figures[]): Promise<End> {
  let soonest: string | undefined;
  for (;;) {
    const found = await findWebhook(visitor.db, place.account_id, place.webhook_id);
    if (found?.progress.lease_token !== token) throw new LeaseLost();
    await forgetSecrets(visitor, found);
    const work = await readWork(visitor.db, found, timeOf(visitor));
    const isDone = work.tasks.length === 0 && work.cursor === found.progress.cursor;
    if (isDone && work.orphans.length === 0) {
      await wakeAt(visitor, found, soonest);
      return { touched: found.progress.touched };
    }
    if (!visitor.hasTime()) {
      await visitor.wakeAgain(place);
      return {};
    }
    const done = work.tasks.length === 0 ? [] : await sendAll(visitor, found.webhook, work);
    const disabled = await recordRound(visitor, { found, token }, work, done);
    rounds.push(figuresOf(done, disabled !== undefined));
    if (disabled !== undefined) reportDisabled(found, disabled);
    await forgetFailure(visitor, place, token, done);
    soonest = soonestOf(done, soonest);
  }
}

const figuresOf = (done: readonly Done[], isDisabled: boolean): Figures => {
  const delivered = done.filter(({ outcome }) => outcome?.result === "delivered").length;
  return { delivered, failed: done.length - delivered, disabled: isDisabled ? 1 : 0 };
};

/** The path and the query of a URL may hold what is secret, so the log names the host alone. */
function reportDisabled({ webhook: { account_id, webhook_id, url } }: Found, reason: string): void {
  logger.warn("webhook switched off", { account_id, webhook_id, reason, host: hostOf(new URL(url)) });
}

const soonestOf = (done: readonly Done[], earlier: string | undefined): string | undefined =>
  [...done.flatMap(({ after }) => after.next_attempt_at ?? []), ...(earlier === undefined ? [] : [earlier])]
    .toSorted()
    .at(0);

/** Has the webhook looked at when the next attempt of what failed is due. The schedule does so, too, but later. */
async function wakeAt(
  visitor: Visitor,
  { webhook, progress }: Found,
  soonest: string | undefined,
): Promise<void> {
  const next = progress.probe_at ?? soonest;
  if (soonest === undefined || next === undefined || !webhook.active) return;
  await visitor.wakeAgain(webhook, Math.max(0, Date.parse(next) - visitor.clock()));
}

/** Where the last failed delivery is given up, nothing is being tried any more, so the webhook does not fail any more. */
async function forgetFailure(
  { db, clock }: Visitor,
  { account_id, webhook_id }: WakeUp,
  token: string,
  done: readonly Done[],
): Promise<void> {
  if (!done.some(({ after }) => after.status === "failed")) return;
  const found = await findWebhook(db, account_id, webhook_id);
  if (found === undefined || found.progress.failing_since === null || !found.webhook.active) return;
  const { revision, probe_at } = found.progress;
  if (probe_at !== null || (await hasWaiting(db, webhook_id, endOfTime(clock)))) return;
  try {
    await transact(db, [saveProgress(webhook_id, { token, revision }, healthy)]);
  } catch (error) {
    if (!(error instanceof Stale)) throw error;
  }
}

/** Later than any attempt. */
const endOfTime = (clock: () => number): string => new Date(clock() + 365 * 86_400_000).toISOString();

/** Deletes the secrets that sign no more. */
async function forgetSecrets(visitor: Visitor, { webhook }: Found): Promise<void> {
  const now = timeOf(visitor);
  const signing = signingSecrets(webhook.secrets, now);
  if (signing.length === webhook.secrets.length) return;
  const over = webhook.secrets.filter((secret) => !signing.includes(secret));
  try {
    await transact(visitor.db, [
      saveWebhook(webhook, { secrets: [...signing] }, webhook.updated_at),
      ...over.map(({ version }) => removeSecret(webhook.webhook_id, version)),
    ]);
  } catch (error) {
    if (!(error instanceof Stale)) throw error;
  }
}
