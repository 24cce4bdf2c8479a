import * as z from "zod";
import type { Runtime } from "../../../infra/local/index.ts";

/** A request that the function of a fixture makes. */
export interface Step {
  readonly service: "dynamodb" | "sqs" | "secretsmanager";
  readonly operation: string;
  readonly input: unknown;
}

const resultsSchema = z.array(z.object({ status: z.number(), body: z.record(z.string(), z.unknown()) }));

export type Result = z.infer<typeof resultsSchema>[number];

/** Lets a function take steps, and gives their results. */
export const takeSteps = async (
  runtime: Runtime,
  name: string,
  steps: readonly Step[],
  parallel = false,
): Promise<Result[]> => resultsSchema.parse(await runtime.invoke(name, { steps, parallel }));

/** The error code of a result; `undefined` for a success. */
export const codeOf = (result: Result | undefined): string | undefined => {
  if (result === undefined || result.status === 200) return undefined;
  return String(result.body["__type"]).replace(/^.*#/, "");
};

/** The steps of a function that knows this runtime's table and queue. */
export const stepsFor = (runtime: Runtime) => {
  const TableName = runtime.dynamodb.tables["TABLE_THINGS"] ?? "";
  const QueueUrl = runtime.sqs.queues["QUEUE_LETTERS"] ?? "";
  const item = (pk: string) => ({ pk: { S: pk }, sk: { S: "count" } });
  const dynamodb = (operation: string, input: object): Step => ({
    service: "dynamodb",
    operation,
    input: { TableName, ...input },
  });
  return {
    /** A request about the table. */
    dynamodb,
    put: (pk: string): Step => dynamodb("PutItem", { Item: item(pk) }),
    get: (pk: string): Step => dynamodb("GetItem", { Key: item(pk), ConsistentRead: true }),
    query: (pk: string, IndexName?: string): Step =>
      dynamodb("Query", {
        ...(IndexName && { IndexName }),
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": { S: pk } },
      }),
    transact: (kinds: readonly ("Put" | "Delete")[], pk: string): Step => ({
      service: "dynamodb",
      operation: "TransactWriteItems",
      input: {
        TransactItems: kinds.map((kind, place) => {
          const key = { pk: { S: pk }, sk: { S: String(place) } };
          return kind === "Put" ? { Put: { TableName, Item: key } } : { Delete: { TableName, Key: key } };
        }),
      },
    }),
    secret: (SecretId: string, operation = "GetSecretValue"): Step => ({
      service: "secretsmanager",
      operation,
      input: { SecretId },
    }),
    send: (MessageBody: string): Step => ({
      service: "sqs",
      operation: "SendMessage",
      input: { QueueUrl, MessageBody },
    }),
  };
};
