/** A dry run refuses what the call would be refused for, and stores nothing (docs/decisions.md, Dry runs). */
import {
  BatchWriteCommand,
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import { tryChange } from "../../../shared/store/dynamodb/change-one.ts";
import { connect, type Database } from "../../../shared/store/dynamodb/database.ts";
import { dryRunOf } from "../../../shared/store/dynamodb/dry-run.ts";
import { queryRange } from "../../../shared/store/dynamodb/reads.ts";
import { commit } from "../../../shared/store/dynamodb/transact.ts";
import { type Condition, keyOf, type Write } from "../../../shared/store/dynamodb/writes.ts";
import { Random } from "../../simulation/schedule/random.ts";
import { operations } from "../../support/http/random.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { unique } from "../../support/records/records.ts";

const table = "orders";

const names = ["a", "b", "c", "d"];

/** A random write of one of these items, which have few attributes with few values. */
function writeOf(random: Random, pk: string): Write {
  const key = { pk, sk: random.of(names) };
  const attribute = random.of(["x", "y", "count"]);
  const value = random.below(3);
  const when = [...Array(random.below(3)).keys()].map((): Condition => {
    const [about, bound] = [random.of(["x", "y", "count", "pk"]), random.below(3)];
    return random.of([
      { attribute: about, is: random.of(["present", "absent"] as const) },
      { attribute: about, equals: bound },
      { attribute: about, equalsOrNew: bound },
      { attribute: about, atLeast: bound },
      { attribute: about, atMost: bound },
    ]);
  });
  return random.of<Write>([
    { kind: "insert", table, item: { ...key, [attribute]: value } },
    { kind: "change", table, key, set: { [attribute]: value }, when },
    { kind: "change", table, key, remove: [attribute], when },
    { kind: "change", table, key, add: { count: value + 1 }, when },
    { kind: "count", table, key, add: { count: 1 } },
    { kind: "removal", table, key, when },
  ]);
}

/** Writes of different items. */
const transactionOf = (random: Random, pk: string): readonly Write[] => {
  const writes = [...Array(1 + random.below(3))].map(() => writeOf(random, pk));
  return [...new Map(writes.map((write) => [keyOf(write).sk, write])).values()];
};

/** Sends transactions one after another. @returns the position in each of the write that was refused */
async function outcomesOf(db: Database, transactions: readonly (readonly Write[])[]): Promise<number[]> {
  const outcomes: number[] = [];
  for (const writes of transactions) {
    const failed = await commit(db, writes);
    outcomes.push(writes.findIndex((write) => failed && keyOf(write).sk === keyOf(failed).sk));
  }
  return outcomes;
}

const seeds = Array.from({ length: operations(150, 3000) }, (_, seed) => seed);

test("the transactions of a call are refused in a dry run at the same writes as if it stored them", {
  timeout: 60_000,
}, async () => {
  for (const seed of seeds) {
    const random = new Random(seed);
    const [{ db }, pk] = [faultyStore(), unique("dry")];
    const stored = names.map((sk): Write => {
      const item = { pk, sk, x: random.below(3), count: random.below(3) };
      return { kind: "insert", table, item };
    });
    await commit(db, stored);
    const before = await queryRange(db, { table, pk });
    const call = [...Array(5)].map(() => transactionOf(random, pk));

    const dry = await outcomesOf(dryRunOf(db), call);

    expect(await queryRange(db, { table, pk })).toEqual(before);
    const real = await outcomesOf(db, call);
    expect({ seed, outcomes: dry }).toEqual({ seed, outcomes: real });
  }
});

test("a transaction of 100 items that can all be refused is evaluated as a whole", async () => {
  const [{ db }, pk] = [faultyStore(), unique("dry")];
  const insert = (sk: number): Write => ({
    kind: "insert",
    table,
    item: { pk, sk: String(sk) },
  });
  const writes = [...Array(100).keys()].map(insert);
  await commit(db, [insert(99)]);

  const failed = await commit(dryRunOf(db), writes);

  expect(failed).toEqual(writes[99]);
  expect(await queryRange(db, { table, pk })).toHaveLength(1);
});

/** A connection whose calls succeed, and the names of those that were sent. */
function recording() {
  const credentials = { accessKeyId: "id", secretAccessKey: "key" };
  const db = connect({ TABLE_ORDERS: "orders" }, { region: "eu-west-1", credentials });
  const sent: unknown[] = [];
  db.client.middlewareStack.add(
    (_, { commandName }) =>
      async () => {
        sent.push(commandName);
        return { response: {}, output: { $metadata: {} } };
      },
    { step: "deserialize", priority: "high" },
  );
  return { db, sent };
}

describe("a write that forgets that it is in a dry run", () => {
  const Key = { pk: "p", sk: "s" };
  const one = { TableName: table, Key };

  test.each<[string, (client: Database["client"]) => Promise<unknown>]>([
    ["put", (client) => client.send(new PutCommand({ TableName: table, Item: Key }))],
    ["update", (client) => client.send(new UpdateCommand({ ...one, UpdateExpression: "REMOVE x" }))],
    ["deletion", (client) => client.send(new DeleteCommand(one))],
    [
      "batch",
      (client) =>
        client.send(new BatchWriteCommand({ RequestItems: { [table]: [{ DeleteRequest: { Key } }] } })),
    ],
    ["transaction", (client) => client.send(new TransactWriteCommand({ TransactItems: [{ Delete: one }] }))],
  ])("is not sent, and the run fails: a %s", async (_, send) => {
    const { db, sent } = recording();

    await expect(send(dryRunOf(db).client)).rejects.toThrow("a dry run would store");

    expect(sent).toEqual([]);
  });

  test("is refused in a dry run of a part of it, too", async () => {
    const { db, sent } = recording();

    const change = tryChange(dryRunOf(dryRunOf(db)), { kind: "count", table, key: Key, add: { x: 1 } });
    await expect(change).rejects.toThrow("a dry run would store");

    expect(sent).toEqual([]);
  });

  test("leaves the call's own connection as it is, which other calls share", async () => {
    const { db, sent } = recording();
    dryRunOf(db);

    await tryChange(db, { kind: "count", table, key: Key, add: { x: 1 } });

    expect(sent).toEqual(["UpdateItemCommand"]);
  });
});

test("a dry run reads, and evaluates transactions", async () => {
  const { db, sent } = recording();
  const dry = dryRunOf(db);

  await queryRange(dry, { table, pk: "p" });
  await commit(dry, [{ kind: "insert", table, item: { pk: "p", sk: "s" } }]);

  expect(sent).toEqual(["QueryCommand", "TransactWriteItemsCommand"]);
});
