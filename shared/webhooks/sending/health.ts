/**
 * Whether a webhook's receiver works. A receiver whose last few events all failed is probed with growing pauses, and is
 * handed nothing else meanwhile: the rest waits in the feed. So a dead receiver takes little of the sender's time.
 */
import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { nextAttempt } from "./retry-schedule.ts";

export const health = z.object({
  /** Events in a row that failed at their first attempt, since anything succeeded. Retries of one event do not count. */
  failures: primitive.int,
  /** Since when every attempt has failed, ISO 8601; null where the latest succeeded or nothing is being tried. */
  failing_since: primitive.textOrNull,
  /** When the receiver is probed next; null where it is not just probed. */
  probe_at: primitive.textOrNull,
  /** Probes so far. */
  probes: primitive.int,
  last_success_at: primitive.textOrNull,
});
export type Health = z.output<typeof health>;

export const healthy: Omit<Health, "last_success_at"> = {
  failures: 0,
  failing_since: null,
  probe_at: null,
  probes: 0,
};

/** Events in a row that must fail for the receiver to be probed. One event that a receiver can't take is no reason. */
export const maxFailures = 5;

/** What was posted: an event's first attempt, a later one, or what the account asked for (a test, a resend). */
export type AttemptKind = "first" | "again" | "asked";

export interface AttemptOutcome {
  readonly kind: AttemptKind;
  /** `gone` is 410: the receiver wants nothing any more. */
  readonly result: "delivered" | "failed" | "gone";
}

/** Why a webhook was switched off by the service. */
export const disabledReasons = ["gone", "failing"] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** The receiver's health after attempts made together, and why the webhook is to be switched off, if it is. */
export function healthAfter(
  before: Health,
  outcomes: readonly AttemptOutcome[],
  now: string,
  random?: () => number,
): { readonly health: Health; readonly disabled?: DisabledReason } {
  if (outcomes.some(({ result }) => result === "gone")) return { health: before, disabled: "gone" };
  if (outcomes.some(({ result }) => result === "delivered"))
    return { health: { ...healthy, last_success_at: now } };
  const failed = outcomes.filter(({ kind }) => kind !== "asked");
  if (failed.length === 0) return { health: before };
  const failing_since = before.failing_since ?? now;
  const failures = before.failures + failed.filter(({ kind }) => kind === "first").length;
  const probes = before.probe_at === null ? 0 : before.probes + 1;
  const next = nextAttempt(failing_since, now, probes + 1, random);
  const failing = { ...before, failures, failing_since };
  if (next === undefined) return { health: failing, disabled: "failing" };
  return { health: failures < maxFailures ? failing : { ...failing, probes, probe_at: next } };
}
