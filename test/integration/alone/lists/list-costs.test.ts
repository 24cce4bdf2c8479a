import { beforeAll, describe, expect, test } from "vitest";
import type { Cause } from "../../../../shared/stock/stock.ts";
import { changeStock } from "../../../../shared/stock/stock-repository.ts";
import { transact } from "../../../../shared/store/dynamodb/transact.ts";
import { type Answer, at, type Client, listAt, numberAt } from "../../../support/http/client.ts";
import { operations } from "../../../support/http/random.ts";
import { aliasOf, synsetOf, unique } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { newOrders, newProduct, newProducts, newStore } from "../../../support/store/world.ts";

const service = await ownService({ paused: true });
// Calls side by side overlap for certain.
service.runtime.addLatency(20);

async function costOf(call: () => Promise<Answer>) {
  const mark = service.runtime.mark();
  const answer = await call();
  const { criticalPath, readUnits } = service.runtime.summary(mark);
  return { answer, criticalPath, readUnits };
}

/** What a call costs in capacity units, too. */
async function capacityOf(call: () => Promise<Answer>) {
  service.runtime.recordCapacity(true);
  try {
    return await costOf(call);
  } finally {
    service.runtime.recordCapacity(false);
  }
}

describe("round trips to the database, one after another, for synsets", () => {
  /** An account whose 100 kits take 45 products each. */
  let store: Client;
  let kits: readonly ReturnType<typeof synsetOf>[];

  beforeAll(async () => {
    const owner = { db: service.db, ...(await newStore(service)) };
    store = owner.oms;
    const items = (await newProducts(owner, 45)).map(({ sku }) => ({ sku, quantity: 2 }));
    kits = Array.from({ length: 100 }, () => synsetOf(items));
  });

  test("creating an account's first 100 of 45 components takes at most twelve", async () => {
    const { answer, criticalPath } = await costOf(() => store.post("/inventory/synsets", { data: kits }));

    expect(answer.status).toBe(200);
    expect(criticalPath).toBeLessThanOrEqual(12);
  });

  test("changing 100 takes at most eight", async () => {
    const { answer, criticalPath } = await costOf(() => store.patch("/inventory/synsets", { data: kits }));

    expect(answer.status).toBe(200);
    expect(criticalPath).toBeLessThanOrEqual(8);
  });

  test("a page of 100 takes two more than the records themselves: the caller, the page's three, and two", async () => {
    const { answer, criticalPath } = await costOf(() => store.get("/inventory/synsets?per_page=100"));

    expect([answer.status, criticalPath]).toEqual([200, 6]);
  });
});

test("a call for 100 aliases takes at most 12 round trips to the database, one after another", async () => {
  const sent = Array.from({ length: 100 }, () => aliasOf({ distribution_center: "MAIN" }));
  const created = await costOf(() => service.oms.post("/inventory/aliases", { data: sent }));
  const moves = listAt(created.answer.body, "data").map((record) => ({
    alias_id: at(record, "alias_id"),
    alias: unique("MOVED"),
    channel_id: 1,
    sku: "DEMO-CAP",
    distribution_center: "EAST",
  }));

  const changed = await costOf(() => service.oms.patch("/inventory/aliases", { data: moves }));

  const chains = [created.criticalPath, changed.criticalPath];
  expect([created.answer.status, changed.answer.status]).toEqual([200, 200]);
  expect(Math.max(...chains)).toBeLessThanOrEqual(12);
  expect(Math.min(...chains)).toBeGreaterThan(2);
});

/** A cause of so many days ago, each a millisecond later than the one before. */
const causeOf = (daysAgo: number, position: number): Cause => ({
  reason: "recount",
  reference: { correction_id: position + 1 },
  by: "user:manager",
  at: new Date(Date.now() - daysAgo * 86_400_000 + position).toISOString(),
});

test("a page of movements costs the same at any position, and totals over weeks are exact", async () => {
  const { sku, product_id } = await newProduct(service);
  const change = { product_id, distribution_center_id: 1, on_hand: 1, reserved: 0 };
  const weeks = 8;
  const perWeek = 60;
  for (let position = 0; position < weeks * perWeek; position += 20) {
    const daysAgo = 7 * (weeks - 1 - Math.floor(position / perWeek));
    const writes = Array.from({ length: 20 }, (_, next) =>
      changeStock([change], causeOf(daysAgo, position + next)),
    );
    await transact(service.db, writes.flat());
  }
  const path = `/inventory/stock/${sku}/movements`;

  const costs = [];
  for (const page of [1, 4, 13, 24])
    costs.push(await capacityOf(() => service.oms.get(`${path}?page=${page}`)));
  const all = [];
  for (const page of [1, 2, 3, 4, 5]) {
    const { body } = await service.oms.get(`${path}?per_page=100&order_direction=asc&page=${page}`);
    expect(numberAt(body, "metadata.total_pages")).toBe(5);
    all.push(...listAt(body, "data"));
  }

  expect(all.map((one) => at(one, "correction_id"))).toEqual(all.map((_, position) => position + 1));
  expect(all.map((one) => [at(one, "distribution_center"), at(one, "on_hand")])).toEqual(
    all.map(() => ["MAIN", 1]),
  );
  expect(all).toHaveLength(weeks * perWeek);
  const found = costs.map(({ answer }) => at(answer.body, "data.0.correction_id"));
  expect(found).toEqual([480, 420, 240, 20]);
  // Authentication, SKU, stock record, movements.
  expect(new Set(costs.map(({ criticalPath }) => criticalPath))).toEqual(new Set([4]));
  expect(new Set(costs.map(({ readUnits }) => readUnits))).toEqual(new Set([4, 6]));
});

test("a page costs the same number of calls and at most twice the read units wherever it lies", async () => {
  // More than one block of them.
  const hundreds = operations(11, 24);
  for (let call = 0; call < hundreds; call += 1) {
    await newOrders(service, Array(100).fill([{ sku: "DEMO-MUG", quantity: 1 }]));
  }
  const { body } = await service.oms.get("/orders");
  const [total, pages] = [
    numberAt(body, "metadata.total_records"),
    Math.floor(numberAt(body, "metadata.total_records") / 20),
  ];
  for (const filter of ["", "&status_id=1"]) {
    const costs = [];
    for (const page of [1, Math.floor(pages / 3), Math.floor((2 * pages) / 3), pages - 2]) {
      costs.push(await capacityOf(() => service.oms.get(`/orders?page=${page}${filter}`)));
    }
    const units = costs.map(({ readUnits }) => readUnits);

    expect(new Set(costs.map(({ criticalPath }) => criticalPath))).toEqual(new Set([4]));
    expect(Math.max(...units)).toBeLessThanOrEqual(2 * Math.min(...units));
  }
  expect(total).toBeGreaterThan(100 * hundreds);
});

test("a search costs only what it finds, however much the account has", async () => {
  // The orders of the test before are there, too.
  const reference = unique("FIND");
  const lines = Array(30).fill([{ sku: "DEMO-MUG", quantity: 1 }]);
  await newOrders(service, lines, { order_reference: reference });

  const costs = [];
  for (const query of ["", "&status_id=1,4", "&page=2"])
    costs.push(await capacityOf(() => service.oms.get(`/orders?order_reference=${reference}*${query}`)));

  expect(costs.map(({ answer }) => numberAt(answer.body, "metadata.total_records"))).toEqual([30, 30, 30]);
  // Authentication, entries, records; a filter looks at the index of their block first.
  expect(costs.map(({ criticalPath }) => criticalPath)).toEqual([3, 4, 3]);
  const [plain = 0, filtered = 0, second = 0] = costs.map(({ readUnits }) => readUnits);
  expect([plain <= 10, second <= 6, filtered <= plain + 16]).toEqual([true, true, true]);
});
