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

/** Begins to receive, on a free port if none is named. */
export async function listen(handle: Handle, port = 0): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    handle(request, Buffer.concat(chunks).toString("utf8"), response);
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
