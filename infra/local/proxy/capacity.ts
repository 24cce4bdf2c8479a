import { isObject, parseJson } from "../json.ts";
import type { Operation } from "./operations.ts";

const measured: ReadonlySet<string> = new Set([
  ...["GetItem", "BatchGetItem", "TransactGetItems", "Query", "Scan"],
  ...["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"],
]);

/** Whether DynamoDB tells what this operation consumed. */
export const isMeasured = ({ service, name }: Operation): boolean =>
  service === "dynamodb" && measured.has(name);

/** Adds to a request the wish to be told the consumed capacity, unless the function asks for that itself. */
export const askForCapacity = (body: Buffer, input: unknown): Buffer => {
  if (!isObject(input) || "ReturnConsumedCapacity" in input || Object.keys(input).length === 0) return body;
  const start = body.indexOf("{") + 1;
  return Buffer.concat([Buffer.from('{"ReturnConsumedCapacity":"TOTAL",'), body.subarray(start)]);
};

/** The sum of the units that an answer states. It has one statement, or one for each table. */
export const consumedUnits = (body: Buffer): number | undefined => {
  const answer = parseJson(body.toString("utf8"));
  const consumed = isObject(answer) ? answer["ConsumedCapacity"] : undefined;
  if (consumed === undefined) return undefined;
  const parts: unknown[] = Array.isArray(consumed) ? consumed : [consumed];
  return parts.reduce<number>(
    (sum, part) => sum + (isObject(part) ? Number(part["CapacityUnits"] ?? 0) : 0),
    0,
  );
};
