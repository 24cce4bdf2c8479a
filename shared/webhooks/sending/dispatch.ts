/**
 * One sender's visit to one webhook: it takes the lease, sends what there is to send, round by round, and ends the lease.
 *
 * Whatever interrupts a visit, nothing is lost: what was sent is stored round by round, together with the cursor. A round
 * that was not stored is sent again, under the same ids. Its lease runs out, and the schedule wakes the webhook.
 */

import { logger } from "../../lambda/log.ts";
import { transact, unlessStale } from "../../store/dynamodb/transact.ts";
import { hasWaiting } from "../delivery-repository.ts";
import { removeSecret } from "../secret-repository.ts";
import { hostOf } from "../url.ts";
import { signingSecrets } from "../webhook.ts";
import { findWebhook, saveWebhook, type WebhookState } from "../webhook-repository.ts";
import { healthy } from "./health.ts";
import { acquireLease, releaseLease, saveProgress } from "./lease.ts";
import type { DispatchRequest } from "./queue.ts";
import { type AttemptResult, LeaseLost, postBatch, recordBatch, type Sender, timeOf } from "./round.ts";
import { selectBatch } from "./work.ts";

/** What a visit needs besides sending. */
export interface DispatchContext extends Sender {
  /** Whether there is time for another round. */
  readonly hasTime: () => boolean;
  /** Has the webhook looked at again, after so many milliseconds. */
  readonly wakeAgain: (webhook: DispatchRequest, milliseconds?: number) => Promise<void>;
}

/** What a visit did. */
export interface DispatchFigures {
  readonly delivered: number;
  readonly failed: number;
  readonly disabled: number;
}

const nothing: DispatchFigures = { delivered: 0, failed: 0, disabled: 0 };

export const totalFigures = (figures: readonly DispatchFigures[]): DispatchFigures =>
  figures.reduce(
    (sum, one) => ({
      delivered: sum.delivered + one.delivered,
      failed: sum.failed + one.failed,
      disabled: sum.disabled + one.disabled,
    }),
    nothing,
  );

/**
 * The longest that a round may take for another to follow at once, in milliseconds. A receiver that takes longer is left
 * alone for as long as it took. So it takes up at most half of a sender's time, however much it is sent.
 */
const slowRound = 2_000;

/** Added to a rest before the webhook is looked at again, in milliseconds: the clocks of senders differ a little. */
const clockSkew = 1_000;

/** What a round did, how many milliseconds it took, and when the first of its failed deliveries is tried again. */
interface Round {
  readonly figures: DispatchFigures;
  readonly took: number;
  readonly next: string | undefined;
}

/** Looks after a webhook, unless another sender does. */
export async function runDispatch(
  visitor: DispatchContext,
  place: DispatchRequest,
): Promise<DispatchFigures> {
  const { db, clock } = visitor;
  const token = await acquireLease(db, place.webhook_id, clock);
  if (token === undefined) return nothing;
  const rounds: Round[] = [];
  try {
    for (;;) {
      const end = await sendRounds(visitor, place, token, rounds);
      const { touched } = end.found.progress;
      // Where a wake-up follows anyway, that is the look that anybody wants.
      const ended = end.rest > 0 ? { until: clock() + end.rest } : end.isDone ? { touched } : {};
      if (await releaseLease(db, place.webhook_id, token, ended)) {
        // Not before the lease is over: a sender that is woken earlier would find it taken, and leave.
        await wakeNext(visitor, end, rounds);
        break;
      }
      // Either somebody wants one more look, or the webhook is this sender's no more: then the next round says so.
    }
  } catch (error) {
    if (!(error instanceof LeaseLost)) {
      await releaseLease(db, place.webhook_id, token);
      throw error;
    }
  }
  return totalFigures(rounds.map(({ figures }) => figures));
}

/** How a sequence of rounds ended: the webhook as the last look found it. */
interface End {
  readonly found: WebhookState;
  /** Whether nothing was left to send. */
  readonly isDone: boolean;
  /** For how many milliseconds nobody is to look after the webhook. */
  readonly rest: number;
}

async function sendRounds(
  visitor: DispatchContext,
  place: DispatchRequest,
  token: string,
  rounds: Round[],
): Promise<End> {
  for (;;) {
    const found = await findWebhook(visitor.db, place.account_id, place.webhook_id);
    if (found?.progress.lease_token !== token) throw new LeaseLost();
    const rest = rounds.at(-1)?.took ?? 0;
    if (rest > slowRound) return { found, isDone: false, rest };
    await forgetSecrets(visitor, found);
    const work = await selectBatch(visitor.db, found, timeOf(visitor));
    const isDone = work.tasks.length === 0 && work.cursor === found.progress.cursor;
    if (isDone && work.orphans.length === 0) return { found, isDone: true, rest: 0 };
    if (!visitor.hasTime()) return { found, isDone: false, rest: 0 };
    const begun = visitor.clock();
    const done = work.tasks.length === 0 ? [] : await postBatch(visitor, found, work);
    const { disabled, health } = await recordBatch(visitor, { found, token }, work, done);
    const took = visitor.clock() - begun;
    rounds.push({ figures: figuresOf(done, disabled !== undefined), took, next: soonestOf(done) });
    if (disabled !== undefined) reportDisabled(found, disabled);
    await forgetFailure(visitor, place, token, done);
    // Nothing is left, so nobody looks again. What came since has touched the webhook, and then its lease does not end.
    if (work.isAll && took <= slowRound && disabled === undefined)
      return { found: { ...found, progress: { ...found.progress, ...health } }, isDone: true, rest: 0 };
  }
}

const figuresOf = (done: readonly AttemptResult[], isDisabled: boolean): DispatchFigures => {
  const delivered = done.filter(({ outcome }) => outcome?.result === "delivered").length;
  return { delivered, failed: done.length - delivered, disabled: isDisabled ? 1 : 0 };
};

/** The path and the query of a URL may hold what is secret, so the log names the host alone. */
function reportDisabled({ webhook: { account_id, webhook_id, url } }: WebhookState, reason: string): void {
  logger.warn("webhook switched off", { account_id, webhook_id, reason, host: hostOf(new URL(url)) });
}

const earliest = (times: readonly string[]): string | undefined => times.toSorted().at(0);

const soonestOf = (done: readonly AttemptResult[]): string | undefined =>
  earliest(done.flatMap(({ after }) => after.next_attempt_at ?? []));

/**
 * Has the webhook looked at where something is left to send, and when the next attempt of what failed is due. The schedule
 * does so, too, but later.
 */
async function wakeNext(
  visitor: DispatchContext,
  { found: { webhook, progress }, isDone, rest }: End,
  rounds: readonly Round[],
): Promise<void> {
  if (!isDone) await visitor.wakeAgain(webhook, rest > 0 ? rest + clockSkew : undefined);
  const soonest = earliest(rounds.flatMap(({ next }) => next ?? []));
  const next = progress.probe_at ?? soonest;
  if (soonest === undefined || next === undefined || !webhook.active) return;
  const pause = Math.max(0, Date.parse(next) - visitor.clock());
  if (pause > rest || rest === 0) await visitor.wakeAgain(webhook, pause);
}

/** Where the last failed delivery is given up, nothing is being tried any more, so the webhook does not fail any more. */
async function forgetFailure(
  { db, clock }: DispatchContext,
  { account_id, webhook_id }: DispatchRequest,
  token: string,
  done: readonly AttemptResult[],
): Promise<void> {
  if (!done.some(({ after }) => after.status === "failed")) return;
  const found = await findWebhook(db, account_id, webhook_id);
  if (found === undefined || found.progress.failing_since === null || !found.webhook.active) return;
  const { revision, probe_at } = found.progress;
  if (probe_at !== null || (await hasWaiting(db, webhook_id, endOfTime(clock)))) return;
  await unlessStale(() => transact(db, [saveProgress(webhook_id, { token, revision }, healthy)]));
}

/** Later than any attempt. */
const endOfTime = (clock: () => number): string => new Date(clock() + 365 * 86_400_000).toISOString();

/** Deletes the secrets that sign no more. */
async function forgetSecrets(visitor: DispatchContext, { webhook }: WebhookState): Promise<void> {
  const now = timeOf(visitor);
  const signing = signingSecrets(webhook.secrets, now);
  if (signing.length === webhook.secrets.length) return;
  const over = webhook.secrets.filter((secret) => !signing.includes(secret));
  const writes = [
    saveWebhook(webhook, { secrets: [...signing] }, webhook.updated_at),
    ...over.map(({ version }) => removeSecret(webhook.webhook_id, version)),
  ];
  await unlessStale(() => transact(visitor.db, writes));
}
