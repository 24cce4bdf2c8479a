import { arn } from "../deployment-place.ts";
import { isObject } from "../json.ts";
import { leadingKeys, type Permission } from "./iam.ts";
import { LeadingKeys } from "./leading-keys.ts";
import { type Touched, tableName, touchedItems } from "./touched.ts";

export type Service = "dynamodb" | "sqs" | "secretsmanager";

/** A request to one of the services, as far as the proxy cares. */
export interface Operation {
  readonly service: Service;
  readonly name: string;
  /** Names of the tables that the request touches, each once. */
  readonly tables: readonly string[];
  readonly queue: string | undefined;
  /** Whether it may change items of tables. */
  readonly writes: boolean;
  /** What the caller must be granted. */
  readonly permissions: readonly Permission[];
  /** How many items a transaction has; 0 for everything else. */
  readonly transactionItems: number;
}

/** Unknown tables have no partition key. */
const ofNoTables = new LeadingKeys([]);

/**
 * @param target the header `X-Amz-Target`, such as `DynamoDB_20120810.PutItem`
 * @param keys finds the partition keys of the deployment's tables
 */
export const readOperation = (
  target: string,
  body: unknown,
  keys: LeadingKeys = ofNoTables,
): Operation | undefined => {
  const [prefix, name] = target.split(".");
  const input = isObject(body) ? body : {};
  if (name === undefined) return undefined;
  if (prefix === "DynamoDB_20120810") return readDynamo(name, input, keys);
  if (prefix === "AmazonSQS") return readSqs(name, input);
  if (prefix === "secretsmanager") return readSecrets(name, input);
  return undefined;
};

const writing: ReadonlySet<string> = new Set([
  "PutItem",
  "UpdateItem",
  "DeleteItem",
  "BatchWriteItem",
  "TransactWriteItems",
]);

type Input = Readonly<Record<string, unknown>>;

interface Touch {
  readonly action: string;
  readonly table: string;
  readonly index?: string;
  /** Which attributes of the item the caller wants answered. */
  readonly returns?: string;
  /** Which attributes a query or a scan asks for, or `COUNT` for none. */
  readonly select?: string;
  /** The partition keys that the request names. */
  readonly leading: readonly string[];
}

const readDynamo = (name: string, input: Input, keys: LeadingKeys): Operation => {
  const touches = dynamoTouches(name, input, keys);
  const items = input["TransactItems"];
  return {
    service: "dynamodb",
    name,
    tables: [...new Set(touches.map(({ table }) => table))],
    queue: undefined,
    writes: writing.has(name),
    permissions: touches.map(({ action, table, index, returns, select, leading }) => ({
      action: `dynamodb:${action}`,
      resource: `${arn("dynamodb", `table/${table}`)}${index === undefined ? "" : `/index/${index}`}`,
      keys: {
        ...(returns === undefined ? {} : { "dynamodb:ReturnValues": [returns] }),
        ...(select === undefined ? {} : { "dynamodb:Select": [select] }),
        ...(leading.length === 0 ? {} : { [leadingKeys]: leading }),
      },
    })),
    transactionItems: Array.isArray(items) ? items.length : 0,
  };
};

const dynamoTouches = (name: string, input: Input, keys: LeadingKeys): readonly Touch[] => {
  if (name === "TransactWriteItems" || name === "TransactGetItems")
    return transactionTouches(input["TransactItems"], keys);
  const batch = input["RequestItems"];
  if (isObject(batch)) {
    const items = touchedItems(name, input);
    return Object.keys(batch)
      .map(tableName)
      .map((table) => ({ action: name, table, leading: keys.ofItems(table, attributesIn(items, table)) }));
  }
  // A request without a table (ListTables, PartiQL) asks for all tables, which no function is granted.
  const table = tableName(input["TableName"] ?? "*");
  const index = typeof input["IndexName"] === "string" ? input["IndexName"] : undefined;
  const { ReturnValues: returns, Select: select } = input;
  return [
    {
      action: name,
      table,
      leading:
        name === "Query"
          ? keys.ofQuery(table, index, input)
          : keys.ofItems(table, attributesIn(touchedItems(name, input), table)),
      ...(index === undefined ? {} : { index }),
      ...(typeof returns === "string" ? { returns } : {}),
      ...(typeof select === "string" ? { select } : {}),
    },
  ];
};

const attributesIn = (items: readonly Touched[], table: string): readonly unknown[] =>
  items.filter((item) => item.table === table).map(({ attributes }) => attributes);

/** IAM has no action for a transaction. Each item of the transaction needs its own action. */
const itemActions: Readonly<Record<string, string>> = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "ConditionCheckItem",
  Get: "GetItem",
};

const transactionTouches = (items: unknown, keys: LeadingKeys): readonly Touch[] => {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown) => {
    const [kind, request] = Object.entries(isObject(item) ? item : {})[0] ?? [];
    const action = itemActions[kind ?? ""];
    if (action === undefined || !isObject(request)) return [];
    const table = tableName(request["TableName"]);
    return [{ action, table, leading: keys.ofItems(table, [request["Key"] ?? request["Item"]]) }];
  });
};

/** IAM's SQS actions are not always named after the operation. */
const sqsActions: Readonly<Record<string, string>> = {
  SendMessageBatch: "SendMessage",
  DeleteMessageBatch: "DeleteMessage",
  ChangeMessageVisibilityBatch: "ChangeMessageVisibility",
};

const readSqs = (name: string, input: Input): Operation => {
  const queue = String(input["QueueName"] ?? input["QueueUrl"] ?? "*").replace(/^.*\//, "");
  return {
    service: "sqs",
    name,
    tables: [],
    queue,
    writes: false,
    permissions: [{ action: `sqs:${sqsActions[name] ?? name}`, resource: arn("sqs", queue) }],
    transactionItems: 0,
  };
};

/** A secret may be given by its name. */
const readSecrets = (name: string, input: Input): Operation => {
  const id = String(input["SecretId"] ?? "*");
  const resource = id.startsWith("arn:") ? id : arn("secretsmanager", `secret:${id}`);
  return {
    service: "secretsmanager",
    name,
    tables: [],
    queue: undefined,
    writes: false,
    permissions: [{ action: `secretsmanager:${name}`, resource }],
    transactionItems: 0,
  };
};
