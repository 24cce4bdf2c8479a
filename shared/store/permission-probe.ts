/**
 * Tests which items a function's role can reach: with each verb, alone, in a transaction and in a batch, one
 * key that the role allows and one that it denies. `dynamodb:LeadingKeys` is documented for single calls
 * only. How it applies to transactions can only be tested on AWS, by a function with such a role.
 */
import { randomUUID } from "node:crypto";
import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import type { Access, Verb } from "./access.ts";
import type { Database } from "./dynamodb/database.ts";
import { type Key, only } from "./dynamodb/keys.ts";
import type { TableName } from "./tables.ts";

const table = "identity" satisfies TableName;

/** Prefix of the partition keys that the probe's role allows. */
const allowedKind = "probe#allowed#";

/** Prefix of the partition keys that it denies. No function is allowed them. */
const refusedKind = "probe#refused#";

/** Like other roles, the probe's role names the kind of items in its only condition. */
export const probeAccess: Access = { [table]: { [allowedKind]: "write" } };

/** Seconds after which DynamoDB deletes the items of a probe that crashed. */
const lifetime = 3_600;

export interface ProbedCall {
  readonly verb: Verb;
  /** The name of the DynamoDB operation. */
  readonly call: string;
  /** The keys that the call names. A batch or a transaction may name several. */
  readonly keys: "allowed" | "refused" | "both";
  /** `refused` if IAM denies the call, `done` if it succeeds, else the name of the error. */
  readonly outcome: string;
}

interface Attempt extends Omit<ProbedCall, "outcome"> {
  readonly send: () => Promise<unknown>;
}

/** Makes all calls, one after another, and removes the items that they store. */
export async function probePermissions(db: Database): Promise<readonly ProbedCall[]> {
  const id = randomUUID();
  const allowed: Key = { pk: `${allowedKind}${id}`, sk: only };
  const refused: Key = { pk: `${refusedKind}${id}`, sk: only };
  const probed: ProbedCall[] = [];
  for (const { send, ...attempt } of [
    ...writing(db, "insert", allowed, refused),
    ...reading(db, allowed, refused),
    ...writing(db, "change", allowed, refused),
    ...writing(db, "remove", allowed, refused),
  ])
    probed.push({ ...attempt, outcome: await outcomeOf(send) });
  return probed;
}

async function outcomeOf(send: () => Promise<unknown>): Promise<string> {
  try {
    await send();
    return "done";
  } catch (error) {
    const name = error instanceof Error ? error.name : String(error);
    return name === "AccessDeniedException" ? "refused" : name;
  }
}

/** A write alone and in a transaction, for each kind of key, and a transaction with both kinds. */
function writing(db: Database, verb: Exclude<Verb, "read">, allowed: Key, refused: Key): readonly Attempt[] {
  const call = { insert: "PutItem", change: "UpdateItem", remove: "DeleteItem" }[verb];
  const alone = (key: Key) => writeOf(db, verb, key).send;
  const together =
    (...keys: readonly Key[]) =>
    () =>
      db.client.send(
        new TransactWriteCommand({ TransactItems: keys.map((key) => writeOf(db, verb, key).item) }),
      );
  return [
    { verb, call, keys: "refused", send: alone(refused) },
    { verb, call: "TransactWriteItems", keys: "refused", send: together(refused) },
    { verb, call: "TransactWriteItems", keys: "both", send: together(allowed, refused) },
    { verb, call: "TransactWriteItems", keys: "allowed", send: together(allowed) },
    { verb, call, keys: "allowed", send: alone(allowed) },
  ];
}

const expiry = (): number => Math.floor(Date.now() / 1000) + lifetime;

/** A write as an item of a transaction, and what sends it alone. */
function writeOf({ client, tableName }: Database, verb: Exclude<Verb, "read">, key: Key) {
  const item = { TableName: tableName(table), Key: { ...key } };
  switch (verb) {
    case "insert": {
      const input = { TableName: item.TableName, Item: { ...key, expires_at: expiry() } };
      return { item: { Put: input }, send: () => client.send(new PutCommand(input)) };
    }
    case "change": {
      const input = {
        ...item,
        UpdateExpression: "SET #probed = :probed",
        ExpressionAttributeNames: { "#probed": "probed" },
        ExpressionAttributeValues: { ":probed": 1 },
      };
      return { item: { Update: input }, send: () => client.send(new UpdateCommand(input)) };
    }
    case "remove":
      return { item: { Delete: item }, send: () => client.send(new DeleteCommand(item)) };
  }
}

/** Each read operation, for each kind of key, and a batch with both kinds. */
function reading(db: Database, allowed: Key, refused: Key): readonly Attempt[] {
  const TableName = db.tableName(table);
  const batch =
    (...keys: readonly Key[]) =>
    () =>
      db.client.send(
        new BatchGetCommand({ RequestItems: { [TableName]: { Keys: keys.map((key) => ({ ...key })) } } }),
      );
  const query =
    ({ pk }: Key) =>
    () =>
      db.client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: "#pk = :pk",
          ExpressionAttributeNames: { "#pk": "pk" },
          ExpressionAttributeValues: { ":pk": pk },
        }),
      );
  const get = (key: Key) => () => db.client.send(new GetCommand({ TableName, Key: { ...key } }));
  const verb = "read";
  return [
    { verb, call: "GetItem", keys: "allowed", send: get(allowed) },
    { verb, call: "GetItem", keys: "refused", send: get(refused) },
    { verb, call: "Query", keys: "allowed", send: query(allowed) },
    { verb, call: "Query", keys: "refused", send: query(refused) },
    { verb, call: "BatchGetItem", keys: "allowed", send: batch(allowed) },
    { verb, call: "BatchGetItem", keys: "refused", send: batch(refused) },
    { verb, call: "BatchGetItem", keys: "both", send: batch(allowed, refused) },
  ];
}
