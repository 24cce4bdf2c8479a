/** A local port that receives webhooks. Other requests to the port get the status 404 and do not count. */
import { isSigned, listen } from "./receiver.ts";

const webhookHeaders = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

/** @returns `origin`: its URL without a trailing slash */
export async function openInbox(port?: number) {
  const count = { verified: 0, forged: 0 };
  let expected: string | undefined;
  const { origin, close } = await listen(({ method, headers }, body, response) => {
    const isWebhook = method === "POST" && webhookHeaders.every((name) => typeof headers[name] === "string");
    if (!isWebhook || expected === undefined) {
      response.writeHead(404).end();
      return;
    }
    const isVerified = isSigned(headers, body, expected);
    count[isVerified ? "verified" : "forged"] += 1;
    response.writeHead(isVerified ? 204 : 401).end();
  }, port);
  return {
    origin,
    /** Starts to count webhooks. They must be signed with this secret. */
    expectSignedBy: (secret: string): void => {
      expected = secret;
    },
    verified: () => count.verified,
    /** The number of requests that have a webhook's headers and an invalid signature. */
    forged: () => count.forged,
    close,
  };
}
