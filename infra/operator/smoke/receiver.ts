import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";

export interface Receiver {
  /** Without a trailing slash. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Handles a request whose body has been read. It may leave the request unanswered. */
type Handle = (request: IncomingMessage, body: string, response: ServerResponse) => void;

/** Larger bodies are rejected. Webhooks are far smaller. */
const maxBodyBytes = 1024 * 1024;

/**
 * Starts a server, on a free port by default. Aborted requests and bodies that are too large are not handled.
 */
export async function listen(handle: Handle, port = 0): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request).catch(() => undefined);
    if (body === undefined) response.writeHead(413, { connection: "close" }).end(() => request.destroy());
    else handle(request, body, response);
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the receiver has no port");
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { origin: `http://127.0.0.1:${address.port}`, close };
}

/** The body of a request; undefined if it is too large. @throws if the client aborts */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > maxBodyBytes) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Whether a webhook has a valid signature, and a timestamp within five minutes. */
export function isSigned(headers: IncomingHttpHeaders, body: string, secret: string): boolean {
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  try {
    new Webhook(secret).verify(body, Object.fromEntries(names.map((name) => [name, String(headers[name])])));
    return true;
  } catch {
    return false;
  }
}
