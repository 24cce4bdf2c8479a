import { once } from "node:events";
import { createServer as createTcpServer, type Server } from "node:net";
import { LocalProblem } from "./problem.ts";

export const loopback = "127.0.0.1";

/** A port that was free a moment ago, for a program that cannot choose one itself. */
export const freePort = (): Promise<number> => expectFree(0);

/** Throws if a port is taken, before anything is started. Returns the port; for 0, the system chooses one. */
export const expectFree = async (port: number): Promise<number> => {
  const probe = createTcpServer();
  const free = await listen(probe, port);
  probe.close();
  await once(probe, "close");
  return free;
};

/** Makes a server listen on this machine only, and returns the port. For 0, the system chooses a free one. */
export const listen = async (server: Server, port: number): Promise<number> => {
  server.listen(port, loopback);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new LocalProblem(explain(error, port));
  }
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has an address.");
  return address.port;
};

const explain = (error: unknown, port: number): string => {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return `Port ${port} is taken. Stop what uses it, or choose another with --port.`;
  if (code === "EACCES") return `Port ${port} may not be used. Choose another with --port.`;
  return `Port ${port} cannot be used: ${String(error)}`;
};
