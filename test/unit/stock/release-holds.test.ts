import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, test } from "vitest";
import { schedule } from "../../../functions/jobs/sweep-jobs.ts";
import { findJob, insertJob } from "../../../shared/jobs/job-repository.ts";
import { currentStock } from "../../../shared/stock/holds/current-stock.ts";
import { type Hold, newHoldId, partsOfHold } from "../../../shared/stock/holds/hold.ts";
import { findHolds, holdsOf, insertHold, liveHolds } from "../../../shared/stock/holds/hold-repository.ts";
import { releaseDueHolds } from "../../../shared/stock/holds/release-holds.ts";
import { openStock } from "../../../shared/stock/open-stock.ts";
import { emptyStock } from "../../../shared/stock/product-stock.ts";
import { stockEntriesOf } from "../../../shared/stock/stock.ts";
import { stockOf } from "../../../shared/stock/stock-levels.ts";
import { changeHeldStock } from "../../../shared/stock/stock-repository.ts";
import { withSupply } from "../../../shared/stock/supply.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { dryRunOf } from "../../../shared/store/dynamodb/dry-run.ts";
import { Busy, withBudget } from "../../../shared/store/dynamodb/retry.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { sagaAttribute, type Write } from "../../../shared/store/dynamodb/writes.ts";
import { type FaultyStore, faultyStore } from "../../support/records/faulty-store.ts";
import { holdOf, createdAt as opened } from "../samples.ts";

const place = { product_id: 7, distribution_center_id: 1 };

let store: FaultyStore;
let db: Database;
beforeEach(async () => {
  ({ store, db } = faultyStore());
  const product = { account_id: 100, product_id: 7, sku: "TEE" };
  await transact(db, openStock(emptyStock(product, { distribution_center_id: 1, code: "MAIN" }), opened));
});

/**
 * Places holds of one unit each that end so many seconds from now; in the past if negative. Those whose ids
 * end alike are listed in one shard.
 */
async function placed(count: number, seconds: number, ending = ""): Promise<readonly Hold[]> {
  const check_at = new Date(Date.now() + seconds * 1000).toISOString();
  const goods = [{ ...place, quantity: 1 }];
  const holds = Array.from({ length: count }, () =>
    holdOf(check_at, { hold_id: newHoldId(check_at) + ending, product_id: 7, goods }),
  );
  const why = { reason: "hold_created", by: "account:100", at: opened } as const;
  for (const one of holds)
    await transact(db, [insertHold(one), ...changeHeldStock(stockEntriesOf(partsOfHold(one, 1, why)))]);
  store.calls.length = 0;
  return holds;
}

const damage = (held: Hold | undefined, set: Record<string, unknown>) =>
  transact(db, [
    {
      kind: "change",
      table: "jobs",
      key: { pk: "hold#100", sk: held?.hold_id ?? "" },
      set,
      when: [],
    },
  ]);

const shards = async () => new Set((await holdsOf(db, 100)).map((item) => item["queued_shard"]));
const left = async () => (await holdsOf(db, 100)).length;
const reserved = async () => (await stockOf(db, 7)).map((level) => [level.reserved, level.held]);
const transactions = () => store.calls.filter((command) => command === "TransactWriteItems").length;
const sweep = (hasTime = () => true) => releaseDueHolds(db, new Date().toISOString(), hasTime);

describe("releasing holds that have ended", () => {
  test("takes few transactions for many of one product, and gives back each unit once", async () => {
    await placed(60, -1);
    await placed(1, 60);

    const figures = await sweep();

    expect(figures).toEqual({ holds_released: 60, holds_skipped: 0 });
    expect(transactions()).toBeLessThan(8);
    expect(await reserved()).toEqual([[1, 1]]);
    expect(await left()).toBe(1);
  });

  test("finds them in all shards of the index, which holds that are placed one by one share", async () => {
    await placed(60, -1);
    const used = await shards();

    const { holds_released } = await sweep();

    expect(used.size).toBe(4);
    expect(holds_released).toBe(60);
  });

  test("leaves out one that can't be read, and releases the others", async () => {
    const [bad] = await placed(9, -1);
    await damage(bad, { goods: "nothing" });

    const figures = await sweep();

    expect(figures).toEqual({ holds_released: 8, holds_skipped: 1 });
    expect(await reserved()).toEqual([[1, 1]]);
  });

  test.each([
    { count: 9, where: "in the first transaction", bad: 0 },
    { count: 60, where: "after a transaction that is stored", bad: 59 },
  ])(
    "leaves out one that the database refuses $where, and counts the others",
    async ({ count, bad: position }) => {
      const ids = (await placed(count, -1, "A")).map(({ hold_id }) => hold_id).toSorted();
      const bad = ids[position] ?? "none";
      store.fault = (command, input) =>
        command === "TransactWriteItems" && input.includes(bad) ? new Error("refused") : undefined;

      const figures = await sweep();

      expect(figures).toEqual({ holds_released: count - 1, holds_skipped: 1 });
      expect(await reserved()).toEqual([[1, 1]]);
    },
  );

  test("ends after a page once there is no time, and leaves the others to the next run", async () => {
    await placed(60, -1);

    await sweep(() => false);

    expect(await left()).toBeGreaterThan(0);
  });

  test("ends within a page once there is no time, also if the database fails", async () => {
    await placed(20, -1);
    store.fault = (command) => (command === "TransactWriteItems" ? new Error("down") : undefined);

    await sweep(() => false);

    expect(transactions()).toBeLessThan(8);
  });
});

describe("an ended hold that can't be read", () => {
  test("keeps no stock and no other hold from being read; its units stay reserved", async () => {
    const [bad] = [...(await placed(1, -1)), ...(await placed(1, -1)), ...(await placed(1, 60))];
    await damage(bad, { goods: "nothing" });

    const levels = await currentStock(db, () => stockOf(db, 7));

    expect(levels).toMatchObject([{ reserved: 2, held: 2 }]);
    expect(await liveHolds(db, 100)).toHaveLength(1);
  });
});

test("stock is read again if holds are released while it is read", async () => {
  await placed(2, -1);
  const reads = [await stockOf(db, 7)];
  await sweep();

  const levels = await currentStock(db, async () => reads.pop() ?? stockOf(db, 7));

  expect(levels).toMatchObject([{ reserved: 0, held: 0 }]);
});

test("a hold that can't be read, or has ended, is found by no call, which finds the others", async () => {
  const [[bad, good], [ended]] = [await placed(2, 60), await placed(1, -1)];
  await damage(bad, { goods: "nothing" });

  const found = await findHolds(
    db,
    100,
    [bad, ended, good].map((one) => one?.hold_id ?? ""),
  );

  expect([...found.keys()]).toEqual([good?.hold_id]);
});

describe("a call that needs the units of ended holds", () => {
  test("releases many of them in few transactions", async () => {
    await placed(60, -1);

    const level = await withSupply(db, [place], (supply) => supply.levelAt(place));

    expect(level).toMatchObject({ reserved: 0, held: 0 });
    expect(transactions()).toBeLessThan(4);
  });

  test("counts them as free in a dry run, which releases none", async () => {
    await placed(1, -1);

    const level = await withSupply(dryRunOf(db), [place], (supply) => supply.levelAt(place));

    expect(level).toMatchObject({ reserved: 0, held: 0 });
    expect(await left()).toBe(1);
  });

  test("is asked to retry, and does not read without end, while a saga has one of them locked", async () => {
    const [held] = await placed(1, -1);
    await damage(held, { [sagaAttribute]: "steps#an order" });
    store.fault = () => (store.calls.length > 1000 ? new Error("reads without end") : undefined);

    await expect(withBudget(() => withSupply(db, [place], () => undefined), 50)).rejects.toThrow(Busy);
  });
});

describe("the sweep", () => {
  const run = () => schedule.run({ db, now: new Date().toISOString(), remaining: () => 50_000 });
  const queried = (shard: string) => (command: string, input: string) =>
    command === "Query" && input.includes(shard) ? new Error(`${shard} is down`) : undefined;

  test("releases holds though a shard of the jobs can't be read", async () => {
    await placed(3, -1);
    const CancellationReasons = [{ Code: "TransactionConflict" }];
    const conflict = { message: "conflict", $metadata: {}, CancellationReasons };
    const isDown = queried("queued#2");
    // A conflict delays the release beyond the failure of the shard.
    store.fault = (command, input) =>
      command === "TransactWriteItems" && transactions() === 1
        ? new TransactionCanceledException(conflict)
        : isDown(command, input);

    await expect(run()).rejects.toThrow("queued#2 is down");

    expect(await left()).toBe(0);
  });

  test("ends only after the jobs are sent again, though the holds can't be read", async () => {
    const queued: Write = insertJob("weight", { job_id: 401, by: "user:ada", payload: {} }, opened);
    await transact(db, [queued]);
    store.fault = queried("holds#0");

    await expect(run()).rejects.toThrow("holds#0 is down");

    expect((await findJob(db, 401))?.resent).toBe(1);
  });
});
