import { type DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";

/** How long a client may take to open, in milliseconds. Whoever waits longer opens it by the first call. */
const patience = 1_000;

/**
 * Has a client do all that it does only once: settle its configuration, load what it needs, connect. A read goes through
 * the whole client for that. In its place the endpoint is asked, unsigned, whether it is there: this reads nothing, needs
 * no permission and costs nothing. What becomes of it does not matter, as every call would do the same.
 */
export async function open(client: DynamoDBDocumentClient): Promise<void> {
  const read = new GetCommand({ TableName: "none", Key: { pk: "none", sk: "none" } });
  read.middlewareStack.add(
    (next) => (args) =>
      next({ ...args, request: Object.assign({}, args.request, { method: "GET", headers: {}, body: "" }) }),
    { step: "finalizeRequest", priority: "low" },
  );
  await client.send(read, { abortSignal: AbortSignal.timeout(patience) }).catch(() => undefined);
}
