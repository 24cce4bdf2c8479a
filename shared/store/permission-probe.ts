/**
 * Tries out which items a function's role lets it reach: by each verb, alone, in a transaction and in a batch, one key that the
 * role allows and one that it refuses. `dynamodb:LeadingKeys` is documented for single calls; what holds for transactions only AWS
 * can tell, and no one but a function has a function's role.
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

/** How the partition keys begin that the probe's role allows. */
const allowedKind = "probe#allowed#";

/** How those begin that it refuses. No function is allowed them. */
const refusedKind = "probe#refused#";

/** What the role of the probe may do: as other roles, it names the kind of items in its only condition. */
export const probeAccess: Access = { [table]: { [allowedKind]: "write" } };

/** Seconds after which an item is deleted that a probe left because it died. */
const lifetime = 3_600;

/** A call that was tried. */
export interface ProbedCall {
  readonly verb: Verb;
  /** DynamoDB's name of it. */
  readonly call: string;
  /** What the keys are that it names: a batch or a transaction may name several. */
  readonly keys: "allowed" | "refused" | "both";
  /** `refused` stands for IAM's rejection, `done` for a success, and anything else is the name of an error. */
  readonly outcome: string;
}

interface Attempt extends Omit<ProbedCall, "outcome"> {
  readonly send: () => Promise<unknown>;
}

/** Tries all calls, one after another, and removes what they stored. */
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

/** A write alone and in a transaction, by each kind of key, and a transaction that names both kinds. */
function writing(db: Database, verb: Exclude<Verb, "read">, allowed: Key, refused: Key): readonly Attempt[] {
  const single = { insert: "PutItem", change: "UpdateItem", remove: "DeleteItem" }[verb];
  const transaction =
    (...keys: readonly Key[]) =>
    () =>
      db.client.send(new TransactWriteCommand({ TransactItems: keys.map((key) => itemOf(db, verb, key)) }));
  return [
    { verb, call: single, keys: "refused", send: () => sendAlone(db, verb, refused) },
    { verb, call: "TransactWriteItems", keys: "refused", send: transaction(refused) },
    { verb, call: "TransactWriteItems", keys: "both", send: transaction(allowed, refused) },
    { verb, call: "TransactWriteItems", keys: "allowed", send: transaction(allowed) },
    { verb, call: single, keys: "allowed", send: () => sendAlone(db, verb, allowed) },
  ];
}

const expiry = (): number => Math.floor(Date.now() / 1000) + lifetime;

const update = {
  UpdateExpression: "SET #probed = :probed",
  ExpressionAttributeNames: { "#probed": "probed" },
  ExpressionAttributeValues: { ":probed": 1 },
};

function itemOf(db: Database, verb: Exclude<Verb, "read">, key: Key) {
  const TableName = db.tableName(table);
  const Key = { ...key };
  switch (verb) {
    case "insert":
      return { Put: { TableName, Item: { ...Key, expires_at: expiry() } } };
    case "change":
      return { Update: { TableName, Key, ...update } };
    case "remove":
      return { Delete: { TableName, Key } };
  }
}

function sendAlone(db: Database, verb: Exclude<Verb, "read">, key: Key): Promise<unknown> {
  const TableName = db.tableName(table);
  const Key = { ...key };
  switch (verb) {
    case "insert":
      return db.client.send(new PutCommand({ TableName, Item: { ...Key, expires_at: expiry() } }));
    case "change":
      return db.client.send(new UpdateCommand({ TableName, Key, ...update }));
    case "remove":
      return db.client.send(new DeleteCommand({ TableName, Key }));
  }
}

/** Each way to read, by each kind of key, and a batch that names both kinds. */
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
