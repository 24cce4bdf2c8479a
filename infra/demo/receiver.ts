import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A server that receives posts on a port of this machine. */
export interface Receiver {
  /** Without a slash at the end. */
  readonly origin: string;
  close(): Promise<void>;
}

/** What is done with a request once its body is there. It may leave the request without an answer. */
type Handle = (request: IncomingMessage, body: string, response: ServerResponse) => void;

/** Bytes of a body that is read. Webhooks are far smaller. */
const maxBodyBytes = 1024 * 1024;

/**
 * Begins to receive, on a free port if none is named. A request that is aborted, or too large, is passed
 * over.
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

/** The body of a request; undefined if it is too large. @throws if the client breaks off */
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
