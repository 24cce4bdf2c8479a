/**
 * The health of a webhook's receiver. After several consecutive events have failed, the receiver is probed at
 * growing intervals, and gets nothing else until a probe succeeds: events wait in the feed. So a dead
 * receiver takes little of the sender's time.
 */
import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { nextAttempt } from "./retry-schedule.ts";

export const health = z.object({
  /** Consecutive events whose first attempt failed since the last success. Retries do not count. */
  failures: primitive.int,
  /** Since when every attempt has failed; null if the latest succeeded or nothing is being retried. */
  failing_since: primitive.timeOrNull,
  /** When the next probe is due; null if the receiver is not being probed. */
  probe_at: primitive.timeOrNull,
  probes: primitive.int,
  last_success_at: primitive.timeOrNull,
});
export type Health = z.output<typeof health>;

export const healthy: Omit<Health, "last_success_at"> = {
  failures: 0,
  failing_since: null,
  probe_at: null,
  probes: 0,
};

/** Failed events in a row after which a receiver is probed: it may reject a single event. */
export const maxFailures = 5;

/** An event's first attempt, a retry, or one that the account requested (a test, a resend). */
export type AttemptKind = "first" | "retry" | "requested";

export interface AttemptOutcome {
  readonly kind: AttemptKind;
  /** `gone` stands for 410: the receiver wants no more events. */
  readonly result: "delivered" | "failed" | "gone";
}

/** Why the service disabled a webhook. */
export const disabledReasons = ["gone", "failing"] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** The receiver's health after a batch of attempts, and why the webhook must be disabled, if so. */
export function healthAfter(
  before: Health,
  outcomes: readonly AttemptOutcome[],
  now: string,
  random?: () => number,
): { readonly health: Health; readonly disabled?: DisabledReason } {
  if (outcomes.some(({ result }) => result === "gone")) return { health: before, disabled: "gone" };
  if (outcomes.some(({ result }) => result === "delivered"))
    return { health: { ...healthy, last_success_at: now } };
  const failed = outcomes.filter(({ kind }) => kind !== "requested");
  if (failed.length === 0) return { health: before };
  const failing_since = before.failing_since ?? now;
  const failures = before.failures + failed.filter(({ kind }) => kind === "first").length;
  const probes = before.probe_at === null ? 0 : before.probes + 1;
  const next = nextAttempt(failing_since, now, probes + 1, random);
  const failing = { ...before, failures, failing_since };
  if (next === undefined) return { health: failing, disabled: "failing" };
  return { health: failures < maxFailures ? failing : { ...failing, probes, probe_at: next } };
}
