/**
 * Webhooks: an account's URLs to which events are posted as they happen.
 *
 * A webhook's settings (`webhook-repository.ts`) and its progress are separate items, because progress
 * changes with everything that is sent. Its signing secrets are in a table that only the sender can read
 * (`secret-repository.ts`). Every event sent to a webhook has a delivery (`delivery.ts`), which clients can
 * list and resend.
 *
 * `sending/` posts the events. A wake-up on the queue names a webhook; the sender takes the webhook's lease,
 * posts in batches (`dispatch.ts`), and stores each batch's deliveries and the webhook's progress in one
 * transaction. Failed deliveries are retried for 72 hours. A receiver that keeps failing is probed, and in
 * the end switched off (`health.ts`). Lost wake-ups are harmless: a schedule wakes every webhook that has
 * something to send. See docs/decisions.md, Webhooks.
 */
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { disabledReasons, health, healthy } from "./sending/health.ts";
import { timeAfter } from "./sending/retry-schedule.ts";

/** Maximum webhooks of an account (docs/decisions.md, Webhooks). */
export const maxWebhooks = 20;

/** A secret that a webhook signs with: the latest, or one replaced less than a day ago. */
const secretVersion = z.object({
  version: primitive.int,
  /** When it stops signing, ISO 8601; null for the latest. */
  until: primitive.textOrNull,
});
type SecretVersion = z.output<typeof secretVersion>;

/** A webhook's settings. The secrets themselves are stored elsewhere. */
export const webhook = z.object({
  account_id: primitive.int,
  webhook_id: primitive.int,
  url: primitive.text,
  description: primitive.textOrNull,
  /** Event types; may include `order.*` and `*`. */
  types: z.array(primitive.text),
  active: primitive.boolean,
  /** Why the service disabled the webhook; null if it did not. */
  disabled_reason: z.nullable(z.enum(disabledReasons)),
  disabled_at: primitive.timeOrNull,
  secrets: z.array(secretVersion),
  version: primitive.int,
  created_at: primitive.time,
  updated_at: primitive.time,
});
export type Webhook = z.output<typeof webhook>;

/** Separate from the settings, because it changes with everything that is sent. */
export const progress = z.extend(health, {
  /** The sequence up to which events have been sent or have a waiting delivery. */
  cursor: primitive.int,
  /** Incremented if the account restarts sending: at another position, or with another receiver. */
  revision: primitive.int,
  /** When sending was last restarted, or when the webhook was created, ISO 8601. */
  begun_at: primitive.time,
  /** Incremented to make the sender check the webhook again before it releases the lease. */
  touched: primitive.int,
  /** The current sender, and until when it holds the lease, in epoch milliseconds; 0 if the lease is free. */
  lease_token: primitive.text,
  lease_until: primitive.int,
});
export type Progress = z.output<typeof progress>;

/** The progress of a new webhook, which receives the events from now on. */
export const newProgress = (cursor: number, now: string): Progress => ({
  ...healthy,
  last_success_at: null,
  cursor,
  revision: 0,
  begun_at: now,
  touched: 0,
  lease_token: "",
  lease_until: 0,
});

/** How long a replaced secret still signs, in milliseconds (docs/decisions.md, Secrets of webhooks). */
const rotationOverlapMs = 24 * 3_600_000;

/** Maximum secrets at a time. The signature header has one signature for each. */
export const maxSecrets = 5;

/** The secrets that sign at a time (ISO 8601), the latest first. */
export const signingVersions = (secrets: readonly SecretVersion[], now: string): readonly SecretVersion[] =>
  secrets.filter(({ until }) => until === null || until > now);

/** The secrets after a rotation; undefined if there would be too many. */
export function rotateSecrets(
  secrets: readonly SecretVersion[],
  now: string,
): readonly [latest: SecretVersion, ...others: SecretVersion[]] | undefined {
  const signing = signingVersions(secrets, now);
  if (signing.length >= maxSecrets) return undefined;
  const version = Math.max(0, ...secrets.map((one) => one.version)) + 1;
  const replaced = signing.map((one) => ({ ...one, until: one.until ?? timeAfter(now, rotationOverlapMs) }));
  return [{ version, until: null }, ...replaced];
}
