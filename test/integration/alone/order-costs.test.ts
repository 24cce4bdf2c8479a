import { afterAll, beforeAll, expect, test } from "vitest";
import { demoMasterKey } from "../../../infra/demo/registry.ts";
import type { Charge } from "../../../infra/local/index.ts";
import { barcodeOf } from "../../../shared/domain/orders/order.ts";
import { type Answer, numberAt } from "../../support/client.ts";
import { type MobileClient, signIn } from "../../support/mobile.ts";
import { type OwnService, startService } from "../../support/own-service.ts";
import { fullOrderOf, unique } from "../../support/records.ts";
import { arrived, newProducts } from "../../support/world.ts";

let service: OwnService;
let picker: MobileClient;
beforeAll(async () => {
  service = await startService();
  picker = await signIn(service);
  // The first job of a kind leases a block of ids. The demo's orders are older than those of the tests.
  await lifeOf(noKey, await signIn(service), 50);
  service.runtime.recordCapacity(true);
});
afterAll(() => service.runtime.stop());

/** Write units by what was written: the first part of the item's key, and the index if it is an entry of one. */
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

const noKey = (): Readonly<Record<string, string>> => ({});
const newKey = () => ({ "Idempotency-Key": unique("key") });

/** Takes an order of three lines from its creation to its shipment: what each call wrote, with the work that it queued. */
async function lifeOf(keyOf: typeof noKey, worker = picker, limit = 1): Promise<readonly Units[]> {
  const { runtime } = service;
  const products = await newProducts(service, 3);
  for (const { sku } of products)
    await arrived(service, sku, { quantity: 5, day: "2025-03-01", lot: "LOT-7" });
  const costs: Units[] = [];
  const call = async (base: string, headers: typeof service.credentials, path: string, body: object) => {
    const mark = runtime.mark();
    const answer: Answer = await service.client(base, { ...headers, ...keyOf() }).post(path, body);
    await runtime.settled();
    expect(answer.status).toBe(200);
    costs.push(unitsOf(runtime.calls(mark).flatMap(({ charges }) => charges)));
    return answer;
  };
  const mobile = (path: string, body: object) => call("/apiv2/mobile-v1", worker.headers, path, body);
  const lines = products.map(({ sku }) => ({ sku, quantity: 2, sold_price: 19.95 }));
  const data = [fullOrderOf(lines)];
  const created = await call("/apirest/v4/oms", service.credentials, "/orders", { data });
  const order_id = numberAt(created.body, "data.0.order_id");
  await mobile("/pp-getOrders-1", { limit });
  for (const { sku } of products) {
    const picks = [{ sku, location: "A1", bin: "01", quantity: 2 }];
    await mobile("/pp-updateLogPick-1", { order_id, picks });
  }
  const weights = [{ nbtybarcode: barcodeOf(order_id), weight: 4.5 }];
  const wms = { userName: "manager", Key: demoMasterKey };
  await call("/apirest/v4/wms", wms, "/orders/UpdateWeight", { data: weights });
  await mobile("/qc-shippings-1", { order_id, approve: true, tracking_number: "1Z999AA10123456784" });
  return costs;
}

/** The head or the tally of the account's orders is `orders-of`, the head of the jobs' ids `jobs-of`. */
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
  const costs = await lifeOf(noKey);

  expect(costs).toEqual([created, claimed, picked, picked, pickedLast, weighed, shipped]);
  expect(sumOf(costs)).toBeLessThanOrEqual(80);
});

test("an Idempotency-Key adds its lock and the kept answer, and for bulk calls the answer foreseen", async () => {
  const costs = await lifeOf(newKey);

  const of = ({ idempotency = 0 }: Units) => idempotency;
  expect(costs.map(of)).toEqual([1 + 1 + 1, 1 + 1, 1 + 2, 1 + 2, 1 + 2, 1 + 2, 1 + 2]);
  expect(sumOf(costs)).toBeLessThanOrEqual(100);
});
