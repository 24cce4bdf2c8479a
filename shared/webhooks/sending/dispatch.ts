/**
 * Sends a webhook's events to its receiver, batch by batch. A wake-up on the queue (`queue.ts`) starts a run.
 *
 * States of the sending of a webhook (its progress item):
 *
 *   idle     → sending   a run acquires the lease
 *   sending  → idle      nothing is left to send, and no other run was requested; or the function's time is
 *                        up, and the run requests another
 *   sending  → resting   the last batch took over 2 s: no run may begin until as long again has passed
 *   sending  → idle      the sender was killed, and the lease has expired
 *
 * States of the receiver, which decide what a batch takes (`health.ts`, `selectBatch`):
 *
 *   healthy  → probed    5 new events in a row failed: only a retry and a new event, at growing intervals
 *   probed   → healthy   any success, or the account restarts sending (new URL, or webhook enabled again)
 *   any      → disabled  it answered 410, or failed for 72 hours: only what the account requests is sent
 *
 * States of a delivery:
 *
 *   waiting  → waiting   an attempt failed, and a retry is due later (`retry-schedule.ts`)
 *   waiting  → delivered the receiver answered 2xx
 *   waiting  → failed    72 hours are over, a test failed, the webhook is disabled, or the event expired
 *
 * The account may create deliveries (tests, resends), restart sending and request runs at any time. Only the
 * holder of the lease changes anything else: a batch is recorded on the condition that the lease's token and
 * the progress's revision are unchanged. A batch that was not recorded is sent again, with the same event
 * ids. Once a minute, the schedule `wake-webhooks` requests a run for webhooks that have something to send,
 * so a lost request is harmless.
 */

import { logger } from "../../runtime/log.ts";
import { transact, unlessStale } from "../../store/dynamodb/transact.ts";
import { hasWaiting } from "../delivery-repository.ts";
import { removeSecret } from "../secret-repository.ts";
import { hostOf } from "../url.ts";
import { signingVersions } from "../webhook.ts";
import { findWebhook, keepSecrets, type WebhookState } from "../webhook-repository.ts";
import { type AttemptResult, postBatch, recordBatch, type Sender, selectBatch, timeOf } from "./batch.ts";
import { type DisabledReason, healthy } from "./health.ts";
import { acquireLease, type LeaseEnd, LeaseLost, releaseLease, saveProgress } from "./lease.ts";
import type { WakeUp } from "./queue.ts";

export interface DispatchContext extends Sender {
  /** Whether there is time for another batch. */
  readonly hasTime: () => boolean;
  /** Requests another run for the webhook, after a delay in milliseconds. */
  readonly wakeAgain: (webhook: WakeUp, delayMs?: number) => Promise<void>;
}

export type DispatchFigures = Readonly<Record<"delivered" | "failed" | "disabled", number>>;

/** After a longer batch, the webhook rests as long: a slow receiver takes at most half of a sender's time. */
const maxBatchMs = 2_000;

/** Added to a rest, because the clocks of senders differ slightly. */
const restMarginMs = 1_000;

/** What a run has sent so far. */
interface Sent {
  readonly figures: DispatchFigures;
  /** How long its last batch took, in milliseconds. */
  readonly lastBatchMs: number;
  /** When its failed deliveries are retried. */
  readonly retries: readonly string[];
  /** The time by which its last batch took what was due. */
  readonly takenUntil: string;
}

const nothing: Sent = {
  figures: { delivered: 0, failed: 0, disabled: 0 },
  lastBatchMs: 0,
  retries: [],
  takenUntil: "",
};

/** Sends everything that is waiting for a webhook, unless another sender holds its lease. */
export async function runDispatch(context: DispatchContext, request: WakeUp): Promise<DispatchFigures> {
  const { db, clock } = context;
  const token = await acquireLease(db, request.webhook_id, clock);
  if (token === undefined) return nothing.figures;
  const release = (how?: LeaseEnd) => releaseLease(db, request.webhook_id, token, how);
  let sent = nothing;
  try {
    for (;;) {
      const step: Step = await sendBatch(context, request, token, sent);
      sent = step.sent;
      // If another run was requested or the lease is lost, the next read of the webhook shows which.
      if (step.end === undefined || !(await release(releaseAfter(step.end, context)))) continue;
      // After the release: a run that begins earlier would find the lease taken, and end.
      await requestNextRun(context, step.end, sent);
      break;
    }
  } catch (error) {
    if (!(error instanceof LeaseLost)) {
      await release();
      throw error;
    }
  }
  return sent.figures;
}

/** How sending ended, with the webhook as last read. */
interface End {
  readonly state: WebhookState;
  /** Whether nothing is left to send. */
  readonly isCaughtUp: boolean;
  /** Time for which no run may begin. */
  readonly restMs: number;
}

/** How to release the lease. If another run follows anyway, it also serves requests made since. */
function releaseAfter({ state, isCaughtUp, restMs }: End, { clock }: DispatchContext): LeaseEnd {
  if (restMs > 0) return { until: clock() + restMs };
  return isCaughtUp ? { touched: state.progress.touched } : {};
}

/** What a run has sent after one of its steps; `end` if it must not send the next batch. */
interface Step {
  readonly sent: Sent;
  readonly end?: End;
}

/**
 * Sends the next batch, unless there is none or the run has to end.
 * @throws LeaseLost
 */
async function sendBatch(
  context: DispatchContext,
  { account_id, webhook_id }: WakeUp,
  token: string,
  before: Sent,
): Promise<Step> {
  const state = await findWebhook(context.db, account_id, webhook_id);
  if (state?.progress.lease_token !== token) throw new LeaseLost();
  if (before.lastBatchMs > maxBatchMs)
    return { sent: before, end: { state, isCaughtUp: false, restMs: before.lastBatchMs } };
  await removeExpiredSecrets(context, state);
  const takenUntil = timeOf(context);
  const batch = await selectBatch(context.db, state, takenUntil);
  const isEmpty = batch.attempts.length === 0 && batch.cursor === state.progress.cursor;
  const isCaughtUp = isEmpty && batch.orphans.length === 0;
  if (isCaughtUp || !context.hasTime())
    return { sent: { ...before, takenUntil }, end: { state, isCaughtUp, restMs: 0 } };
  const begun = context.clock();
  const results = await postBatch(context, state, batch);
  const { disabled, health } = await recordBatch(context, state, batch, results);
  const lastBatchMs = context.clock() - begun;
  if (disabled !== undefined) reportDisabled(state, disabled);
  await clearFailure(context, token, state, results);
  const sent = { ...withResults(before, results, disabled), lastBatchMs, takenUntil };
  // After a complete batch, another read is unnecessary: new events request a run, which keeps the lease from
  // being released.
  const isOver = batch.isLast && lastBatchMs <= maxBatchMs && disabled === undefined;
  if (!isOver) return { sent };
  const after = { ...state, progress: { ...state.progress, ...health } };
  return { sent, end: { state: after, isCaughtUp: true, restMs: 0 } };
}

/** What was sent before, plus these attempts. */
function withResults(
  before: Sent,
  results: readonly AttemptResult[],
  disabled: DisabledReason | undefined,
): Sent {
  const { figures, retries } = before;
  const delivered = results.filter(({ outcome }) => outcome?.result === "delivered").length;
  return {
    ...before,
    figures: {
      delivered: figures.delivered + delivered,
      failed: figures.failed + results.length - delivered,
      disabled: figures.disabled + (disabled === undefined ? 0 : 1),
    },
    retries: [...retries, ...results.flatMap(({ after }) => after.next_attempt_at ?? [])],
  };
}

/** Logs only the host, because the path and query of a URL may contain secrets. */
function reportDisabled({ webhook: { account_id, webhook_id, url } }: WebhookState, reason: string): void {
  logger.warn("webhook switched off", { account_id, webhook_id, reason, host: hostOf(new URL(url)) });
}

/** Requests a run for what is left, and one for the next retry or probe, both before the schedule's. */
async function requestNextRun(
  context: DispatchContext,
  { state: { webhook, progress }, isCaughtUp, restMs }: End,
  { retries, takenUntil }: Sent,
): Promise<void> {
  if (!isCaughtUp) await context.wakeAgain(webhook, restMs > 0 ? restMs + restMarginMs : undefined);
  if (retries.length === 0 || !webhook.active) return;
  const next = progress.probe_at ?? retries.filter((time) => time > takenUntil).toSorted()[0];
  if (next === undefined) return;
  const delayMs = Math.max(0, Date.parse(next) - context.clock());
  if (delayMs > restMs || restMs === 0) await context.wakeAgain(webhook, delayMs);
}

/** A webhook without pending retries no longer counts as failing. */
async function clearFailure(
  { db }: Sender,
  token: string,
  { webhook: { account_id, webhook_id } }: WebhookState,
  results: readonly AttemptResult[],
): Promise<void> {
  if (!results.some(({ after }) => after.status === "failed")) return;
  const state = await findWebhook(db, account_id, webhook_id);
  if (state?.progress.lease_token !== token || !state.webhook.active) return;
  const { failing_since, probe_at } = state.progress;
  if (failing_since === null || probe_at !== null) return;
  if (await hasWaiting(db, webhook_id, "any")) return;
  await unlessStale(() => transact(db, [saveProgress(state, healthy)]));
}

async function removeExpiredSecrets(sender: Sender, { webhook }: WebhookState): Promise<void> {
  const signing = signingVersions(webhook.secrets, timeOf(sender));
  if (signing.length === webhook.secrets.length) return;
  const expired = webhook.secrets.filter((secret) => !signing.includes(secret));
  const writes = [
    keepSecrets(webhook, [...signing]),
    ...expired.map(({ version }) => removeSecret(webhook.webhook_id, version)),
  ];
  await unlessStale(() => transact(sender.db, writes));
}
