/** A batch of attempts for one webhook: selected, posted concurrently, and recorded in one transaction. */
import * as z from "zod/mini";
import { type Event, matchesType } from "../../events/event.ts";
import { findEvent, readEvents } from "../../events/feed-repository.ts";
import { logger } from "../../runtime/log.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { transact } from "../../store/dynamodb/transact.ts";
import { type Removal, Stale } from "../../store/dynamodb/writes.ts";
import {
  afterAttempt,
  type Delivery,
  expiredDelivery,
  isAccepted,
  keepWaiting,
  newDelivery,
  type PostResult,
} from "../delivery.ts";
import { insertDelivery, newDeliveryId, readWaiting, saveDelivery } from "../delivery-repository.ts";
import { readSecrets } from "../secret-repository.ts";
import { signedHeaders } from "../signature.ts";
import { signingVersions } from "../webhook.ts";
import { findWebhook, saveWebhook, type WebhookState } from "../webhook-repository.ts";
import {
  type AttemptKind,
  type AttemptOutcome,
  type DisabledReason,
  type Health,
  health,
  healthAfter,
} from "./health.ts";
import { LeaseLost, saveProgress } from "./lease.ts";
import type { Posted } from "./post.ts";

export interface Sender {
  readonly db: Database;
  /** Posts to a receiver. Never throws. */
  readonly post: (url: string, sent: Posted) => Promise<PostResult>;
  readonly clock: () => number;
}

interface Attempt {
  readonly delivery: Delivery;
  /** Undefined if the event is no longer retained. */
  readonly event: Event | undefined;
  readonly kind: AttemptKind;
}

interface DispatchBatch {
  readonly attempts: readonly Attempt[];
  /** The webhook's cursor once this batch is recorded. */
  readonly cursor: number;
  /** Entries whose deliveries have expired or are unreadable. */
  readonly orphans: readonly Removal[];
  /**
   * Whether nothing else is left to send. Never true while the receiver is probed, because new events do not
   * request a run then.
   */
  readonly isLast: boolean;
}

export interface AttemptResult {
  readonly attempt: Attempt;
  readonly after: Delivery;
  readonly outcome: AttemptOutcome | undefined;
}

/** Maximum concurrent posts to one receiver. Due retries come on top while ten resends are pending. */
const maxBatchSize = 10;

/** Maximum retries in a batch, so that they do not delay new events. */
const maxRetries = 5;

/** Batches of the feed per query; few, because few events are needed. */
const feedBatchesPerQuery = 2;

export const timeOf = ({ clock }: Pick<Sender, "clock">): string => new Date(clock()).toISOString();

/**
 * What a batch may take in addition to what the account requested. A probe takes one retry and one new event:
 * if the receiver rejects one of them, the other may show that it works.
 */
function limitsOf({ webhook, progress: { probe_at } }: WebhookState, now: string) {
  if (!webhook.active || (probe_at ?? "") > now) return { range: "requested", retries: 0, fresh: 0 } as const;
  if (probe_at !== null) return { range: "any", retries: 1, fresh: 1 } as const;
  return { range: { dueBy: now }, retries: maxRetries, fresh: maxBatchSize };
}

/** Selects what to send now: what the account requested, due retries, and new events up to the batch size. */
export async function selectBatch(db: Database, state: WebhookState, now: string): Promise<DispatchBatch> {
  const { webhook, progress } = state;
  const { range, retries, fresh } = limitsOf(state, now);
  const { waiting, orphans, isWholeRange } = await readWaiting(db, webhook.webhook_id, range, {
    maxRequested: maxBatchSize,
    maxRetries: retries,
  });
  const attempts = await Promise.all(
    waiting.map(async ({ kind, delivery }): Promise<Attempt> => {
      return { kind, delivery, event: await eventOfDelivery(db, webhook.account_id, delivery) };
    }),
  );
  const room = Math.min(fresh, maxBatchSize - attempts.length);
  const { attempts: first, cursor, isEnd } = await selectNewEvents(db, state, room, now);
  const isLast = progress.probe_at === null && isWholeRange && isEnd;
  return { attempts: [...attempts, ...first], cursor, orphans, isLast };
}

/** The next events of the feed that match the webhook's types. */
async function selectNewEvents(
  db: Database,
  { webhook, progress }: WebhookState,
  limit: number,
  now: string,
) {
  if (limit <= 0) return { attempts: [], cursor: progress.cursor, isEnd: false };
  const { account_id, webhook_id, types } = webhook;
  const isWanted = ({ type }: Event) => matchesType(types, type);
  const request = { after: progress.cursor, limit, isWanted };
  const { events, examined, isEnd } = await readEvents(db, account_id, request, feedBatchesPerQuery);
  const attempts = events.map((event, position): Attempt => {
    const delivery_id = newDeliveryId(now, position);
    const { request_id } = event;
    const delivery = newDelivery({ webhook_id, delivery_id, event, cause: "event", request_id }, now);
    return { delivery, event, kind: "first" };
  });
  return { attempts, cursor: examined, isEnd };
}

export async function eventOfDelivery(
  db: Database,
  accountId: number,
  { content, sequence, event_id }: Delivery,
): Promise<Event | undefined> {
  if (content !== undefined) return content;
  const event = await findEvent(db, accountId, sequence);
  return event?.id === event_id ? event : undefined;
}

export async function postBatch(
  sender: Sender,
  state: WebhookState,
  { attempts }: DispatchBatch,
): Promise<readonly AttemptResult[]> {
  if (attempts.length === 0) return [];
  const { webhook_id, secrets } = state.webhook;
  const versions = signingVersions(secrets, timeOf(sender)).map(({ version }) => version);
  const signing = await readSecrets(sender.db, webhook_id, versions);
  if (signing.length === 0) throw new Error(`the webhook ${webhook_id} has no secret`);
  const results = await Promise.all(attempts.map((attempt) => makeAttempt(sender, state, signing, attempt)));
  logger.info("webhook called", { webhook_id, deliveries: results.map(({ after }) => loggedOf(after)) });
  return results;
}

/** What the log shows of a delivery after an attempt: only the status of the receiver's answer. */
const loggedOf = ({ delivery_id, event_id, request_id, status, attempts, response_code }: Delivery) => ({
  delivery_id,
  event_id,
  request_id,
  status,
  attempts,
  response_code,
});

/** The status by which a receiver says that it wants no more events. */
const gone = 410;

async function makeAttempt(
  { post, clock }: Sender,
  { webhook, progress }: WebhookState,
  secrets: readonly string[],
  attempt: Attempt,
): Promise<AttemptResult> {
  const { delivery, event, kind } = attempt;
  if (event === undefined) return { attempt, after: expiredDelivery(delivery), outcome: undefined };
  const body = JSON.stringify(event);
  const headers = {
    "content-type": "application/json",
    "user-agent": "OrderInventoryWarehouse-Webhooks/1",
    ...signedHeaders({ id: event.id, timestamp: Math.floor(clock() / 1000), body }, secrets),
  };
  const posted = await post(webhook.url, { headers, body });
  const after = afterAttempt(delivery, posted, {
    now: timeOf({ clock }),
    isRetried: webhook.active,
    begun_at: progress.begun_at,
  });
  const result = isAccepted(posted) ? "delivered" : posted.status === gone ? "gone" : "failed";
  return { attempt, after, outcome: { kind, result } };
}

interface Recorded {
  readonly health: Health;
  readonly disabled: DisabledReason | undefined;
}

/** Maximum attempts to record a batch while the account changes the webhook. */
const maxRecordAttempts = 5;

/**
 * Stores a batch in one transaction. If the account has restarted sending since, its cursor stays.
 * @throws LeaseLost
 */
export async function recordBatch(
  sender: Sender,
  selected: WebhookState,
  batch: DispatchBatch,
  results: readonly AttemptResult[],
): Promise<Recorded> {
  const { webhook_id, account_id } = selected.webhook;
  const { lease_token, revision } = selected.progress;
  let current: WebhookState | undefined = selected;
  for (let attempt = 1; ; attempt += 1) {
    if (current?.progress.lease_token !== lease_token) throw new LeaseLost();
    const isRestarted = current.progress.revision !== revision;
    try {
      return await storeResults(sender, current, { ...batch, isRestarted }, results);
    } catch (error) {
      if (!(error instanceof Stale) || attempt === maxRecordAttempts) throw error;
      current = await findWebhook(sender.db, account_id, webhook_id);
    }
  }
}

async function storeResults(
  sender: Sender,
  state: WebhookState,
  { cursor, orphans, isRestarted }: DispatchBatch & { readonly isRestarted: boolean },
  results: readonly AttemptResult[],
): Promise<Recorded> {
  const now = timeOf(sender);
  const { webhook, progress } = state;
  // Responses from before a restart do not count for the receiver's health.
  const outcomes = isRestarted ? [] : results.flatMap(({ outcome }) => outcome ?? []);
  const judged = healthAfter(z.parse(health, progress), outcomes, now);
  const disabled = webhook.active ? judged.disabled : undefined;
  await transact(sender.db, [
    saveProgress(state, { ...judged.health, ...(isRestarted ? {} : { cursor }) }),
    ...results.flatMap(({ attempt: { delivery, event, kind }, after }) => {
      // Except for tests, everything that was not accepted is sent if the webhook is enabled again.
      const isKept = disabled !== undefined && kind !== "requested" && event !== undefined;
      const stored = isKept ? keepWaiting(after, now) : after;
      return kind === "first" ? insertDelivery(stored) : saveDelivery(delivery, stored);
    }),
    ...orphans,
    ...(disabled === undefined
      ? []
      : [saveWebhook(webhook, { active: false, disabled_reason: disabled, disabled_at: now }, now)]),
  ]);
  return { health: judged.health, disabled };
}
