import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { commitEach } from "../../../shared/store/bulk/bulk-commit.ts";
import { connect, type Database } from "../../../shared/store/dynamodb/database.ts";
import { withBudget } from "../../../shared/store/dynamodb/retry.ts";
import { stale, type Write } from "../../../shared/store/dynamodb/writes.ts";

/** A record of so many items that no transaction holds two of its kind. */
const record = (pk: string): readonly Write[] =>
  Array.from({ length: 60 }, (_, position) => ({
    kind: "insert",
    table: "orders",
    item: { pk, sk: `${position}` },
    rejection: stale,
  }));

/** A database that stores at once, but for items of `busy`: others change these for some milliseconds. */
function busyWith(busy: string, milliseconds: number): Database {
  const db = connect({ TABLE_ORDERS: "orders" }, { region: "eu-west-1" });
  const until = performance.now() + milliseconds;
  db.client.middlewareStack.add(
    () => async (args) => {
      const isBusy = JSON.stringify(args.input).includes(`"pk":"${busy}"`);
      if (!isBusy || performance.now() > until) return { output: { $metadata: {} }, response: {} };
      const CancellationReasons = [{ Code: "TransactionConflict" }];
      throw new TransactionCanceledException({ message: "conflict", $metadata: {}, CancellationReasons });
    },
    { step: "initialize", priority: "high" },
  );
  return db;
}

test("a record of a call waits longer for busy items once another one is stored", async () => {
  const db = busyWith("b", 150);

  const { outcomes, stopped } = await withBudget(() => commitEach(db, [record("a"), record("b")]), 60);

  expect(stopped).toBeUndefined();
  expect(outcomes).toEqual([{ kind: "stored" }, { kind: "stored" }]);
});
