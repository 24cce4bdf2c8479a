import type { TransactWriteItemsCommandInput } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { noFaults } from "../../simulation/schedule/faults.ts";
import { Random } from "../../simulation/schedule/random.ts";
import { beginning } from "../../simulation/schedule/virtual.ts";
import { MemoryStore } from "../../simulation/store/store.ts";
import { World } from "../../simulation/world/world.ts";

const transactionOf = (ClientRequestToken: string): TransactWriteItemsCommandInput => ({
  TransactItems: [{ Put: { TableName: "orders", Item: { pk: { S: "one" }, sk: { S: "-" } } } }],
  ClientRequestToken,
});

test("a transaction that was carried out and is sent again never conflicts, as in DynamoDB", async () => {
  const world = new World(new MemoryStore(), new Random(1), { now: beginning, faults: noFaults });
  const send = (token: string) => world.call("TransactWriteItems", transactionOf(token));

  const ending = world.function("client", async () => {
    await send("first");
    world.faults = { ...noFaults, conflict: 1 };
    const [again, other] = await Promise.allSettled([send("first"), send("second")]);
    return { again: again.status, other: other.status };
  });
  let isDone = false;
  void ending.then(() => {
    isDone = true;
  });
  await world.scheduler.run(() => isDone);

  expect(await ending).toEqual({ kind: "returned", value: { again: "fulfilled", other: "rejected" } });
});
