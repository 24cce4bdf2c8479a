import { arn } from "../deployment-place.ts";
import { isObject } from "../json.ts";
import type { Permission } from "./iam.ts";

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

/** @param target the header `X-Amz-Target`, such as `DynamoDB_20120810.PutItem` */
export const readOperation = (target: string, body: unknown): Operation | undefined => {
  const [prefix, name] = target.split(".");
  const input = isObject(body) ? body : {};
  if (name === undefined) return undefined;
  if (prefix === "DynamoDB_20120810") return readDynamo(name, input);
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
}

const readDynamo = (name: string, input: Input): Operation => {
  const touches = dynamoTouches(name, input);
  const items = input["TransactItems"];
  return {
    service: "dynamodb",
    name,
    tables: [...new Set(touches.map(({ table }) => table))],
    queue: undefined,
    writes: writing.has(name),
    permissions: touches.map(({ action, table, index, returns }) => ({
      action: `dynamodb:${action}`,
      resource: `${arn("dynamodb", `table/${table}`)}${index === undefined ? "" : `/index/${index}`}`,
      ...(returns === undefined ? {} : { keys: { "dynamodb:ReturnValues": returns } }),
    })),
    transactionItems: Array.isArray(items) ? items.length : 0,
  };
};

const dynamoTouches = (name: string, input: Input): Touch[] => {
  if (name === "TransactWriteItems" || name === "TransactGetItems")
    return transactionTouches(input["TransactItems"]);
  const batch = input["RequestItems"];
  if (isObject(batch)) return Object.keys(batch).map((table) => ({ action: name, table: tableName(table) }));
  const index = input["IndexName"];
  // A request without a table (ListTables, PartiQL) asks for all tables, which no function is granted.
  const touch = { action: name, table: tableName(input["TableName"] ?? "*") };
  const returns = input["ReturnValues"];
  return [
    {
      ...touch,
      ...(typeof index === "string" ? { index } : {}),
      ...(typeof returns === "string" ? { returns } : {}),
    },
  ];
};

/** IAM has no action for a transaction. Each item of the transaction needs its own action. */
const itemActions: Readonly<Record<string, string>> = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "ConditionCheckItem",
  Get: "GetItem",
};

const transactionTouches = (items: unknown): Touch[] => {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown) => {
    const [kind, request] = Object.entries(isObject(item) ? item : {})[0] ?? [];
    const action = itemActions[kind ?? ""];
    return action === undefined || !isObject(request)
      ? []
      : [{ action, table: tableName(request["TableName"]) }];
  });
};

/** A table may be given by its ARN. */
export const tableName = (given: unknown): string => String(given).replace(/^arn:[^/]*:table\//, "");

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
