import { expect, test } from "vitest";
import { planReplenishments } from "../../../shared/inbound/replenishments/plan-replenishments.ts";
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
