import { expect, test } from "vitest";
import type { Charge } from "../../../../infra/local/index.ts";
import { lifeOf, newKey, noKey } from "../../../support/business/order-life.ts";
import { signIn } from "../../../support/http/mobile.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

/**
 * Write units by what was written: the first part of the item's key, and the index if it is an entry of one.
 */
type Units = Readonly<Record<string, number>>;

const unitsOf = (charges: readonly Charge[]): Units => {
  const units: Record<string, number> = {};
  for (const { kind, index, key, units: own } of charges) {
    if (kind === "read") continue;
    const [what = ""] = /[a-z-]+/.exec(JSON.stringify(key?.["pk"]).replace('{"S":"', "")) ?? [];
    const part = index === undefined ? what : `${what} in ${index}`;
    units[part] = (units[part] ?? 0) + own;
  }
  return units;
};

const sumOf = (lives: readonly Units[]): number =>
  lives.flatMap((units) => Object.values(units)).reduce((total, units) => total + units, 0);

/** What each call of a life wrote, with the work that it queued. */
const costsOf = (keyOf: typeof noKey, worker = picker, limit = 1): Promise<readonly Units[]> =>
  lifeOf(service, { worker, keyOf, limit }, (mark) =>
    unitsOf(service.runtime.calls(mark).flatMap(({ charges }) => charges)),
  );

const service = await ownService();
const picker = await signIn(service);
// The first job of a kind leases a block of ids. The demo's orders are older than those of the tests.
await costsOf(noKey, await signIn(service), 50);
service.runtime.recordCapacity(true);

/** The head or the counter of the account's orders is `orders-of`, the head of the jobs' ids `jobs-of`. */
const created: Units = {
  order: 2,
  "order in cells": 1,
  "order in work": 1,
  "orders-of": 1 + 2,
  "order-number": 2,
  "order-reference": 2,
  stock: 3 * 2,
  movement: 3 * 2,
};
const claimed: Units = { order: 2, "order in cells": 2, "order in work": 2, "orders-of": 2 };
const picked: Units = { order: 2, "bin-content": 2 };
const pickedLast: Units = { ...picked, "order in work": 2, "picked-orders": 2 };
const weighed: Units = { "jobs-of": 1, job: 2 + 2, "job in queued": 1 + 1, order: 2 };
const shipped: Units = {
  order: 2,
  "order in cells": 2,
  "order in work": 1,
  "picked-orders": 2,
  "orders-of": 2,
  stock: 3 * 2,
  movement: 3 * 2,
};

test("an order of three lines takes at most 80 write units from its creation to its shipment", async () => {
  const costs = await costsOf(noKey);

  expect(costs).toEqual([created, claimed, picked, picked, pickedLast, weighed, shipped]);
  expect(sumOf(costs)).toBeLessThanOrEqual(80);
});

test("an Idempotency-Key adds its lock and the receipt of the call, or its kept answer", async () => {
  const costs = await costsOf(newKey);

  const of = ({ idempotency = 0 }: Units) => idempotency;
  expect(costs.map(of)).toEqual([1 + 2, 1 + 1, 1 + 2, 1 + 2, 1 + 2, 1 + 2, 1 + 2]);
  expect(sumOf(costs)).toBeLessThanOrEqual(100);
});
