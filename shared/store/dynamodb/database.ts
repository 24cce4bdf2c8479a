import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import { deploymentLookup, deploymentOf } from "../layouts/deployment.ts";
import { firstLayout, type Layouts, type LayoutsInUse } from "../layouts/layouts.ts";
import { type TableName, tableSchemas } from "../tables.ts";
import type { DryRun } from "./dry-run.ts";
import type { RawItem } from "./keys.ts";
import { Busy, OutcomeUnknown, retrying } from "./retry.ts";

export interface Database {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: (table: TableName) => string;
  readonly layouts: LayoutsInUse;
  /** The hot keys that this instance has met; see `sharded-counter.ts`. */
  readonly hotKeys: Set<string>;
  /** The id of the call that it serves, if there is exactly one. See `traceWrites`. */
  readonly requestId?: string | undefined;
  /**
   * Resumes a saga that has locked an item. Operators have it, and each POST, PUT, PATCH and worker that may
   * store whatever a saga stores (`write-records`). Others wait until one of these or a schedule resumes it.
   */
  readonly resumeSaga?: ((db: Database, saga: string) => Promise<void>) | undefined;
  /** Present in a dry run, which stores nothing. */
  readonly dryRun?: DryRun | undefined;
}

/** Milliseconds after which a hanging call is cancelled and retried. A Lambda has 29 s in all. */
const requestTimeout = 8_000;

/** Default middleware that the service does not need. */
const unneeded = [
  // Copies the call's input and output for a log that is not kept.
  "loggerMiddleware",
  // Sends the names of the SDK and the system.
  "getUserAgentMiddleware",
  // Passes on the trace by which Lambda detects recursive calls. No table calls a function that way.
  "recursionDetectionMiddleware",
];

/** `variables` name the tables that the function's `access` states (`TABLE_ORDERS`). Others throw if used. */
export function connect(
  variables: Readonly<Record<string, string | undefined>>,
  config: DynamoDBClientConfig = {},
  layouts: Layouts = firstLayout,
): Database {
  const client = new DynamoDBClient({
    maxAttempts: 4,
    requestHandler: { connectionTimeout: 2_000, requestTimeout, throwOnRequestTimeout: true },
    ...config,
  });
  for (const name of unneeded) client.middlewareStack.remove(name);
  // Runs after the client's own retries, whose priority is high: they would wait up to 3.5 s for throttling
  // at each call.
  client.middlewareStack.add(
    (next, { commandName }) => {
      const resend = resending(commandName);
      return (args) => resend(() => next(args));
    },
    { step: "finalizeRequest", priority: "low" },
  );
  const named = {
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    tableName: (table: TableName) => {
      const name = variables[tableSchemas[table].variable];
      if (name === undefined) throw new Error(`access does not state the table ${table}`);
      return name;
    },
  };
  return {
    ...named,
    hotKeys: new Set(),
    layouts: deploymentOf(layouts, (signal) => readDeploymentItem(named, signal)),
  };
}

/** Reads the deployment's record, as every function does while it loads. */
export async function readDeploymentItem(
  { client, tableName }: Pick<Database, "client" | "tableName">,
  abortSignal?: AbortSignal,
): Promise<RawItem | undefined> {
  const { table, key } = deploymentLookup;
  const read = new GetCommand({ TableName: tableName(table), Key: { ...key }, ConsistentRead: true });
  return (await client.send(read, abortSignal === undefined ? {} : { abortSignal })).Item;
}

/** Calls come too fast, or an earlier attempt of a transaction runs. `commit` handles throttled items. */
const throttling: ReadonlySet<string> = new Set([
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ThrottlingException",
  "TransactionInProgressException",
]);

/**
 * Returns a function that sends one call within its budget, and again while it is throttled. The client's own
 * retries, such as for a lost response, use the same function.
 * @throws Busy, except for a transaction that may be stored
 */
export function resending(commandName: string | undefined): <T>(send: () => Promise<T>) => Promise<T> {
  let mayBeStored = false;
  const isThrottling = (error: unknown): boolean => {
    const isThrottled = error instanceof Error && throttling.has(error.name);
    if (!isThrottled || error.name === "TransactionInProgressException") mayBeStored = true;
    return isThrottled;
  };
  return (send) =>
    retrying(send, isThrottling).catch((error: unknown) => {
      const isTransaction = commandName === "TransactWriteItemsCommand";
      // Busy would say that nothing is stored.
      throw error instanceof Busy && isTransaction && mayBeStored ? new OutcomeUnknown(error.cause) : error;
    });
}
