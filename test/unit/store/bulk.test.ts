import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { invalidAt, Problem } from "../../../shared/common/problem.ts";
import { commitEach, maxCallWrites, type Plan, storeEach } from "../../../shared/store/bulk/bulk.ts";
import { connect, type Database } from "../../../shared/store/dynamodb/database.ts";
import { dryRunOf } from "../../../shared/store/dynamodb/dry-run.ts";
import { withBudget } from "../../../shared/store/dynamodb/retry.ts";
import {
  type Change,
  exists,
  type Insert,
  insertOf,
  type PlannedWrites,
  removalOf,
  storedTogether,
} from "../../../shared/store/dynamodb/writes.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { linesOf } from "../samples.ts";

/** It is never called: what follows writes nothing. */
const db = connect({}, { region: "eu-west-1" });

const nothing = (result: string): Plan<string> => ({ result, writes: [] });
const wrong = (path: string): Plan<string> => ({ problem: invalidAt([{ path, message: "is wrong" }]) });
const missing = (path: string): Plan<string> => ({
  problem: new Problem("not_found", `There is no ${path}`, { errors: [{ path, message: "names nothing" }] }),
});

const store = (plans: readonly Plan<string>[]) =>
  storeEach(
    db,
    plans.map((_, position) => position),
    async () => plans,
  );

async function rejectionOf(plans: readonly Plan<string>[]): Promise<Problem> {
  const rejection: unknown = await store(plans).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (rejection instanceof Problem) return rejection;
  throw new Error("the call was not refused by a problem");
}

describe("a bulk call", () => {
  test("is refused whole if it would write more than there is time for", async () => {
    const key = { pk: "p", sk: "s" };
    const removal = removalOf({ table: "orders", key });
    const writes = storedTogether(Array.from({ length: maxCallWrites / 2 + 1 }, () => removal));
    const half = { result: "half", writes };

    const problem = await rejectionOf([half, half]);

    expect(problem.message).toContain(`${maxCallWrites + 2} items, and the maximum is ${maxCallWrites};`);
  });

  test("names in its message the place of the first wrong record, not only its rule", async () => {
    const errors = [{ path: "order_ids.1", message: "names order 7, which is Shipped" }];
    const refused = { problem: new Problem("invalid", "Order 7 is Shipped", { errors }) };

    const problem = await rejectionOf([nothing("a"), refused]);

    expect(problem.message).toBe("order_ids.1 names order 7, which is Shipped");
  });

  test("is 404 if its first wrong record does not exist, with the message of that record", async () => {
    const problem = await rejectionOf([missing("data.0"), wrong("data.1")]);

    expect(problem).toMatchObject({ kind: "not_found", message: "There is no data.0" });
    expect(linesOf(problem)).toEqual(["data.0 names nothing", "data.1 is wrong"]);
  });

  test("keeps a problem without places as it is", async () => {
    const problem = new Problem("too_many", "Later", { retryAfterSeconds: 2 });

    expect(await rejectionOf([{ problem }])).toBe(problem);
  });
});

const inserts = (pk: string, count: number): readonly Insert[] =>
  Array.from({ length: count }, (_, position) =>
    insertOf({ table: "orders", key: { pk, sk: `${position}` } }, {}, { neverFails: position > 0 }),
  );

const record = (pk: string): PlannedWrites => storedTogether(inserts(pk, 60));

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

test("a record of a call that is too large for a transaction is stored between the others", async () => {
  const { store, db } = faultyStore();
  const large = storedTogether(inserts("large", 120));

  const { outcomes } = await commitEach(db, [record("a"), large, record("b")]);

  expect(outcomes).toEqual([{ kind: "stored" }, { kind: "stored" }, { kind: "stored" }]);
  expect(["a", "large", "b"].map((pk) => store.table("orders").partition(pk).length)).toEqual([60, 120, 60]);
});

test("a record of a call waits longer for busy items once another one is stored", async () => {
  const db = busyWith("b", 150);

  const { outcomes, stopped } = await withBudget(() => commitEach(db, [record("a"), record("b")]), 60);

  expect(stopped).toBeUndefined();
  expect(outcomes).toEqual([{ kind: "stored" }, { kind: "stored" }]);
});

test("a dry run that is planned again is refused whole: nothing of it is stored", async () => {
  const { db } = faultyStore();
  const insert: Insert = { kind: "insert", table: "orders", item: { pk: "a", sk: "a" } };
  const key = { pk: "b", sk: "b" };
  const change: Change = { kind: "change", table: "orders", key, set: { n: 1 }, when: [exists] };
  let plannedBefore = false;
  const plan = async (): Promise<readonly Plan<string>[]> => {
    const second: Plan<string> = plannedBefore ? wrong("data.1") : { result: "b", writes: [change] };
    plannedBefore = true;
    return [{ result: "a", writes: [insert] }, second];
  };

  const run = storeEach(dryRunOf(db), ["a", "b"], plan);

  await expect(run).rejects.toMatchObject({ message: "data.1 is wrong" });
});

test("a call of which nothing is stored is refused with what is wrong of all records, whenever it was found", async () => {
  const { db } = faultyStore();
  const taken = invalidAt([{ path: "data.0", message: "is taken" }]);
  const item = { pk: "a", sk: "a" };
  const insert: Insert = { kind: "insert", table: "orders", item, rejection: () => taken };
  const key = { pk: "b", sk: "b" };
  const stale: Change = { kind: "change", table: "orders", key, set: { n: 1 }, when: [exists] };
  await commitEach(db, [[insert]]);
  const plan = (open: readonly string[]): readonly Plan<string>[] =>
    open.length === 1
      ? [wrong("data.1")]
      : [
          { result: "a", writes: [insert] },
          { result: "b", writes: [stale] },
        ];

  const run = storeEach(db, ["a", "b"], plan);

  const errors = ["data.0", "data.1"].map((path) => expect.objectContaining({ path }));
  await expect(run).rejects.toMatchObject({ message: "data.0 is taken", details: { errors } });
});
