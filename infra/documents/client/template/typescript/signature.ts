/** Verifies what webhooks post, by the rules of Standard Webhooks. */
import type { webhooks } from "./schema.ts";

/** The bodies that webhooks post, by type of event. */
type Bodies = {
  [Type in keyof webhooks]: webhooks[Type] extends {
    post: { requestBody: { content: { "application/json": infer Body } } };
  }
    ? Body
    : never;
};

/** What a webhook posts: an event, or the test of a webhook. */
export type DeliveredEvent = Bodies[keyof Bodies];

/** The request is not signed with the webhook's secret, or is too old. */
export class SignatureError extends Error {
  override readonly name = "SignatureError";
}

/** Headers of a request: those of `fetch`, or those of a Node server. */
export type ReceivedHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** How far the clocks of both sides may differ, in seconds. */
const tolerance = 300;

/**
 * The event in the body of a webhook's request.
 * @param body the bytes as they arrived, before anything has parsed them
 * @param secret the webhook's `whsec_…`
 * @throws {SignatureError} if the signature does not verify, or was made more than 5 minutes ago
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: ReceivedHeaders,
  secret: string,
): Promise<DeliveredEvent> {
  const timestamp = headerIn(headers, "webhook-timestamp");
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp || Number.NaN)) <= tolerance))
    throw new SignatureError("webhook-timestamp is missing, or more than 5 minutes from now");
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${headerIn(headers, "webhook-id")}.${timestamp}.${text}`);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const bytes = bytesOf(secret.replace(/^whsec_/, ""));
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
  // While a secret is rotated there are two signatures.
  for (const signature of headerIn(headers, "webhook-signature").split(" ")) {
    const isOurs = signature.startsWith("v1,");
    if (isOurs && (await crypto.subtle.verify("HMAC", key, bytesOf(signature.slice(3)), signed)))
      return JSON.parse(text);
  }
  throw new SignatureError("webhook-signature does not verify");
}

function headerIn(headers: ReceivedHeaders, name: string): string {
  if (typeof headers.get === "function") return String(headers.get(name) ?? "");
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return String(found ?? "");
}

/** The bytes of a base64 text; none if it is no base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
