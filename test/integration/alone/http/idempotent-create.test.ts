import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, at, listAt, numberAt } from "../../../support/http/client.ts";
import { randomFrom, whole } from "../../../support/http/random.ts";
import { orderOf, productOf, unique, withoutHistory } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { endClaims } from "../../../support/store/claims.ts";
import { expectBalanced } from "../../../support/store/ledger.ts";
import { newProduct } from "../../../support/store/world.ts";

const service = await ownService();

const creations = {
  orders: { path: "/orders", function: "oms/orders/create-orders", table: "TABLE_ORDERS", id: "order_id" },
  products: {
    path: "/inventory/products",
    function: "oms/inventory/products/create-products",
    table: "TABLE_INVENTORY",
    id: "product_id",
  },
} as const;
const kinds = ["orders", "products"] as const;
type Kind = (typeof kinds)[number];

const lines = ["DEMO-TEE", "DEMO-MUG", "DEMO-CAP"].map((sku) => ({ sku, quantity: 2 }));
const recordsOf = (kind: Kind, count: number) =>
  Array.from({ length: count }, () => (kind === "orders" ? orderOf(lines) : productOf()));

const total = async (kind: Kind) =>
  numberAt((await service.oms.get(`${creations[kind].path}?per_page=1`)).body, "metadata.total_records");

/**
 * What befalls the transactions that store such records, after the first `skip`. Others may lease ids in
 * between.
 */
const befall = (kind: Kind, effect: "kill-before" | "kill-after" | "lose-response", skip = 0, times = 1) =>
  service.runtime.faults.add({
    ...{ effect, skip, times },
    operation: "TransactWriteItems",
    function: creations[kind].function,
    table: creations[kind].table,
  });

/** A call that can be made again with the same `Idempotency-Key`. */
function retriable(kind: Kind, data: readonly object[]): () => Promise<Answer> {
  const key = { "Idempotency-Key": unique("key") };
  return () => service.oms.post(creations[kind].path, { data }, key);
}

const isReplayed = ({ headers }: Answer) => headers.get("idempotent-replayed") === "true";

/** The records as they are read one by one, by the ids that an answer gives them. */
const readEach = (kind: Kind, answered: readonly unknown[]) =>
  Promise.all(
    answered.map(async (record) => {
      const { path, id } = creations[kind];
      return withoutHistory(at((await service.oms.get(`${path}/${at(record, id)}`)).body, "data"));
    }),
  );

/** The records as the latest page of their list shows them, by the ids that an answer gives them. */
async function readListed(kind: Kind, answered: readonly unknown[]) {
  const { path, id } = creations[kind];
  const { body } = await service.oms.get(`${path}?per_page=100`);
  const shown = new Map(listAt(body, "data").map((record) => [at(record, id), withoutHistory(record)]));
  return answered.map((record) => shown.get(at(record, id)));
}

describe.each(kinds)("creating %s", (kind) => {
  let known: number;
  beforeAll(async () => {
    known = await total(kind);
  });

  /** How many records there are more than when it was asked last. */
  async function added(): Promise<number> {
    const before = known;
    known = await total(kind);
    return known - before;
  }

  test("by a function that dies right after its transaction answers a retry as the call would have", async () => {
    const call = retriable(kind, recordsOf(kind, 2));
    befall(kind, "kill-after");

    const died = await call();
    const tooEarly = await call();
    await endClaims(service);
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
    const call = retriable(kind, recordsOf(kind, 2));
    befall(kind, "kill-before");

    const died = await call();
    await endClaims(service);
    const retried = await call();
    const again = await call();

    expect([died.status, retried.status, again.status]).toEqual([500, 200, 200]);
    expect([isReplayed(retried), isReplayed(again)]).toEqual([false, true]);
    expect(await added()).toBe(2);
  });

  test("by a function that never hears that its records are stored answers a retry at once", async () => {
    const call = retriable(kind, recordsOf(kind, 2));
    befall(kind, "lose-response", 0, 20);

    const failed = await call();
    service.runtime.faults.clear();
    const retried = await call();

    expect([failed.status, retried.status]).toEqual([500, 200]);
    expect(isReplayed(retried)).toBe(true);
    expect(await added()).toBe(2);
  });

  // Transactions of orders of the same products go one after another, those of products side by side: all may
  // be stored.
  const deaths = [
    ["before", "kill-before"],
    ["after", "kill-after"],
  ] as const;
  test.each(kind === "orders" ? deaths : deaths.slice(0, 1))(
    "by a function that dies %s its third transaction is completed by a retry, and answered as the call would have been",
    async (_, effect) => {
      const count = kind === "orders" ? 60 : 80;
      const data = recordsOf(kind, count);
      const call = retriable(kind, data);
      befall(kind, effect, 2);

      const died = await call();
      await endClaims(service);
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
  const call = retriable("orders", data);
  befall("orders", "kill-after", 1);
  await call();
  await endClaims(service);
  const half = (await expectBalanced(service, product.sku)).reserved;
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
  expect((await expectBalanced(service, product.sku)).reserved).toBe(half + 1);
});

test("an answer that is too large to keep is given all the same, and given again", async () => {
  const random = randomFrom(7);
  const ideographs = () => Array.from({ length: 2000 }, () => whole(random, 0x4e00, 0x9fff));
  const data = Array.from({ length: 100 }, () =>
    productOf({ description: String.fromCodePoint(...ideographs()), category: "x".repeat(255) }),
  );

  const call = retriable("products", data);

  const answer = await call();
  const again = await call();

  expect([answer.status, again.status]).toEqual([200, 200]);
  expect(again.body).toEqual(answer.body);
  expect(listAt(answer.body, "data")).toHaveLength(100);
});
