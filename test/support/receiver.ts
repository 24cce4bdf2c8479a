/** A receiver of webhooks on this machine. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";

/** What came, as it came. */
export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  close(): Promise<void>;
}

/** Begins to receive. `answer` may leave requests without an answer. */
export async function startReceiver(answer: RequestListener): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
    received.push({
      path: request.url ?? "",
      headers: Object.fromEntries(headers),
      body: Buffer.concat(chunks).toString(),
    });
    answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the receiver has no port");
  return {
    url: `http://127.0.0.1:${address.port}/hooks-of-the-shop?key=in-the-query`,
    received,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
