import { describe, expect, test } from "vitest";
import { endpoint as createHolds } from "../../../functions/oms/inventory/holds/create-holds.ts";
import { endpoint as createOrders } from "../../../functions/oms/orders/create-orders.ts";
import { placed } from "../../../shared/common/placed.ts";
import { cancelOrders } from "../../../shared/orders/change-orders.ts";
import { changeStock } from "../../../shared/stock/stock-repository.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { expectBalanceAndMovements } from "../../support/business/ledger.ts";
import {
  countEach,
  type Lines,
  newProducts,
  pendingOrder,
  stockedProduct,
} from "../../support/business/world.ts";
import { at } from "../../support/http/client.ts";
import { expectRefusedAt } from "../../support/http/refused.ts";
import { contextOf, create, type Owner, outcomeOf } from "../../support/records/flows.ts";
import { orderOf, synsetOf, unique } from "../../support/records/records.ts";
import { dyingAfter, troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();

const refusing = (lines: Lines, more: object = {}) => orderOf(lines, { if_short: "refuse", ...more });

const post = (...data: readonly object[]) => service.oms.post("/orders", { data });

const availableOf = async (sku: string) =>
  at((await service.oms.get(`/inventory/stock?sku=${sku}`)).body, "data.0.available");

const short = (sku: string, left: number, wanted: number) =>
  `is short: ${left} of ${sku} available in MAIN, ${wanted} wanted`;

/**
 * Spreads a product's stock over shards, by transactions that collide; nothing is reserved in the end.
 * @returns a connection that knows of it
 */
async function spread(product_id: number) {
  const { db, add } = troubledDatabase(service);
  add("conflict", { times: 4 });
  for (const [position, reserved] of [5, -7, 2].entries()) {
    const change = { product_id, distribution_center_id: 1, on_hand: 0, reserved };
    const cause = { reason: "order_created", by: "test", at: new Date().toISOString() } as const;
    await transact(db, changeStock([change], { ...cause, reference: { order_id: position + 1 } }));
  }
  return db;
}

describe.each([
  ["one record", async () => undefined],
  ["shards", spread],
])("an order that is refused if short, of stock in %s", (_where, prepare) => {
  test("takes what is available, down to the last unit, and then is 409 with nothing stored", async () => {
    const { sku, product_id } = await stockedProduct(service, 5);
    await prepare(product_id);
    const sent = refusing([{ sku, quantity: 4 }]);

    const tooMuch = await post(refusing([{ sku, quantity: 6 }]));
    const first = await post(sent);
    const second = await post(refusing([{ sku, quantity: 2 }]));
    const last = await post(refusing([{ sku, quantity: 1 }]));
    const others = await post(orderOf([{ sku, quantity: 3 }]));
    const below = await post(refusing([{ sku, quantity: 1 }]));

    const statuses = [tooMuch, first, second, last, others, below].map(({ status }) => status);
    expect(statuses).toEqual([409, 200, 409, 200, 200, 409]);
    expect(at(tooMuch.body, "response.errors")).toEqual([
      { path: "data.0.items.0.quantity", message: short(sku, 5, 6) },
    ]);
    expect(at(second.body, "response.errors.0.message")).toBe(short(sku, 1, 2));
    expect(at(below.body, "response.errors.0.message")).toBe(short(sku, 0, 1));
    expect(at(first.body, "data.0")).not.toHaveProperty("if_short");
    expect(await availableOf(sku)).toBe(-3);
    await expectBalanceAndMovements(service, sku, { ofOrders: prepare !== spread });
  });

  test("of forty sent at once, as many are stored as there are units", async () => {
    const { sku, product_id } = await stockedProduct(service, 25);
    await prepare(product_id);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        outcomeOf(() => create(service, createOrders, refusing([{ sku, quantity: 1 }]))),
      ),
    );

    expect(answers.filter((one) => one === "stored")).toHaveLength(25);
    expect(new Set(answers)).toEqual(new Set(["stored", "conflict"]));
    expect(await availableOf(sku)).toBe(0);
    await expectBalanceAndMovements(service, sku, { ofOrders: prepare !== spread });
  });
});

describe.each<[string, (owner: Owner, sku: string) => Promise<{ readonly data: readonly unknown[] }>]>([
  [
    "an order that is refused if short",
    (owner, sku) => create(owner, createOrders, refusing([{ sku, quantity: 2 }])),
  ],
  ["a hold", (owner, sku) => create(owner, createHolds, { sku, quantity: 2, expires_in: 600 })],
])("%s, of stock in shards", (_kind, reserve) => {
  test("is stored if others give back what it needs and take less while the stock is read", async () => {
    const { sku, product_id } = await stockedProduct(service, 5);
    const hot = await spread(product_id);
    const cancelled = await pendingOrder(service, [{ sku, quantity: 5 }]);
    const { db, add } = troubledDatabase(service);
    const before = async () => {
      await cancelOrders(contextOf(service), placed([cancelled]));
      await create({ ...service, db: hot }, createOrders, orderOf([{ sku, quantity: 3 }]));
    };
    add({ before }, { text: "#slot#", command: "BatchGetItem" });

    const { data } = await reserve({ ...service, db }, sku);

    expect(data).toHaveLength(1);
    expect(await availableOf(sku)).toBe(0);
  });
});

describe("an order that is refused if short", () => {
  test("is tried by a dry run with others of its call, whether or not all shards are stored", async () => {
    const { sku, product_id } = await stockedProduct(service, 5);
    await spread(product_id);
    const tried = (...quantities: readonly number[]) =>
      service.oms.post("/orders?dry_run=true", {
        data: quantities.map((quantity) => refusing([{ sku, quantity }])),
      });

    const fitting = await tried(2, 3);
    const tooMuch = await tried(2, 3, 1);

    expect([fitting.status, tooMuch.status]).toEqual([200, 409]);
    expect(at(tooMuch.body, "response.errors.0.message")).toBe(short(sku, 0, 1));
    expect(await availableOf(sku)).toBe(5);
  });

  test("takes turns with the other orders of its call, and refuses them with it", async () => {
    const { sku } = await stockedProduct(service, 5);
    const line = (quantity: number) => [{ sku, quantity }];

    const both = await post(orderOf(line(3)), refusing(line(3)));
    const after = await availableOf(sku);
    const fitting = await post(refusing(line(2)), refusing(line(2)), refusing(line(1)));

    expect([both.status, fitting.status]).toEqual([409, 200]);
    expect(at(both.body, "response.errors")).toEqual([
      { path: "data.1.items.0.quantity", message: short(sku, 2, 3) },
    ]);
    expect(after).toBe(5);
    expect(await availableOf(sku)).toBe(0);
  });

  test("names each line that is short, by the kit that it names, too", async () => {
    const [plenty, few] = [await stockedProduct(service, 9), await stockedProduct(service, 5)];
    const kit = synsetOf([
      { sku: plenty.sku, quantity: 1 },
      { sku: few.sku, quantity: 2 },
    ]);
    await service.oms.post("/inventory/synsets", { data: [kit] });

    const lines = [
      { sku: few.sku, quantity: 2 },
      { sku: plenty.sku, quantity: 1 },
      { sku: kit.synset, quantity: 2 },
    ];
    const answer = await post(refusing(lines));

    const message = short(few.sku, 5, 6);
    expect(at(answer.body, "response.errors")).toEqual([
      { path: "data.0.items.0.quantity", message },
      { path: "data.0.items.2.quantity", message },
    ]);
  });

  test("counts what it reserves already as available when it is replaced", async () => {
    const { sku } = await stockedProduct(service, 5);
    const [order_number, order_id] = [unique("PUT"), await pendingOrder(service, [{ sku, quantity: 3 }])];
    const put = (quantity: number, more: object = {}) =>
      service.oms.put("/orders", {
        data: [refusing([{ sku, quantity }], { order_id, order_number, ...more })],
      });

    const more = await put(5);
    const tooMuch = await put(6);
    await pendingOrder(service, [{ sku, quantity: 1 }]);
    const unchanged = await put(5);
    const renamed = await put(5, { order_reference: "again" });
    const less = await put(4, { order_reference: "again" });

    const statuses = [more, tooMuch, unchanged, renamed, less].map(({ status }) => status);
    expect(statuses).toEqual([200, 409, 200, 409, 200]);
    expect(at(tooMuch.body, "response.errors.0.message")).toBe(short(sku, 5, 6));
    expect(at(renamed.body, "response.errors.0.message")).toBe(short(sku, 4, 5));
    await expectBalanceAndMovements(service, sku);
  });

  test("is decided again if others take the stock between its read and its transaction", async () => {
    const { sku } = await stockedProduct(service, 2);
    const { db, add } = troubledDatabase(service);
    const before = () => create(service, createOrders, orderOf([{ sku, quantity: 1 }]));
    add({ before }, { text: "order_created" });

    const attempt = create({ ...service, db }, createOrders, refusing([{ sku, quantity: 2 }]));

    await expect(attempt).rejects.toMatchObject({
      kind: "conflict",
      message: expect.stringContaining("1 of"),
    });
    expect(await availableOf(sku)).toBe(1);
  });

  test("leaves the stock right whenever its function dies", async () => {
    const { sku } = await stockedProduct(service, 20);
    let writes = 0;
    const survives = () =>
      create({ ...service, db: dyingAfter(service, writes) }, createOrders, refusing([{ sku, quantity: 1 }]))
        .then(() => true)
        .catch(() => false);
    while (!(await survives())) writes += 1;

    expect(writes).toBeGreaterThan(1);
    await expectBalanceAndMovements(service, sku);
  });

  test("is refused if its products do not fit one transaction", async () => {
    const lines = (await newProducts(service, 50)).map(({ sku }) => ({ sku, quantity: 1 }));
    await countEach(
      service,
      lines.map(({ sku }) => ({ sku, contents: 1 })),
    );

    const answer = await post(refusing(lines));
    const most = lines.slice(0, 48);
    // Its lookup by the reference is one write more, which leaves no room for the receipt of a key.
    const oneMore = await post(refusing(most, { order_reference: unique("REF") }));
    const fitting = await service.oms.post(
      "/orders",
      { data: [refusing(most)] },
      {
        "idempotency-key": unique("key"),
      },
    );

    expectRefusedAt(answer, ["data.0.items"]);
    expect(at(answer.body, "response.message")).toMatch(/: 1\d\d writes, of at most 100$/);
    expect(at(oneMore.body, "response.message")).toMatch(/: 101 writes, of at most 100$/);
    expect(fitting.status).toBe(200);
  });
});
