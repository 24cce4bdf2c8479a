import type { Event } from "../../events/event.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { transact } from "../../store/dynamodb/transact.ts";
import { Stale } from "../../store/dynamodb/writes.ts";
import {
  afterAttempt,
  type Delivery,
  expiredDelivery,
  isAccepted,
  keepWaiting,
  type PostResult,
} from "../delivery.ts";
import { insertDelivery, saveDelivery } from "../delivery-repository.ts";
import { readSecrets } from "../secret-repository.ts";
import { signedHeaders } from "../signature.ts";
import { signingSecrets } from "../webhook.ts";
import { findWebhook, saveWebhook, type WebhookState } from "../webhook-repository.ts";
import { type AttemptOutcome, type DisabledReason, type Health, healthAfter } from "./health.ts";
import { saveProgress } from "./lease.ts";
import type { Attempt, DispatchBatch } from "./work.ts";

/** What a sender works with. */
export interface Sender {
  readonly db: Database;
  /** Posts a body. Never throws. */
  readonly post: (
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ) => Promise<PostResult>;
  /** Tells epoch milliseconds. */
  readonly clock: () => number;
}

/** A task after its attempt. */
export interface AttemptResult {
  readonly task: Attempt;
  readonly after: Delivery;
  readonly outcome: AttemptOutcome | undefined;
}

/** What every receiver is told about the sender. */
const always = { "content-type": "application/json", "user-agent": "OrderInventoryWarehouse-Webhooks/1" };

export const timeOf = ({ clock }: Pick<Sender, "clock">): string => new Date(clock()).toISOString();

/** Posts what is to be sent, all at a time. */
export async function postBatch(
  sender: Sender,
  found: WebhookState,
  { tasks }: DispatchBatch,
): Promise<readonly AttemptResult[]> {
  const { webhook } = found;
  const versions = signingSecrets(webhook.secrets, timeOf(sender)).map(({ version }) => version);
  const secrets = await readSecrets(sender.db, webhook.webhook_id, versions);
  if (secrets.length === 0) throw new Error(`the webhook ${webhook.webhook_id} has no secret`);
  return Promise.all(tasks.map((task) => send(sender, found, secrets, task)));
}

async function send(
  sender: Sender,
  { webhook, progress }: WebhookState,
  secrets: readonly string[],
  task: Attempt,
): Promise<AttemptResult> {
  const { delivery, event, occasion } = task;
  if (event === undefined) return { task, after: expiredDelivery(delivery), outcome: undefined };
  const posted = await postEvent(sender, webhook.url, secrets, event);
  const after = afterAttempt(delivery, posted, {
    now: timeOf(sender),
    retried: webhook.active,
    begun_at: progress.begun_at,
  });
  const result = isAccepted(posted) ? "delivered" : posted.status === gone ? "gone" : "failed";
  return { task, after, outcome: { occasion, result } };
}

/** The status by which a receiver says that it wants nothing any more. */
const gone = 410;

function postEvent(
  { post, clock }: Sender,
  url: string,
  secrets: readonly string[],
  event: Event,
): Promise<PostResult> {
  const body = JSON.stringify(event);
  const signed = { id: event.id, timestamp: Math.floor(clock() / 1000), body };
  return post(url, { ...always, ...signedHeaders(signed, secrets) }, body);
}

/** How often a round is stored anew that meets changes of its webhook. */
const maxAttempts = 5;

/** Thrown where a webhook is another sender's by now, or is deleted. What this one did is not stored. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** What a round has come to. */
interface Recorded {
  readonly health: Health;
  readonly disabled: DisabledReason | undefined;
}

/**
 * Stores what became of a round, all of it or nothing. Where the account has changed the webhook meanwhile, the cursor stays
 * where that put it. @returns the receiver's health by now, and why the webhook was switched off, if it was
 * @throws LeaseLost
 */
export async function recordBatch(
  sender: Sender,
  held: { readonly found: WebhookState; readonly token: string },
  work: DispatchBatch,
  done: readonly AttemptResult[],
): Promise<Recorded> {
  const { db } = sender;
  const { webhook_id, account_id } = held.found.webhook;
  let found: WebhookState | undefined = held.found;
  for (let attempt = 1; ; attempt += 1) {
    if (found?.progress.lease_token !== held.token) throw new LeaseLost();
    const isAnew = found.progress.revision !== held.found.progress.revision;
    try {
      return await store(sender, { found, token: held.token }, { ...work, isAnew }, done);
    } catch (error) {
      if (!(error instanceof Stale) || attempt === maxAttempts) throw error;
      found = await findWebhook(db, account_id, webhook_id);
    }
  }
}

async function store(
  sender: Sender,
  { found: { webhook, progress }, token }: { readonly found: WebhookState; readonly token: string },
  { cursor, orphans, isAnew }: DispatchBatch & { readonly isAnew: boolean },
  done: readonly AttemptResult[],
): Promise<Recorded> {
  const now = timeOf(sender);
  // What another receiver answered, or answered before a replay, says nothing of how the sending goes that begins anew.
  const outcomes = isAnew ? [] : done.flatMap(({ outcome }) => outcome ?? []);
  const { health: after, disabled } = healthAfter(progress, outcomes, now);
  const isSwitched = disabled !== undefined && webhook.active;
  const { failures, failing_since, probe_at, probes, last_success_at } = after;
  const health = { failures, failing_since, probe_at, probes, last_success_at };
  const changed = { ...health, ...(isAnew ? {} : { cursor }) };
  const off = { active: false, disabled_reason: disabled ?? null, disabled_at: now };
  await transact(sender.db, [
    saveProgress(webhook.webhook_id, { token, revision: progress.revision }, changed),
    ...done.flatMap(({ task, after: tried }) => {
      // What the account asked for is tried once where its webhook is off, and is over then.
      const stored = isSwitched && task.occasion !== "asked" && task.event ? keepWaiting(tried, now) : tried;
      return task.occasion === "first" ? insertDelivery(stored) : saveDelivery(task.delivery, stored);
    }),
    ...orphans,
    ...(isSwitched ? [saveWebhook(webhook, off, now)] : []),
  ]);
  return { health, disabled: isSwitched ? disabled : undefined };
}
