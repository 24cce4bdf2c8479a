import { beforeAll, describe, expect, test } from "vitest";
import { endpoint as createSerials } from "../../../../functions/oms/serials/create-serials.ts";
import { criticalPath } from "../../../../infra/local/index.ts";
import { limitAccount } from "../../../../infra/operator/set-up/accounts.ts";
import { findAccount } from "../../../../shared/accounts/account-repository.ts";
import { claimOrder } from "../../../../shared/picking/picking-flows.ts";
import type { Cause } from "../../../../shared/stock/movements/movement.ts";
import { changeStock } from "../../../../shared/stock/stock-repository.ts";
import { transact } from "../../../../shared/store/dynamodb/transact.ts";
import {
  byManager,
  countStock,
  newOrders,
  newProduct,
  newProducts,
  newStore,
  pendingOrder,
  stockedProduct,
} from "../../../support/business/world.ts";
import { at, type Client, listAt, numberAt } from "../../../support/http/client.ts";
import { signIn } from "../../../support/http/mobile.ts";
import { operations } from "../../../support/http/random.ts";
import { putAccount } from "../../../support/records/accounts.ts";
import { create } from "../../../support/records/flows.ts";
import {
  aliasOf,
  orderOf,
  productOf,
  recountOf,
  synsetOf,
  unique,
} from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import type { Store } from "../../../support/runtime/service.ts";
import { kinds } from "../../../support/store/job-kinds.ts";
import { takeMessages } from "../../../support/store/jobs.ts";

const service = await ownService({ paused: true });

async function costOf<A>(call: () => Promise<A>) {
  const mark = service.runtime.mark();
  // Calls side by side overlap for certain.
  service.runtime.addLatency(40);
  const answer = await call();
  service.runtime.addLatency(0);
  return { answer, ...service.runtime.summary(mark) };
}

/** What a call costs in capacity units, too. */
async function capacityOf<A>(call: () => Promise<A>) {
  service.runtime.recordCapacity(true);
  try {
    return await costOf(call);
  } finally {
    service.runtime.recordCapacity(false);
  }
}

/** An account with a limit, which the ping's one instance knows. */
async function limitedStore(): Promise<Store> {
  const store = await newStore(service);
  const account = await findAccount(service.db, store.accountId);
  if (account === undefined) throw new Error("the store has no account");
  await limitAccount(service.db, account, { per_second: 10, burst: 100 });
  await store.oms.post("/ping");
  return store;
}

describe("round trips to the database, one after another", () => {
  test("a ping takes one", async () => {
    const cost = await costOf(() => service.oms.post("/ping"));
    const wms = await costOf(() => service.wms.post("/ping"));

    expect([cost.count, wms.count]).toEqual([1, 1]);
  });

  test("a ping of an account with a limit takes one, and counts beside it", async () => {
    const store = await limitedStore();

    const cost = await costOf(() => store.oms.post("/ping"));

    expect([cost.criticalPath, cost.count]).toEqual([1, 2]);
  });

  test("a wrong key of an account with a limit reads the account, and asks nothing of its bucket", async () => {
    const store = await limitedStore();
    const stranger = service.client("/apirest/v4/oms", { ...store.credentials, Key: "wrong" });

    const guess = await costOf(() => stranger.post("/ping"));
    const own = await costOf(() => store.oms.post("/ping"));

    expect([guess.count, own.criticalPath]).toEqual([1, 1]);
  });

  test("a key that was replaced reaches the bucket of its account no more once an instance has met it", async () => {
    const store = await limitedStore();
    const renewed = { name: "Test Store", activated: true, key_scope: "write", key: "another" } as const;
    await putAccount(service.db, { account_id: store.accountId, ...renewed });

    const first = await costOf(() => store.oms.post("/ping"));
    const second = await costOf(() => store.oms.post("/ping"));

    expect([first.count, second.count]).toEqual([2, 1]);
  });

  test("reading an order takes two", async () => {
    // The first call of an instance may be slow to begin what belongs side by side.
    await service.oms.get("/orders/1000");

    const cost = await costOf(() => service.oms.get("/orders/1000"));

    expect([cost.criticalPath, cost.count]).toEqual([2, 2]);
  });

  test("creating an order of three lines takes four", async () => {
    const lines = ["DEMO-TEE", "DEMO-MUG", "DEMO-CAP"].map((sku) => ({ sku, quantity: 1 }));
    const cost = await costOf(() => service.oms.post("/orders", { data: [orderOf(lines)] }));

    expect(cost.count).toBe(4);
  });

  test("recording a pick takes four: the session, the order, what it refers to, and the write", async () => {
    const picker = await signIn(service);
    const { sku } = await stockedProduct(service, { "A1/01": 10 });
    const order_id = await pendingOrder(service, [{ sku, quantity: 6 }]);
    await claimOrder(byManager(service.db), order_id, picker.user_name);
    const picks = [{ sku, location: "A1", bin: "01", quantity: 2 }];
    const note = () => picker.post("/mobile-v1/pp-updateLogPick-1", { order_id, picks });
    // An instance's first call reads the key of sessions as well.
    const { status } = await note();

    const cost = await costOf(note);

    expect(status).toBe(200);
    expect(cost.count).toBe(4);
  });

  test("accepting a recount of a hundred bin entries, of two accounts, takes at most six", async () => {
    const store = { db: service.db, ...(await newStore(service)) };
    const [ours, theirs] = [await newProduct(service), await newProduct(store)];
    const change = { location: "A1", bin: "02", qty: 1 };
    const mark = service.runtime.mark();

    const answer = await service.wms.post("/recount", [
      ...recountOf(ours.sku, Array(99).fill(change)),
      ...recountOf(theirs.sku, [change], { account_id: store.accountId }),
    ]);

    const calls = service.runtime
      .calls(mark)
      .filter((call) => call.function === "wms/recount" && call.service === "dynamodb");
    // Nothing is asked of the effects of its hundred jobs.
    await takeMessages(service.runtime, "recount");
    expect(answer.status).toBe(200);
    expect(listAt(answer.body, "result")).toHaveLength(100);
    expect(criticalPath(calls)).toBeLessThanOrEqual(6);
  });

  /** 100 records of a product's serials, numbered through. */
  const serialRecords = (prefix: string, each: number) =>
    Array.from({ length: 100 }, (_, record) => ({
      sku: "DEMO-TEE",
      serials: Array.from({ length: each }, (_serial, position) => `${prefix}-${record}-${position}`),
    }));

  // Credentials, SKUs, what exists; then 100 serials a transaction, sixteen transactions side by side.
  test.each([
    [1, 4],
    [17, 8],
  ])(
    "creating 100 records, each of %i serials, takes at most %i, and 2 write units a serial",
    async (each, trips) => {
      // The first serials of a product mark the product, which takes one more of each.
      await create(service, createSerials, { sku: "DEMO-TEE", serials: [unique("FIRST")] });
      let status = 0;
      const cost = await capacityOf(async () => {
        ({ status } = await service.oms.post("/serials/bulk", { data: serialRecords(`R${each}`, each) }));
      });

      expect(status).toBe(200);
      expect(cost.criticalPath).toBeLessThanOrEqual(trips);
      expect(cost.writeUnits).toBe(2 * 100 * each);
    },
  );

  // The first attributes of an owner lease a block of ids, which takes three more.
  test.each<[string, string, () => object]>([
    ["products", "/inventory/products", () => productOf()],
    ["attributes", "/attributes/product/1001", () => ({ attribute: unique("name"), value: "x" })],
  ])("creating 100 %s takes at most twelve", async (_records, path, recordOf) => {
    let status = 0;
    const cost = await costOf(async () => {
      ({ status } = await service.oms.post(path, { data: Array.from({ length: 100 }, recordOf) }));
    });

    expect(status).toBe(200);
    expect(cost.criticalPath).toBeLessThanOrEqual(12);
  });

  test("giving attributes to hundreds of serials takes four and writes one item", async () => {
    await service.oms.post("/serials/bulk", { data: serialRecords("G", 4) });
    const attributes = [{ attribute: "color", value: "red" }];
    const range = { sku: "DEMO-TEE", serial_start: "G-10-0", serial_end: "G-99-3" };

    const cost = await capacityOf(() =>
      service.oms.post("/serials/batch/attributes", { data: [{ ...range, attributes }] }),
    );

    expect(cost.criticalPath).toBe(4);
    // One small item, in a transaction.
    expect(cost.writeUnits).toBe(2);
  });

  test("listing an owner's attributes takes five, deleting one as many", async () => {
    const owner = "/attributes/product/1000";
    await service.oms.post(owner, { data: [{ attribute: "color", value: "red" }] });

    const listed = await costOf(() => service.oms.get(owner));
    const deleted = await costOf(() => service.oms.send("DELETE", `${owner}?attribute=color`, undefined));

    expect([listed.criticalPath, deleted.criticalPath]).toEqual([5, 5]);
  });
});

describe("a batch of ten jobs", () => {
  test.each(kinds)(
    "of kind $kind takes five and its message to accept, and two each to apply",
    async (kind) => {
      const { runtime } = service;
      runtime.resume();
      // The first of a kind leases a block of ids.
      await (await kind.prepare(service, 1))();
      const ask = await kind.prepare(service, 10);
      await runtime.settled();
      await runtime.pause();
      const mark = runtime.mark();
      await ask();
      runtime.resume();
      await runtime.settled();
      await runtime.pause();

      const callsOf = (name: string, to: string) =>
        runtime.calls(mark).filter((call) => call.function === name && call.service === to);
      expect(criticalPath(callsOf(kind.endpoint, "dynamodb"))).toBeLessThanOrEqual(5);
      expect(callsOf(kind.endpoint, "sqs")).toHaveLength(1);
      expect(callsOf(kind.worker, "dynamodb").length).toBeLessThanOrEqual(20);
    },
  );
});

test("a page of the inventory list costs the same round trips, however many products have no bins", async () => {
  const store = { db: service.db, ...(await newStore(service)) };
  const products = [...(await newProducts(store, 100)), ...(await newProducts(store, 20))];
  const count = (product: number, contents: Readonly<Record<string, number>>) =>
    countStock(store, products[product]?.sku ?? "", contents);
  await count(0, { "A1/03": 6, "A2/01": 2, "A2/02": 0, "B1/01": 1, "B1/02": 4 });
  await count(99, { "A1/01": 7 });
  await count(119, { "A1/01": 8, "A1/02": 9 });

  const costs = [];
  for (const page of [1, 6, 8]) {
    const { count: trips } = await costOf(() =>
      store.v2.post("/pro-v1/inventory-list-1", { page, per_page: 1 }),
    );
    costs.push(trips);
  }

  // Credentials, counters, the index of the block that the page lies in; its records, how often it was rolled
  // up, and whether one of its records moved meanwhile.
  expect(costs).toEqual([6, 6, 6]);
});

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
