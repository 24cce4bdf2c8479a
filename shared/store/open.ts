import { Readable } from "node:stream";
import { type DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";

/** How long a client may take to open, in milliseconds. Whoever waits longer opens it by the first call. */
const patience = 1_000;

/** What a read of nothing is answered: `{}`. */
const nothing = { statusCode: 200, headers: {}, body: new Uint8Array([123, 125]) };

/**
 * Has a client do all that it does only once: settle its configuration, load what it needs, connect. A read goes through
 * the whole client for that. In its place the endpoint is asked, unsigned, whether it is there: this reads nothing, needs
 * no permission and costs nothing. What becomes of it does not matter, as every call would do the same. So the client is told
 * that nothing was found: what it does for an error, a call hardly ever needs.
 */
export async function open(client: DynamoDBDocumentClient): Promise<void> {
  const read = new GetCommand({ TableName: "none", Key: { pk: "none", sk: "none" } });
  read.middlewareStack.add(
    (next) => async (args) => {
      const request = Object.assign({}, args.request, { method: "GET", headers: {}, body: "" });
      const { response } = await next({ ...args, request });
      await readToItsEnd(response);
      return { response: nothing };
    },
    { step: "deserialize", priority: "low" },
  );
  await client.send(read, { abortSignal: AbortSignal.timeout(patience) }).catch(() => undefined);
}

/** A connection is kept only where its answer was read. */
async function readToItsEnd(response: unknown): Promise<void> {
  if (!(response instanceof Object && "body" in response && response.body instanceof Readable)) return;
  for await (const _ of response.body);
}
