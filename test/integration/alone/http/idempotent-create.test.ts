import { beforeAll, describe, expect, test } from "vitest";
import { expectBalanceAndMovements } from "../../../support/business/ledger.ts";
import {
  announceReplenishment,
  announceReturn,
  claimEach,
  newOrders,
  newProduct,
  pickFrom,
  pickItems,
  shipOrder,
  shippedOrder,
  stockedProduct,
} from "../../../support/business/world.ts";
import { type Answer, at, listAt, numberAt } from "../../../support/http/client.ts";
import { oneByOne } from "../../../support/http/one-by-one.ts";
import { randomFrom, whole } from "../../../support/http/random.ts";
import { orderOf, productOf, unique, withoutHistory } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { expireKeyLocks } from "../../../support/store/key-locks.ts";

const service = await ownService();

/** What is created by one call, and the call's function. */
interface Kind {
  readonly path: string;
  readonly function: string;
  readonly table: "TABLE_ORDERS" | "TABLE_INVENTORY";
  readonly id: string;
  readonly some: (count: number) => readonly object[];
  /** How many records take several transactions, and which of these a function may die at. */
  readonly many: number;
  readonly deaths: readonly (readonly ["kill-before" | "kill-after", skip: number])[];
  /** What the records change elsewhere: a unit for each. */
  readonly units?: () => Promise<number>;
}

const lines = ["DEMO-TEE", "DEMO-MUG", "DEMO-CAP"].map((sku) => ({ sku, quantity: 2 }));
const { sku } = await stockedProduct(service, 1000);
const toReturn = await newOrders(service, Array(4).fill([{ sku, quantity: 60 }]));
await claimEach(service, toReturn);
for (const order_id of toReturn) {
  await pickItems(service, order_id, pickFrom(sku, 60));
  await shipOrder(service, order_id);
}
const nextShipped = oneByOne(toReturn);
// The first record of its kind would lease a block of ids.
await announceReplenishment(service, [{ sku, quantity: 1 }]);
const first = await shippedOrder(service, [{ sku, quantity: 1 }]);
await announceReturn(service, first.order_id, [{ sku, quantity: 1 }]);

const orders: Kind = {
  path: "/orders",
  function: "oms/orders/create-orders",
  table: "TABLE_ORDERS",
  id: "order_id",
  some: (count) => Array.from({ length: count }, () => orderOf(lines)),
  many: 60,
  deaths: [
    ["kill-before", 2],
    ["kill-after", 2],
  ],
};
const products: Kind = {
  path: "/inventory/products",
  function: "oms/inventory/products/create-products",
  table: "TABLE_INVENTORY",
  id: "product_id",
  some: (count) => Array.from({ length: count }, () => productOf()),
  many: 80,
  // Their transactions run side by side, so that all may be stored once one is.
  deaths: [["kill-before", 2]],
};
const replenishments: Kind = {
  path: "/inventory/replenishments",
  function: "oms/inventory/replenishments/create-replenishments",
  table: "TABLE_INVENTORY",
  id: "replenishment_id",
  some: (count) => Array.from({ length: count }, () => ({ items: [{ sku, quantity: 1 }] })),
  many: 100,
  deaths: [["kill-after", 0]],
  units: async () => numberAt((await service.oms.get(`/inventory/stock?sku=${sku}`)).body, "data.0.incoming"),
};
const returns: Kind = {
  path: "/inventory/returns",
  function: "oms/inventory/returns/create-returns",
  table: "TABLE_INVENTORY",
  id: "return_id",
  /** Of one order, so that each builds on the one before. */
  some: (count) => {
    const order_id = nextShipped();
    return Array.from({ length: count }, () => ({ order_id, items: [{ sku, quantity: 1 }] }));
  },
  many: 60,
  deaths: [["kill-after", 0]],
  units: async () => {
    const read = toReturn.map((id) => service.oms.get(`/orders/${id}`));
    return (await Promise.all(read)).reduce(
      (sum, { body }) => sum + numberAt(body, "data.items.0.returned"),
      0,
    );
  },
};

const total = async ({ path }: Kind) =>
  numberAt((await service.oms.get(`${path}?per_page=1`)).body, "metadata.total_records");

/**
 * What befalls the transactions that store such records, after the first `skip`. Others may lease ids in
 * between.
 */
const befall = (kind: Kind, effect: "kill-before" | "kill-after" | "lose-response", skip = 0, times = 1) =>
  service.runtime.faults.add({
    ...{ effect, skip, times },
    operation: "TransactWriteItems",
    function: kind.function,
    table: kind.table,
  });

/** A call that can be made again with the same `Idempotency-Key`. */
function retriable(kind: Kind, data: readonly object[]): () => Promise<Answer> {
  const key = { "Idempotency-Key": unique("key") };
  return () => service.oms.post(kind.path, { data }, key);
}

const isReplayed = ({ headers }: Answer) => headers.get("idempotent-replayed") === "true";

/** The records as they are read one by one, by the ids that an answer gives them. */
const readEach = (kind: Kind, answered: readonly unknown[]) =>
  Promise.all(
    answered.map(async (record) => {
      const { path, id } = kind;
      return withoutHistory(at((await service.oms.get(`${path}/${at(record, id)}`)).body, "data"));
    }),
  );

/** The records as the latest page of their list shows them, by the ids that an answer gives them. */
async function readListed(kind: Kind, answered: readonly unknown[]) {
  const { path, id } = kind;
  const { body } = await service.oms.get(`${path}?per_page=100`);
  const shown = new Map(listAt(body, "data").map((record) => [at(record, id), withoutHistory(record)]));
  return answered.map((record) => shown.get(at(record, id)));
}

describe.each([orders, products, replenishments, returns])("POST $path", (kind) => {
  const figures = async () => ({ records: await total(kind), units: await kind.units?.() });
  let known: Awaited<ReturnType<typeof figures>>;
  beforeAll(async () => {
    known = await figures();
  });

  /** How many records there are more than when it was asked last. As many units more follow from them. */
  async function added(): Promise<number> {
    const before = known;
    known = await figures();
    const count = known.records - before.records;
    if (kind.units) expect(known.units).toBe((before.units ?? 0) + count);
    return count;
  }

  test("by a function that died right after its transaction is answered, at a retry, as it would have been", async () => {
    const call = retriable(kind, kind.some(2));
    befall(kind, "kill-after");

    const died = await call();
    const tooEarly = await call();
    await expireKeyLocks(service);
    const retried = await call();
    const again = await call();

    expect([died.status, tooEarly.status, retried.status, again.status]).toEqual([500, 429, 200, 200]);
    expect([isReplayed(retried), isReplayed(again)]).toEqual([true, true]);
    expect(again.body).toEqual(retried.body);
    const answered = listAt(retried.body, "data");
    expect(answered).toEqual(await readEach(kind, answered));
    expect(await added()).toBe(2);
  });

  test("by a function that dies right before its transaction runs again on a retry", async () => {
    const call = retriable(kind, kind.some(2));
    befall(kind, "kill-before");

    const died = await call();
    await expireKeyLocks(service);
    const retried = await call();
    const again = await call();

    expect([died.status, retried.status, again.status]).toEqual([500, 200, 200]);
    expect([isReplayed(retried), isReplayed(again)]).toEqual([false, true]);
    expect(await added()).toBe(2);
  });

  test("by a function that never hears that its records are stored answers a retry at once", async () => {
    const call = retriable(kind, kind.some(2));
    befall(kind, "lose-response", 0, 20);

    const failed = await call();
    service.runtime.faults.clear();
    const retried = await call();

    expect([failed.status, retried.status]).toEqual([500, 200]);
    expect(isReplayed(retried)).toBe(true);
    expect(await added()).toBe(2);
  });

  test.each(kind.deaths)(
    "by a function that dies (%s) between its transactions is completed by a retry, and answered as the call would have been",
    async (effect, skip) => {
      const count = kind.many;
      const call = retriable(kind, kind.some(count));
      befall(kind, effect, skip);

      const died = await call();
      await expireKeyLocks(service);
      const half = await added();
      const retried = await call();
      const again = await call();

      expect([died.status, retried.status, again.status]).toEqual([500, 200, 200]);
      expect([isReplayed(retried), isReplayed(again)]).toEqual([true, true]);
      expect(again.body).toEqual(retried.body);
      expect(half).toBeGreaterThan(0);
      expect(half).toBeLessThan(count);
      expect(await added()).toBe(count - half);
      const answered = listAt(retried.body, "data");
      expect(answered).toHaveLength(count);
      expect(answered).toEqual(await readListed(kind, answered));
    },
  );
});

test("orders whose call died half way are each reserved once by a retry, and others are named that can't be stored now", async () => {
  const product = await newProduct(service);
  const data = Array.from({ length: 40 }, () => orderOf([...lines, { sku: product.sku, quantity: 1 }]));
  const call = retriable(orders, data);
  befall(orders, "kill-after", 1);
  await call();
  await expireKeyLocks(service);
  const half = (await expectBalanceAndMovements(service, product.sku)).reserved;
  // Another call takes the number of the last order, which is not stored yet.
  const last = { ...orderOf([{ sku: product.sku, quantity: 1 }]), order_number: data[39]?.order_number };
  await service.oms.post("/orders", { data: [last] });

  const retried = await call();
  const again = await call();

  expect(half).toBeGreaterThan(0);
  expect(half).toBeLessThan(40);
  expect([retried.status, again.status]).toEqual([400, 400]);
  expect(again.body).toEqual(retried.body);
  expect(at(retried.body, "response")).toMatchObject({
    errors: [{ path: "data.39.order_number", message: `already exists (${last.order_number})` }],
  });
  const told = listAt(retried.body, "data").map((record) => at(record, "success"));
  expect(told).toEqual([...Array(half).fill(true), ...Array(40 - half).fill(false)]);
  expect((await expectBalanceAndMovements(service, product.sku)).reserved).toBe(half + 1);
});

test("an answer that is too large to keep is given all the same, and given again", async () => {
  const random = randomFrom(7);
  const ideographs = () => Array.from({ length: 2000 }, () => whole(random, 0x4e00, 0x9fff));
  const data = Array.from({ length: 100 }, () =>
    productOf({ description: String.fromCodePoint(...ideographs()), category: "x".repeat(255) }),
  );

  const call = retriable(products, data);

  const answer = await call();
  const again = await call();

  expect([answer.status, again.status]).toEqual([200, 200]);
  expect(again.body).toEqual(answer.body);
  expect(listAt(answer.body, "data")).toHaveLength(100);
});
