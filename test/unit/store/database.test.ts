import { setTimeout } from "node:timers/promises";
import { GetCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import { connect } from "../../../shared/store/dynamodb/database.ts";
import { getItems } from "../../../shared/store/dynamodb/reads.ts";
import { Busy, OutcomeUnknown, withBudget } from "../../../shared/store/dynamodb/retry.ts";
import { isTemporary } from "../../../shared/store/dynamodb/temporary.ts";

const credentials = { accessKeyId: "id", secretAccessKey: "key" };

const named = (name: string) => Object.assign(new Error(name), { name, $metadata: {} });
const throttled = named("ThrottlingException");

/** A connection whose calls meet these errors, the last of them without end. */
function failing(...errors: readonly Error[]) {
  const { client } = connect({}, { region: "eu-west-1", credentials });
  let calls = 0;
  client.middlewareStack.add(
    () => async () => {
      const error = errors[Math.min(calls, errors.length - 1)];
      calls += 1;
      throw error ?? new Error("no error was named");
    },
    { step: "deserialize", priority: "high" },
  );
  return client;
}

const Key = { pk: "p", sk: "s" };
const transaction = () => new TransactWriteCommand({ TransactItems: [{ Delete: { TableName: "t", Key } }] });
const failureOf = (send: () => Promise<unknown>): Promise<unknown> =>
  withBudget(send, 300).then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a transaction that is throttled without end", () => {
  test("is Busy if none of it can have been stored", async () => {
    const client = failing(throttled);

    expect(await failureOf(() => client.send(transaction()))).toBeInstanceOf(Busy);
  });

  test.each([
    ["an earlier send is under way", [named("TransactionInProgressException")]],
    ["an earlier send was under way", [named("TransactionInProgressException"), throttled]],
    ["the answer to an earlier send is lost", [named("TimeoutError"), throttled]],
  ])("is not Busy, which means that nothing is stored, if %s", async (_, errors) => {
    const client = failing(...errors);

    const error = await failureOf(() => client.send(transaction()));

    expect(error).toBeInstanceOf(OutcomeUnknown);
  });

  test("may pass without a change of the data if it is unknown whether it is stored", () => {
    expect(isTemporary(new OutcomeUnknown(throttled))).toBe(true);
  });
});

test("a read is busy, whatever became of its earlier sends", async () => {
  const client = failing(named("TimeoutError"), throttled);

  expect(await failureOf(() => client.send(new GetCommand({ TableName: "t", Key })))).toBeInstanceOf(Busy);
});

test("a read of very many items waits for no connection, since a call that does so for long fails", async () => {
  const db = connect({ TABLE_ORDERS: "orders" }, { region: "eu-west-1", credentials });
  let [running, most, calls] = [0, 0, 0];
  db.client.middlewareStack.add(
    () => async () => {
      running += 1;
      calls += 1;
      most = Math.max(most, running);
      await setTimeout(1);
      running -= 1;
      return { response: {}, output: { $metadata: {} } };
    },
    { step: "deserialize", priority: "high" },
  );
  const lookups = Array.from({ length: 30_001 }, (_, sk) => ({
    table: "orders" as const,
    key: { pk: "order", sk: String(sk) },
  }));

  await getItems(db, lookups);

  expect({ most, calls }).toEqual({ most: 50, calls: 301 });
});
