/** A plain URL for an HTTP API of the emulator, which tells its APIs apart by the header `Host` alone. */
import { Agent, createServer, request } from "node:http";
import { listen } from "../../../infra/local/index.ts";
import type { Emulator } from "./emulator.ts";

export interface Gateway {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Forwards every call to the HTTP API with this id, byte by byte. */
export async function openGateway({ port }: Emulator, apiId: string): Promise<Gateway> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, host: `${apiId}.execute-api.localhost:${port}` };
    const { method, url: path } = incoming;
    const forwarded = request({ host: "127.0.0.1", port, method, path, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", (error) => outgoing.destroy(error));
    incoming.pipe(forwarded);
  });
  const own = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${own}`,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
