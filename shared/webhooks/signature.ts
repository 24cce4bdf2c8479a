/** Signatures and secrets according to Standard Webhooks 1.0: https://www.standardwebhooks.com */
import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";

/** Bytes of a secret; the standard requires 24 to 64. */
const secretBytes = 32;

/** A new secret, in the form that clients store. */
export const newSecret = (): string => `${prefix}${randomBytes(secretBytes).toString("base64")}`;

/** A message to sign. `timestamp` is in epoch seconds. The id is the same for every attempt. */
interface Signed {
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
}

function signatureOf(secret: string, { id, timestamp, body }: Signed): string {
  if (!secret.startsWith(prefix)) throw new Error("a webhook's secret has another form");
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}

/** The headers by which a receiver verifies the sender, with a signature for each secret. */
export const signedHeaders = (
  signed: Signed,
  secrets: readonly string[],
): Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> => ({
  "webhook-id": signed.id,
  "webhook-timestamp": String(signed.timestamp),
  "webhook-signature": secrets.map((secret) => signatureOf(secret, signed)).join(" "),
});
