import { describe, expect, test } from "vitest";
import { invalid } from "../../../shared/common/problem.ts";
import { planReplenishments } from "../../../shared/inbound/replenishments/plan-replenishments.ts";
import { stockOf } from "../../../shared/stock/stock-levels.ts";
import { type Plan, storeEach } from "../../../shared/store/bulk/bulk.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { exists, insertOf, type Removal } from "../../../shared/store/dynamodb/writes.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { createdAt, inboundLineOf, replenishmentOf } from "../samples.ts";

/** Replenishments of one call, together of so many products that no center keeps yet. */
const stepsOf = (products: number) => [
  { after: replenishmentOf({ items: linesFrom(1, 500) }) },
  { after: replenishmentOf({ replenishment_id: 6, items: linesFrom(501, products) }) },
];

const linesFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, n) =>
    inboundLineOf({ sku: `P${first + n}`, product_id: first + n, quantity: 1, put_away: 0 }),
  );

test("stock that others have opened meanwhile is not opened again", async () => {
  const { db } = faultyStore();
  const [plan] = await planReplenishments({ db, now: createdAt }, stepsOf(600), Object);
  const open = (plan !== undefined && "prerequisite" in plan && plan.prerequisite) || undefined;

  await open?.();
  await open?.();

  expect(await stockOf(db, 600)).toMatchObject([{ incoming: 0 }]);
});

test("large replenishments of one call have centers begin to keep at most 1,000 products", async () => {
  const { store, db } = faultyStore();
  const plansOf = (products: number) => planReplenishments({ db, now: createdAt }, stepsOf(products), Object);

  const refused = await plansOf(1001);
  const untouched = !store.calls.includes("TransactWriteItems");
  const planned = await plansOf(1000);

  expect(refused).toMatchObject([1, 2].map(() => ({ problem: { kind: "invalid" } })));
  expect(untouched).toBe(true);
  expect(planned.every((plan) => "writes" in plan)).toBe(true);
});

describe("beside a replenishment that is refused, a large one of products that its center does not keep", () => {
  const refused = { problem: invalid("is Received") };
  const large = { after: replenishmentOf({ items: linesFrom(1, 120) }) };
  const planned = (db: Database) => planReplenishments({ db, now: createdAt }, [refused, large], Object);

  test("is refused with it, and opens no stock", async () => {
    const { store, db } = faultyStore();

    await expect(storeEach(db, [1, 2], () => planned(db))).rejects.toThrow("is Received");

    expect(store.calls).not.toContain("TransactWriteItems");
  });

  test("is stored if another of the call is stored already", async () => {
    const { db } = faultyStore();
    const key = { pk: "replenishment#0", sk: "one" };
    const stale: Removal = { kind: "removal", table: "inventory", key, when: [exists] };
    const outdated: Plan<object> = { writes: [stale], result: {} };
    const first: Plan<object> = {
      writes: [insertOf({ table: "inventory", key: { ...key, sk: "other" } }, {})],
      result: {},
    };

    const outcomes = await storeEach(db, [0, 1, 2], async (open) =>
      open.length === 3 ? [first, outdated, outdated] : planned(db),
    );

    expect(outcomes).toMatchObject([{ result: {} }, refused, { result: { items: large.after.items } }]);
  });
});
