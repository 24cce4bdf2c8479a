import { arn } from "../aws-environment.ts";
import { isObject } from "../json.ts";
import { leadingKeys, type Permission } from "./iam.ts";
import { LeadingKeys } from "./leading-keys.ts";
import { type Touched, tableName, touchedItems } from "./touched.ts";

export type Service = "dynamodb" | "sqs" | "secretsmanager";

/** A request to one of the services, reduced to what the proxy needs. */
export interface Operation {
  readonly service: Service;
  readonly name: string;
  /** The names of the tables in the request, each once. */
  readonly tables: readonly string[];
  readonly queue: string | undefined;
  /** Whether it may change items of tables. */
  readonly writes: boolean;
  /** The permissions that the caller needs. */
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

/** The defaults of an operation. */
const none = { tables: [], queue: undefined, writes: false, transactionItems: 0 } as const;

const readDynamo = (name: string, input: Input, keys: LeadingKeys): Operation => {
  const items = touchedItems(name, input);
  const touches = items.length > 0 ? items : [wholeTable(name, input)];
  const { TransactItems, IndexName: index } = input;
  const stated = {
    ...stringOf("dynamodb:ReturnValues", input["ReturnValues"]),
    ...stringOf("dynamodb:Select", input["Select"]),
  };
  return {
    ...none,
    service: "dynamodb",
    name,
    tables: [...new Set(touches.map(({ table }) => table))],
    writes: writing.has(name),
    permissions: askedTogether(name, touches).flatMap((together) => {
      const leading =
        name === "Query"
          ? together.flatMap(({ table }) => keys.ofQuery(table, index, input))
          : together.flatMap(({ table, attributes }) => keys.ofItem(table, attributes));
      return together.slice(0, 1).map(({ action, table }) => ({
        action: `dynamodb:${action}`,
        resource: `${arn("dynamodb", `table/${table}`)}${index === undefined ? "" : `/index/${index}`}`,
        keys: { ...stated, ...(leading.length > 0 && { [leadingKeys]: leading }) },
      }));
    }),
    transactionItems: Array.isArray(TransactItems) ? TransactItems.length : 0,
  };
};

/** The items that IAM checks together: of a batch, all items of a table; of a transaction, each item. */
const askedTogether = (name: string, touches: readonly Touched[]): readonly (readonly Touched[])[] =>
  name.startsWith("Batch")
    ? [...Map.groupBy(touches, ({ table }) => table).values()]
    : touches.map((touch) => [touch]);

/** A request without a table (ListTables, PartiQL) requires all tables, which no function is granted. */
const wholeTable = (action: string, { TableName = "*" }: Input) => ({
  action,
  table: tableName(TableName),
  attributes: {},
});

const stringOf = (key: string, value: unknown): Record<string, readonly string[]> =>
  typeof value === "string" ? { [key]: [value] } : {};

/** IAM's SQS actions are not always named after the operation. */
const sqsActions: Readonly<Record<string, string>> = {
  SendMessageBatch: "SendMessage",
  DeleteMessageBatch: "DeleteMessage",
  ChangeMessageVisibilityBatch: "ChangeMessageVisibility",
};

const readSqs = (name: string, input: Input): Operation => {
  const queue = String(input["QueueName"] ?? input["QueueUrl"] ?? "*").replace(/^.*\//, "");
  const permissions = [{ action: `sqs:${sqsActions[name] ?? name}`, resource: arn("sqs", queue) }];
  return { ...none, service: "sqs", name, queue, permissions };
};

/** A secret may be given by its name. */
const readSecrets = (name: string, input: Input): Operation => {
  const id = String(input["SecretId"] ?? "*");
  const resource = id.startsWith("arn:") ? id : arn("secretsmanager", `secret:${id}`);
  const permissions = [{ action: `secretsmanager:${name}`, resource }];
  return { ...none, service: "secretsmanager", name, permissions };
};
