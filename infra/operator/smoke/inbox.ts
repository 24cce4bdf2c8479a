/**
 * What a port of this machine receives of a webhook. Whatever else reaches the port is answered, and does not
 * count.
 */
import { Webhook } from "standardwebhooks";
import { listen } from "../../demo/receiver.ts";

/** A port of this machine, and how many webhooks it received. */
export interface Inbox {
  /** Without a slash at the end. */
  readonly origin: string;
  /** From now on webhooks count. They must be signed by this secret. */
  readonly expectSignedBy: (secret: string) => void;
  /** Webhooks that are signed as they must be. */
  readonly verified: () => number;
  /** Requests that have a webhook's headers, and another signature. */
  readonly forged: () => number;
  readonly close: () => Promise<void>;
}

/** The headers that every webhook has. */
const names = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

export async function openInbox(port?: number): Promise<Inbox> {
  const count = { verified: 0, forged: 0 };
  let verifier: Webhook | undefined;
  const { origin, close } = await listen(({ method, headers }, body, response) => {
    const sent = names.flatMap((name) => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value] as const] : [];
    });
    if (method !== "POST" || sent.length < names.length || verifier === undefined) {
      response.writeHead(404).end();
      return;
    }
    const isSigned = verifies(verifier, body, Object.fromEntries(sent));
    count[isSigned ? "verified" : "forged"] += 1;
    response.writeHead(isSigned ? 204 : 401).end();
  }, port);
  return {
    origin,
    expectSignedBy: (secret) => {
      verifier = new Webhook(secret);
    },
    verified: () => count.verified,
    forged: () => count.forged,
    close,
  };
}

function verifies(verifier: Webhook, body: string, headers: Readonly<Record<string, string>>): boolean {
  try {
    verifier.verify(body, { ...headers });
    return true;
  } catch {
    return false;
  }
}
