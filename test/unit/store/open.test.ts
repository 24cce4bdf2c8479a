import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { connect, type Database } from "../../../shared/store/database.ts";
import { open } from "../../../shared/store/open.ts";
import { getItem } from "../../../shared/store/reads.ts";
import { at } from "../../support/client.ts";

const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

type Answers = (request: IncomingMessage, response: ServerResponse) => void;

/** A database whose endpoint answers so. */
async function databaseAt(answers: Answers): Promise<Database> {
  const server = createServer(answers);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  const db = connect(
    { TABLE_ORDERS: "orders" },
    {
      endpoint: `http://127.0.0.1:${at(address, "port")}`,
      region: "eu-west-1",
      credentials: { accessKeyId: "a", secretAccessKey: "b" },
    },
  );
  closing.push(
    () => db.client.destroy(),
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return db;
}

test("a client that opens asks for nothing stored, and its first call finds the connection there", async () => {
  const seen: { readonly method: unknown; readonly signed: boolean; readonly socket: Socket }[] = [];
  const db = await databaseAt(({ method, headers, socket }, response) => {
    seen.push({ method, signed: headers.authorization !== undefined, socket });
    // What DynamoDB answers to a GET.
    response.end(method === "GET" ? "healthy: dynamodb.eu-west-1.amazonaws.com" : "{}");
  });

  await open(db.client);
  await getItem(db, { table: "orders", key: { pk: "a", sk: "b" } });

  expect(seen.map(({ method, signed }) => ({ method, signed }))).toEqual([
    { method: "GET", signed: false },
    { method: "POST", signed: true },
  ]);
  expect(new Set(seen.map(({ socket }) => socket)).size).toBe(1);
});

test.each<[string, Answers]>([
  ["refuses", (_, response) => response.writeHead(400).end("{}")],
  ["fails", (_, response) => response.writeHead(500).end("{}")],
  ["breaks off", ({ socket }) => socket.destroy()],
  ["never answers", () => undefined],
  ["breaks off in the middle", (_, response) => response.write("healthy", () => response.destroy())],
  ["never ends", (_, response) => response.write("healthy")],
  ["answers without a body", (_, response) => response.writeHead(204).end()],
])("a client whose endpoint %s is there all the same within seconds", async (_, answers) => {
  const db = await databaseAt(answers);
  const start = performance.now();

  await open(db.client);

  expect(performance.now() - start).toBeLessThan(3_000);
});

test("an endpoint that fails is asked once, not again as for a call", async () => {
  let asked = 0;
  const db = await databaseAt((_, response) => {
    asked += 1;
    response.writeHead(500).end("{}");
  });

  await open(db.client);

  expect(asked).toBe(1);
});
