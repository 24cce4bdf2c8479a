/** Signatures and secrets as Standard Webhooks 1.0 states them: https://www.standardwebhooks.com */
import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";

/** Bytes of a secret; the standard asks for 24 to 64. */
const secretBytes = 32;

/** A new secret, in the form in which clients keep it. */
export const newSecret = (): string => `${prefix}${randomBytes(secretBytes).toString("base64")}`;

/** What is signed: a body, sent at a time (epoch seconds) under an id that stays the same however often it is sent. */
export interface Signed {
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
}

function signatureOf(secret: string, { id, timestamp, body }: Signed): string {
  if (!secret.startsWith(prefix)) throw new Error("a webhook's secret has another form");
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}

/** The headers that tell a receiver who sent a body. After a rotation there are several secrets, and one signature of each. */
export const signedHeaders = (
  signed: Signed,
  secrets: readonly string[],
): Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> => ({
  "webhook-id": signed.id,
  "webhook-timestamp": String(signed.timestamp),
  "webhook-signature": secrets.map((secret) => signatureOf(secret, signed)).join(" "),
});
