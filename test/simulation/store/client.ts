/**
 * The document client's calls without the SDK: values are converted by its own marshalling, and a call
 * is sent again as the SDK and `database.ts` do. Signing, serialization and HTTP are left out.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { AttributeValue, ServiceInputTypes, ServiceOutputTypes } from "@aws-sdk/client-dynamodb";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import { resending } from "../../../shared/store/dynamodb/database.ts";
import type { Item } from "./expressions.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Command {
  readonly input: object;
}

type CarryOut = (command: string, input: ServiceInputTypes) => Promise<ServiceOutputTypes>;

/** What the low-level client calls the document client's commands. */
const commandNames: Readonly<Record<string, string>> = {
  BatchGetCommand: "BatchGetItem",
  DeleteCommand: "DeleteItem",
  GetCommand: "GetItem",
  PutCommand: "PutItem",
  QueryCommand: "Query",
  ScanCommand: "Scan",
  TransactWriteCommand: "TransactWriteItems",
  UpdateCommand: "UpdateItem",
};

/** How often the SDK sends a call, as `database.ts` configures it. */
const maxAttempts = 4;

/** A client's `send` whose calls are carried out by `carryOut`, in the form of the low-level client. */
export const sending =
  (carryOut: CarryOut) =>
  async (command: Command): Promise<object> => {
    const name = commandNames[command.constructor.name] ?? command.constructor.name;
    const input = inputOf(command.input);
    const resend = resending(`${name}Command`);
    const send = () => carryOut(name, input);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return outputOf(await resend(send));
      } catch (error) {
        if (attempt >= maxAttempts || !isTransient(error)) throw error;
        await sleep(Math.random() * 100 * 2 ** (attempt - 1));
      }
    }
  };

/** Whether the SDK sends a call again after this error. `resending` handles throttling. */
const isTransient = (error: unknown): boolean =>
  error instanceof Error && (error.name === "TimeoutError" || error.name === "InternalServerError");

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** Fields as an item holds them. */
export const attributesOf = (fields: Fields): Item => marshall(fields, { removeUndefinedValues: true });

/** The fields of an input that hold an item, a key or values of expressions. */
const documents: ReadonlySet<string> = new Set([
  "Key",
  "Item",
  "ExpressionAttributeValues",
  "ExclusiveStartKey",
]);

/** An input with its values as attribute values. The parts of transactions and of batches are inputs, too. */
function inputOf(input: object): ServiceInputTypes {
  const converted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    if (documents.has(name) && isFields(value)) converted[name] = attributesOf(value);
    else if (name === "Keys" && Array.isArray(value)) converted[name] = value.map(attributesOf);
    else if (name === "TransactItems" && Array.isArray(value)) converted[name] = value.map(inputOf);
    else if (name === "ExpressionAttributeNames") converted[name] = value;
    else converted[name] = isFields(value) ? inputOf(value) : value;
  }
  return converted;
}

/** The fields of an output that hold an item. */
function outputOf(output: ServiceOutputTypes): object {
  const converted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(output)) {
    if (name === "Items" && Array.isArray(value)) converted[name] = value.map((item) => unmarshall(item));
    else if (name === "Responses") converted[name] = responsesOf(value);
    else if (["Item", "Attributes", "LastEvaluatedKey"].includes(name)) converted[name] = unmarshall(value);
    else converted[name] = value;
  }
  return converted;
}

const responsesOf = (responses: Readonly<Record<string, readonly Record<string, AttributeValue>[]>>) =>
  Object.fromEntries(
    Object.entries(responses).map(([table, items]) => [table, items.map((item) => unmarshall(item))]),
  );
