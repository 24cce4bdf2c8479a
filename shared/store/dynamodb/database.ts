import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { deploymentOf, readDeploymentItem } from "../layouts/deployment.ts";
import { firstLayout, type Layouts, type LayoutsInUse } from "../layouts/layouts.ts";
import { type TableName, tableSchemas } from "../tables.ts";
import { backOff, inBudget } from "./retry.ts";

/** An open connection to the tables. Everything that reads or writes takes one. */
export interface Database {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: (table: TableName) => string;
  readonly layouts: LayoutsInUse;
  /** The items that this instance has met crowded, by their places; see `crowded.ts`. */
  readonly crowded: Set<string>;
}

/** Milliseconds after which a call that hangs is given up and retried. A Lambda has 29 s in all. */
const requestTimeout = 8_000;

/** What the client would do at each call for nothing that the service needs. */
const useless = [
  // Copies the call's input and output for a log that is not kept.
  "loggerMiddleware",
  // Tells DynamoDB which SDK is calling, on which system.
  "getUserAgentMiddleware",
  // Passes the trace on, by which Lambda finds functions that call themselves. No table calls a function by it.
  "recursionDetectionMiddleware",
];

/**
 * Connects with the names found in `variables` (`TABLE_ORDERS` and so on).
 * A table that the caller's `access` does not state has no variable, and using it throws. Items are read and written in
 * these `layouts`.
 */
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
  for (const name of useless) client.middlewareStack.remove(name);
  // Behind the client's own retries, whose priority is high: those would wait for throttling up to 3.5 s at each call.
  client.middlewareStack.add(
    (next, { commandName }) => {
      const sends: Sends = { isTransaction: commandName === "TransactWriteItemsCommand", mayBeStored: false };
      return (args) => inBudget(() => untilNotThrottled(() => next(args), sends));
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
    crowded: new Set(),
    layouts: deploymentOf(layouts, (signal) => readDeploymentItem(named, signal)),
  };
}

/**
 * What DynamoDB answers where a call comes too fast, or while an earlier send of the same transaction is under way. What
 * throttles one item of a transaction is for `commit` to see.
 */
const throttling: ReadonlySet<string> = new Set([
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ThrottlingException",
  "TransactionInProgressException",
]);

/** What is known of the earlier sends of a call. The client sends a call again whose answer is lost. */
interface Sends {
  readonly isTransaction: boolean;
  /** Whether an earlier send may have been carried out, or is just now. */
  mayBeStored: boolean;
}

/** Sends a call again while it is throttled. @throws Busy, except for a transaction that may be stored */
async function untilNotThrottled<T>(send: () => Promise<T>, sends: Sends): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const isThrottled = error instanceof Error && throttling.has(error.name);
      if (!isThrottled || error.name === "TransactionInProgressException") sends.mayBeStored = true;
      if (!isThrottled) throw error;
      await backOff(attempt, error).catch((busy: unknown) => {
        // Busy would say that nothing is stored. The client does not retry an error of this kind.
        throw sends.isTransaction && sends.mayBeStored
          ? new Error("a transaction may be stored or not", { cause: error })
          : busy;
      });
    }
  }
}
