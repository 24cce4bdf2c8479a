import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { disabledReasons, health, healthy } from "./sending/health.ts";
import { timeAfter } from "./sending/retry-schedule.ts";

/** Most webhooks of an account (docs/decisions.md, Webhooks). */
export const maxWebhooks = 20;

/** Which secrets a webhook signs with: the latest, and those that it replaced less than a day ago. */
const secretVersion = z.object({
  version: primitive.int,
  /** When it signs no more, ISO 8601; null for the latest. */
  until: primitive.textOrNull,
});
export type SecretVersion = z.output<typeof secretVersion>;

/** A webhook as its account has set it. Its secrets lie elsewhere. */
export const webhook = z.object({
  account_id: primitive.int,
  webhook_id: primitive.int,
  url: primitive.text,
  description: primitive.textOrNull,
  /** Types of events, also `order.*` and `*`. */
  types: z.array(primitive.text),
  active: primitive.boolean,
  /** Why the service switched it off; null where it did not. */
  disabled_reason: z.nullable(z.enum(disabledReasons)),
  disabled_at: primitive.textOrNull,
  secrets: z.array(secretVersion),
  /** Rises with every change. */
  version: primitive.int,
  created_at: primitive.text,
  updated_at: primitive.text,
});
export type Webhook = z.output<typeof webhook>;

/** How far a webhook has come. This changes with everything that is sent, and so lies apart from the settings. */
export const progress = z.extend(health, {
  /** The sequence up to which events are handed over. */
  cursor: primitive.int,
  /** Rises where the account has the sending begin anew: at another place of the feed, or with another receiver. */
  revision: primitive.int,
  /** When that was last, or when the webhook was made, ISO 8601. */
  begun_at: primitive.text,
  /** Rises where somebody wants the sender to look once more. */
  touched: primitive.int,
  /** Who sends just now, and until when nobody else may, in epoch milliseconds; 0 where nobody does. */
  lease_token: primitive.text,
  lease_until: primitive.int,
});
export type Progress = z.output<typeof progress>;

/** The progress of a new webhook: what happens from now on is sent. */
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

/** How long a secret that was replaced still signs, in milliseconds (docs/decisions.md, Secrets of webhooks). */
const afterRotation = 24 * 3_600_000;

/** Most secrets at a time: a header takes one signature of each. */
export const maxSecrets = 5;

/** The secrets that sign at a time (ISO 8601), the latest first. */
export const signingSecrets = (secrets: readonly SecretVersion[], now: string): readonly SecretVersion[] =>
  secrets.filter(({ until }) => until === null || until > now);

/** The secrets after a rotation. Undefined where too many sign. */
export function rotated(
  secrets: readonly SecretVersion[],
  now: string,
): readonly [latest: SecretVersion, ...others: SecretVersion[]] | undefined {
  const signing = signingSecrets(secrets, now);
  if (signing.length >= maxSecrets) return undefined;
  const version = Math.max(0, ...secrets.map((one) => one.version)) + 1;
  const replaced = signing.map((one) => ({ ...one, until: one.until ?? timeAfter(now, afterRotation) }));
  return [{ version, until: null }, ...replaced];
}
