import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { laterOf, secondsAfter } from "../common/times.ts";
import { type Event, event, retentionDays } from "../events/event.ts";
import type { Context } from "../runtime/context.ts";
import { nextAttempt } from "./sending/retry-schedule.ts";
import type { Webhook } from "./webhook.ts";

/** The delivery of one event to one webhook, with all attempts. */
export const delivery = z.object({
  webhook_id: primitive.int,
  delivery_id: primitive.text,
  event_id: primitive.text,
  event_type: primitive.text,
  /** The event's sequence in the feed; 0 for a test event, which is not in the feed. */
  sequence: primitive.int,
  /** Why the delivery exists: the event occurred, or the account requested a resend or a test. */
  cause: z.enum(["event", "resend", "test"]),
  /** The id of the call that caused it: that made the change, or that requested the resend or test. */
  request_id: primitive.requestId,
  status: z.enum(["waiting", "delivered", "failed"]),
  attempts: primitive.int,
  created_at: primitive.time,
  first_attempt_at: primitive.timeOrNull,
  last_attempt_at: primitive.timeOrNull,
  /** When the next attempt is due; null if there is none. */
  next_attempt_at: primitive.timeOrNull,
  /** The status of the receiver's last response; null if there was none. */
  response_code: primitive.intOrNull,
  /** The first KB of that response's body. */
  response_body: primitive.textOrNull,
  /** Why the last attempt failed. */
  error: primitive.textOrNull,
  /** The event of a test. Other events are in the feed. */
  content: z.optional(event),
  /** When DynamoDB may delete it, epoch seconds. */
  expires_at: primitive.int,
});
export type Delivery = z.output<typeof delivery>;

type NewDelivery = Pick<Delivery, "webhook_id" | "delivery_id" | "cause" | "request_id" | "content"> & {
  readonly event: Pick<z.output<typeof event>, "id" | "type" | "sequence">;
};

/** A delivery before its first attempt. */
export const newDelivery = (
  { event: { id, type, sequence }, ...rest }: NewDelivery,
  now: string,
): Delivery => ({
  ...rest,
  event_id: id,
  event_type: type,
  sequence,
  status: "waiting",
  attempts: 0,
  created_at: now,
  first_attempt_at: null,
  last_attempt_at: null,
  next_attempt_at: now,
  response_code: null,
  response_body: null,
  error: null,
  // A delivery can be read for as long as its event is retained.
  expires_at: secondsAfter(now, retentionDays),
});

/** The result of a post: the receiver's status, or in `error` the reason why there is none. */
export interface PostResult {
  readonly status: number | null;
  /** The beginning of the response body. */
  readonly body: string | null;
  readonly error: string | null;
}

/** Whether the receiver accepted the event. */
export const isAccepted = ({ status }: PostResult): boolean =>
  status !== null && status >= 200 && status < 300;

function failureReason(posted: PostResult): string | null {
  const { status, error } = posted;
  if (isAccepted(posted) || status === null) return error;
  const redirects = status >= 300 && status < 400 ? "; redirects are not followed" : "";
  return `the receiver answered ${status}${redirects}`;
}

interface AttemptContext {
  readonly now: string;
  /** Whether a failure is retried. */
  readonly isRetried: boolean;
  /** When sending was last restarted. Retries end 72 hours after it, or after the first attempt. */
  readonly begun_at: string;
  readonly random?: () => number;
}

/** A delivery after an attempt. Tests are not retried, and neither are requests for a disabled webhook. */
export function afterAttempt(
  before: Delivery,
  posted: PostResult,
  { now, isRetried, begun_at, random }: AttemptContext,
): Delivery {
  const { body, status } = posted;
  const attempts = before.attempts + 1;
  const first_attempt_at = before.first_attempt_at ?? now;
  const isOver = isAccepted(posted) || !isRetried || before.cause === "test";
  const since = laterOf(first_attempt_at, begun_at);
  const next = isOver ? undefined : nextAttempt(since, now, attempts, random);
  return {
    ...before,
    status: isAccepted(posted) ? "delivered" : next === undefined ? "failed" : "waiting",
    attempts,
    first_attempt_at,
    last_attempt_at: now,
    next_attempt_at: next ?? null,
    response_code: status,
    response_body: body?.toWellFormed() ?? null,
    error: failureReason(posted),
  };
}

/** A failed delivery of a webhook that was just disabled is sent if the webhook is enabled again. */
export const keepWaiting = (after: Delivery, now: string): Delivery =>
  after.status === "failed" ? { ...after, status: "waiting", next_attempt_at: now } : after;

export const expiredDelivery = (before: Delivery): Delivery => ({
  ...before,
  status: "failed",
  next_attempt_at: null,
  error: "the event is not kept any more",
});

/** A test event. It is not in the feed, so it has no sequence. */
export const testEvent = (
  { account_id, webhook_id, url }: Pick<Webhook, "account_id" | "webhook_id" | "url">,
  deliveryId: string,
  { now, actor, db }: Pick<Context, "now" | "actor" | "db">,
): Event => ({
  id: deliveryId.replace("dlv_", "evt_test_"),
  sequence: 0,
  type: "webhook.test",
  version: "2026-11-22",
  occurred_at: now,
  account_id,
  subject: { kind: "webhook", id: String(webhook_id) },
  by: actor,
  request_id: db.requestId ?? null,
  data: { webhook_id, url },
  previous: null,
});
