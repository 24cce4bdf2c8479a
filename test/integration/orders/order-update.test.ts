import { beforeAll, describe, expect, test } from "vitest";
import { endpoint as createOrders } from "../../../functions/oms/orders/create-orders.ts";
import { endpoint as updateOrders } from "../../../functions/oms/orders/update-orders.ts";
import { putEntries } from "../../../infra/operator/set-up/registry.ts";
import { Problem } from "../../../shared/common/problem.ts";
import * as world from "../../support/business/world.ts";
import { at, listAt, numberAt } from "../../support/http/client.ts";
import { oneByOne } from "../../support/http/one-by-one.ts";
import { create, createAndAnswer } from "../../support/records/flows.ts";
import { customer, orderOf, unique, withoutHistory } from "../../support/records/records.ts";
import { troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService({ demoData: true });
const sent = Array.from({ length: 50 }, () => orderOf());
const { data } = await createAndAnswer(service, createOrders, ...sent);
/** Orders of one mug each that no test has touched yet. */
const fresh = oneByOne(
  sent.map((one, position) => ({ sent: one, record: at({ data }, `data.${position}`) })),
);

async function newProducts(count: number): Promise<readonly string[]> {
  return (await world.newProducts(service, count)).map(({ sku }) => sku);
}

function freshOrder() {
  const order = fresh();
  return { ...order, order_id: numberAt(order.record, "order_id") };
}

/** An order with these fields and lines, or else any that is Pending. */
async function newOrder(more?: object, lines?: Parameters<typeof orderOf>[0]) {
  if (more === undefined) return freshOrder();
  const sent = orderOf(lines, more);
  const { data } = await createAndAnswer(service, createOrders, sent);
  const record = at({ data }, "data.0");
  return { sent, record, order_id: numberAt(record, "order_id") };
}

const read = async (orderId: number) =>
  withoutHistory(at((await service.oms.get(`/orders/${orderId}`)).body, "data"));

const byNumber = (number: string) =>
  service.oms.get(`/orders/${encodeURIComponent(number)}?identify_by=order_number`);

async function reserved(skus: readonly string[]): Promise<readonly unknown[]> {
  const levels = listAt((await service.oms.get("/inventory/stock?per_page=1000")).body, "data");
  const bySku = new Map(levels.map((level) => [at(level, "sku"), at(level, "reserved")]));
  return skus.map((sku) => bySku.get(sku));
}

const put = (...data: readonly unknown[]) => service.oms.put("/orders", { data });

const lifeless = ["DEMO-2", "DEMO-3"];

async function demoOrder(number: string) {
  const { body } = await byNumber(number);
  return { record: withoutHistory(at(body, "data")), order_id: numberAt(body, "data.order_id") };
}

describe("replacing an order", () => {
  test.each<[string, (made: { order_id: number; number: string; reference: string }) => object]>([
    ["order_id", ({ order_id }) => ({ order_id })],
    ["order_id, which wins over the rest", ({ order_id, number }) => ({ order_id, order_number: number })],
    ["order_number", ({ number }) => ({ order_number: number })],
    ["order_reference", ({ reference }) => ({ order_reference: reference })],
  ])("finds it by %s", async (_case, identify) => {
    const [number, reference] = [unique("FOUND"), unique("REF")];
    const { order_id, record } = await newOrder({ order_number: number, order_reference: reference });
    const { order_number: _number, ...rest } = orderOf([{ sku: "DEMO-MUG", quantity: 1 }]);

    const answer = await put({
      ...rest,
      order_reference: reference,
      ...identify({ order_id, number, reference }),
      customer: { ...customer, city: "Elsewhere" },
    });

    expect(answer.status).toBe(200);
    expect(at(answer.body, "data.0")).toMatchObject({
      order_id,
      order_number: number,
      order_reference: reference,
    });
    expect(at(answer.body, "data.0.customer.city")).toBe("Elsewhere");
    expect(at(answer.body, "data.0.order_api")).toBe(at(record, "order_api"));
    expect(await read(order_id)).toEqual(at(answer.body, "data.0"));
  });

  test("by a reference that several have takes the newest", async () => {
    const order_reference = unique("SHARED");
    const older = await newOrder({ order_reference });
    const newer = await newOrder({ order_reference });
    const { order_number: _number, ...rest } = orderOf([{ sku: "DEMO-MUG", quantity: 2 }], {
      order_reference,
    });

    const answer = await put(rest);

    expect(at(answer.body, "data.0.order_id")).toBe(newer.order_id);
    expect(await read(older.order_id)).toEqual(older.record);
  });

  test("takes no more calls of the database for more orders: they are read together, and once", async () => {
    const callsFor = async (count: number): Promise<number> => {
      const data = Array.from({ length: count }, freshOrder).map(({ sent, order_id }) => ({
        ...sent,
        order_id,
      }));
      const troubled = troubledDatabase(service);
      troubled.add({ after: async () => undefined }, { times: 1000, command: "any" });
      await create({ ...service, db: troubled.db }, updateOrders, ...data);
      return troubled.hits;
    };

    const [few, many] = [await callsFor(1), await callsFor(8)];

    // The orders; what they refer to.
    expect([few, many]).toEqual([2, 2]);
  });

  test("keeps status, creation time, id, barcode and sub-status, and moves updated_at", async () => {
    const { order_id, sent } = await newOrder();
    await service.oms.post("/orders/sub_status", { order_id, sub_status: "on hold" });
    const before = await read(order_id);

    const answer = await put({ ...sent, order_id, shipping_method: "EXPRESS", status: "Shipped" });

    const kept = ["order_id", "order_api", "nbtybarcode", "status", "status_id", "sub_status", "created_at"];
    for (const name of kept) expect(at(answer.body, `data.0.${name}`)).toEqual(at(before, name));
    expect(at(answer.body, "data.0.status")).toBe("Pending");
    expect(at(answer.body, "data.0.sub_status")).toBe("on hold");
    expect(at(answer.body, "data.0.shipping_method")).toBe("EXPRESS");
    expect(String(at(answer.body, "data.0.updated_at")) > String(at(before, "updated_at"))).toBe(true);
  });

  test("adjusts what is reserved exactly: more, less, none, new, the same in other words", async () => {
    const skus = await newProducts(5);
    const [more = "", less = "", gone = "", added = "", split = ""] = skus;
    const { sent, order_id } = await newOrder({}, [
      { sku: more, quantity: 2 },
      { sku: less, quantity: 5 },
      { sku: gone, quantity: 3 },
      { sku: split, quantity: 4 },
    ]);
    const before = await reserved(skus);

    const answer = await put({
      ...sent,
      order_id,
      items: [
        { sku: more, quantity: 7 },
        { sku: less, quantity: 1 },
        { sku: added, quantity: 9 },
        { sku: split, quantity: 1 },
        { sku: split, quantity: 3 },
      ],
    });
    const after = await reserved(skus);
    await service.oms.post("/orders/cancel", { order_id });
    const released = await reserved(skus);

    expect(answer.status).toBe(200);
    expect(before).toEqual([2, 5, 3, 0, 4]);
    expect(after).toEqual([7, 1, 0, 9, 4]);
    expect(released).toEqual([0, 0, 0, 0, 0]);
  });

  test("what is not sent is unset, as in a create", async () => {
    const { order_id, sent } = await newOrder({
      order_reference: unique("REF"),
      order_type_id: 2,
      cart: { id: 1 },
      customer: { ...customer, lastname: "Name", email: "name@example.com" },
    });
    const { order_number } = sent;

    const answer = await put({ ...orderOf(), order_id, order_number });

    expect(at(answer.body, "data.0")).toMatchObject({ order_reference: null, order_type_id: 1, cart: null });
    expect(at(answer.body, "data.0.customer")).toMatchObject({ lastname: null, email: null });
  });

  test("keeps lists in step: it moves to another store, type and warehouse", async () => {
    const order_type_id = 90;
    const { order_id, sent } = await newOrder({ order_type_id, cart: { id: 1 } });
    const total = async (query: string) =>
      numberAt((await service.oms.get(`/orders?${query}`)).body, "metadata.total_records");
    const before = [
      await total(`order_type_id=${order_type_id}&filter_by=store_id&filter_value=1`),
      await total(`order_type_id=${order_type_id + 1}&filter_by=store_id&filter_value=2`),
    ];

    await put({ ...sent, order_id, order_type_id: order_type_id + 1, cart: { id: 2 } });
    const after = [
      await total(`order_type_id=${order_type_id}&filter_by=store_id&filter_value=1`),
      await total(`order_type_id=${order_type_id + 1}&filter_by=store_id&filter_value=2`),
    ];

    expect(before).toEqual([1, 0]);
    expect(after).toEqual([0, 1]);
  });
});

test("an order is sent back unchanged although its store has another name, and another store its name", async () => {
  const owner = { db: service.db, ...(await world.newStore(service)) };
  const [first, second] = [unique("Shop"), unique("Shop")];
  const nameStores = async (...names: readonly string[]) => {
    for (const [position, name] of names.entries())
      await putEntries(service.db, owner.accountId, { stores: [{ store_id: 71 + position, name }] });
  };
  await putEntries(service.db, owner.accountId, { shippingMethods: ["GROUND"] });
  await nameStores(first, second);
  const { sku } = await world.newProduct(owner);
  const { data } = await create(owner, createOrders, orderOf([{ sku, quantity: 1 }], { cart: { id: 71 } }));
  await nameStores(unique("Shop"), first);

  const answer = await owner.oms.put("/orders", { data });
  const byName = { ...data[0], cart: { store_name: first } };
  const moved = await owner.oms.put("/orders", { data: [byName] });

  expect(at(answer.body, "data.0")).toMatchObject({ version: 1, cart: { id: 71, store_name: first } });
  expect(at(moved.body, "data.0")).toMatchObject({ version: 2, cart: { id: 72, store_name: first } });
});

describe("renaming an order", () => {
  test("frees its old number and takes the new one", async () => {
    const { sent, order_id } = await newOrder();
    const order_number = unique("RENAMED");

    const answer = await put({ ...sent, order_id, order_number });
    const [old, renamed] = [await byNumber(sent.order_number), await byNumber(order_number)];
    const reused = await service.oms.post("/orders", { data: [sent] });

    expect(answer.status).toBe(200);
    expect(old.status).toBe(404);
    expect(at(renamed.body, "data.order_id")).toBe(order_id);
    expect(reused.status).toBe(200);
    expect(at((await byNumber(sent.order_number)).body, "data.order_id")).toBe(
      at(reused.body, "data.0.order_id"),
    );
    expect(at((await byNumber(order_number)).body, "data.order_id")).toBe(order_id);
  });

  test.each([
    ["order_number", "before that call stores anything", "TransactWriteItems"],
    ["order_reference", "before that call stores anything", "TransactWriteItems"],
    ["order_reference", "before that call has read it", "Query"],
  ] as const)(
    "while a call replaces it by its old %s, %s: that call is 404, and the new name stays",
    async (name, _when, command) => {
      const [old, renamed] = [unique("OLD"), unique("NEW")];
      const { order_id, sent } = await newOrder({ [name]: old });
      const rename = () => put({ ...sent, [name]: renamed, order_id });
      const troubled = troubledDatabase(service);
      troubled.add(command === "Query" ? { after: rename } : { before: rename }, { command });
      const { order_number: _number, ...rest } = sent;

      const refused = await create({ ...service, db: troubled.db }, updateOrders, {
        ...rest,
        [name]: old,
        shipping_method: "EXPRESS",
      }).catch((error: unknown) => error);

      expect(refused).toBeInstanceOf(Problem);
      expect(refused).toMatchObject({
        kind: "not_found",
        message: `There is no order with ${name} ${old}`,
        details: { errors: [{ path: `data.0.${name}`, code: "unknown_reference" }] },
      });
      expect(await read(order_id)).toMatchObject({ [name]: renamed, version: 2 });
    },
  );

  test("while a call replaces it by its order_id, without a number, leaves it the new number", async () => {
    const { order_id, sent } = await newOrder();
    const order_number = unique("NEW");
    const rename = () => put({ ...sent, order_number, order_id });
    const troubled = troubledDatabase(service);
    troubled.add({ before: rename }, { command: "TransactWriteItems" });
    const { order_number: _number, ...rest } = sent;
    const changed = { ...rest, order_id, shipping_method: "EXPRESS" };

    await create({ ...service, db: troubled.db }, updateOrders, changed);

    expect(await read(order_id)).toMatchObject({ order_number, shipping_method: "EXPRESS", version: 3 });
  });

  test("to a number that is taken is 400 and changes nothing", async () => {
    const { sent, order_id, record } = await newOrder();
    const holder = at((await service.oms.get("/orders?order_number=DEMO-1")).body, "data.0.order_id");

    const answer = await put({ ...sent, order_id, order_number: "DEMO-1", shipping_method: "EXPRESS" });

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.errors")).toEqual([
      {
        path: "data.0.order_number",
        message: "already exists (DEMO-1)",
        code: "already_exists",
        order_id: holder,
      },
    ]);
    expect(await read(order_id)).toEqual(record);
  });

  test("to one number twice in a call is 400", async () => {
    const made = [await newOrder(), await newOrder()];
    const order_number = unique("BOTH");

    const answer = await put(...made.map(({ sent, order_id }) => ({ ...sent, order_id, order_number })));

    expect(answer.status).toBe(400);
    for (const { order_id, record } of made) expect(await read(order_id)).toEqual(record);
  });

  test("to another reference has it found by the new one alone", async () => {
    const [old, renamed] = [unique("REF"), unique("REF")];
    const { sent, order_id } = await newOrder({ order_reference: old });
    const byReference = (reference: string) =>
      service.oms.get(`/orders/${reference}?identify_by=order_reference`);

    await put({ ...sent, order_id, order_reference: renamed });

    expect((await byReference(old)).status).toBe(404);
    expect(at((await byReference(renamed)).body, "data.order_id")).toBe(order_id);
  });
});

describe("an order that may not be replaced", () => {
  /** Two orders that the refused calls name, and that none of them may change. */
  let kept: ReturnType<typeof freshOrder>;
  let keptToo: ReturnType<typeof freshOrder>;
  beforeAll(() => {
    [kept, keptToo] = [freshOrder(), freshOrder()];
  });

  test.each(lifeless)("%s is not Pending: 400, and nothing of the call is stored", async (number) => {
    const { record, order_id } = await demoOrder(number);
    const before = await reserved(["DEMO-MUG", "DEMO-TEE"]);

    const answer = await put(
      { ...kept.sent, order_id: kept.order_id, shipping_method: "EXPRESS" },
      { ...orderOf([{ sku: "DEMO-TEE", quantity: 5 }]), order_id, order_number: number },
    );

    expect(answer.status).toBe(400);
    const message = `names order ${order_id}, which is ${at(record, "status")}; only a Pending order can be edited`;
    expect(at(answer.body, "response.message")).toBe(`data.1 ${message}`);
    expect(at(answer.body, "response.errors")).toEqual([{ path: "data.1", message, code: "wrong_status" }]);
    expect(await read(order_id)).toEqual(record);
    expect(await reserved(["DEMO-MUG", "DEMO-TEE"])).toEqual(before);
  });

  test.each<[string, object]>([
    ["order_id", { order_id: 999_999_999 }],
    ["order_id, though the number is known", { order_id: 999_999_999, order_number: "DEMO-1" }],
    ["order_number", { order_number: "NO-SUCH" }],
    ["order_reference", { order_number: undefined, order_reference: "NO-SUCH" }],
  ])("an unknown %s is 404, and nothing of the call is stored", async (_case, identity) => {
    const { sent, order_id } = kept;

    const answer = await put(
      { ...sent, order_id, shipping_method: "EXPRESS" },
      { ...orderOf(), ...identity },
    );

    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ response: { success: false, message: expect.any(String) } });
  });

  test("no identifier is 400", async () => {
    const { order_number: _number, ...nameless } = orderOf();

    const answer = await put(nameless);

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.errors.0.path")).toBe("data.0.order_id");
  });

  test("one order twice in a call is 400, also under two identifiers", async () => {
    const { sent, order_id } = kept;
    const again = { ...sent, shipping_method: "EXPRESS" };

    const twice = await put({ ...again, order_id }, { ...again, order_id, order_number: unique("OTHER") });
    const twoNames = await put(
      { ...again, order_id, order_number: unique("OTHER") },
      { ...again, order_number: sent.order_number },
    );

    expect([twice.status, twoNames.status]).toEqual([400, 400]);
    const wrongIn = ({ body }: typeof twice) => listAt(body, "response.errors");
    expect(wrongIn(twice)).toEqual([
      { path: "data.1.order_id", message: `names an order twice (${order_id})` },
    ]);
    expect(wrongIn(twoNames)).toEqual([
      { path: "data.1.order_number", message: `names an order twice (${sent.order_number})` },
    ]);
  });

  test("one order_id twice in a call is named as it was sent, if no number was", async () => {
    const { order_id } = kept;
    const { order_number: _number, ...again } = kept.sent;

    const answer = await put({ ...again, order_id }, { ...again, order_id });

    expect(answer.status).toBe(400);
    expect(listAt(answer.body, "response.errors")).toEqual([
      { path: "data.1.order_id", message: `names an order twice (${order_id})` },
    ]);
  });

  test.each<[string, object]>([
    ["an unknown SKU", { items: [{ sku: "NO-SUCH", quantity: 1 }] }],
    ["an unknown shipping method", { shipping_method: "PIGEON" }],
    ["an unknown store", { cart: { store_name: "No Such Store" } }],
    ["an order_id that is text", { order_id: "1" }],
  ])("%s is 400, and nothing of the call is stored", async (_case, wrong) => {
    const answer = await put(
      { ...kept.sent, order_id: kept.order_id, shipping_method: "EXPRESS" },
      { ...keptToo.sent, order_id: keptToo.order_id, ...wrong },
    );

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.errors.0.path")).toMatch(/^data\.1\./);
  });

  test("none of these calls changed the orders that they named beside others", async () => {
    for (const { order_id, record } of [kept, keptToo]) expect(await read(order_id)).toEqual(record);
  });
});

describe("the sub-status", () => {
  const setSubStatus = (order_id: unknown, sub_status: unknown) =>
    service.oms.post("/orders/sub_status", { order_id, sub_status });

  test.each(["x", "x".repeat(64), " waiting for – colour 🎨 "])(
    "may be %j and never changes the status",
    async (text) => {
      const { order_id, record } = await newOrder();

      const answer = await setSubStatus(order_id, text);

      expect(answer.status).toBe(200);
      expect(at(answer.body, "data")).toEqual({
        ...(typeof record === "object" ? record : {}),
        sub_status: text,
        updated_at: expect.any(String),
        version: 2,
      });
      expect(await read(order_id)).toEqual(at(answer.body, "data"));
    },
  );
});

describe("cancelling", () => {
  test.each(lifeless)("%s is 400, alone and among others, and nothing changes", async (number) => {
    const { order_id, record } = await demoOrder(number);
    const other = await newOrder();
    const before = await reserved(["DEMO-MUG"]);

    const one = await service.oms.post("/orders/cancel", { order_id });
    const order_ids = [other.order_id, order_id];
    const bulk = await service.oms.post("/orders/cancel-bulk", { order_ids });

    expect([one.status, bulk.status]).toEqual([400, 400]);
    const message = `names order ${order_id}, which is ${at(record, "status")}; only a Pending order can be cancelled`;
    expect(at(one.body, "response.message")).toBe(`order_id ${message}`);
    expect(at(bulk.body, "response.message")).toBe(`order_ids.1 ${message}`);
    expect(at(bulk.body, "response.errors.0.code")).toBe("wrong_status");
    expect(await read(order_id)).toEqual(record);
    expect(await read(other.order_id)).toEqual(other.record);
    expect(await reserved(["DEMO-MUG"])).toEqual(before);
  });

  test("twice succeeds and releases once", async () => {
    const skus = await newProducts(1);
    const { order_id } = await newOrder({}, [{ sku: skus[0] ?? "", quantity: 2 }]);

    const first = await service.oms.post("/orders/cancel", { order_id });
    const second = await service.oms.post("/orders/cancel", { order_id });
    const third = await service.oms.post("/orders/cancel-bulk", { order_ids: [order_id] });

    expect([first.status, second.status, third.status]).toEqual([200, 200, 200]);
    expect(second.body).toEqual(first.body);
    expect(at(third.body, "data.0")).toEqual(at(first.body, "data"));
    expect(await reserved(skus)).toEqual([0]);
  });

  test("keeps the order's number taken", async () => {
    const { sent, order_id } = await newOrder();
    await service.oms.post("/orders/cancel", { order_id });

    const answer = await service.oms.post("/orders", { data: [sent] });

    expect(answer.status).toBe(400);
  });
});

describe("cancelling in bulk", () => {
  const cancelBulk = (order_ids: unknown) => service.oms.post("/orders/cancel-bulk", { order_ids });

  test("cancels all and releases all, in the call's order", async () => {
    const skus = await newProducts(2);
    const made = [
      await newOrder({}, [{ sku: skus[0] ?? "", quantity: 2 }]),
      await newOrder(
        {},
        skus.map((sku) => ({ sku, quantity: 3 })),
      ),
      await newOrder({}, [{ sku: skus[1] ?? "", quantity: 4 }]),
    ];
    const ids = made.map(({ order_id }) => order_id).reverse();
    const before = await reserved(skus);

    const answer = await cancelBulk(ids);

    expect(answer.status).toBe(200);
    expect(before).toEqual([5, 7]);
    expect(listAt(answer.body, "data").map((order) => at(order, "order_id"))).toEqual(ids);
    expect(new Set(listAt(answer.body, "data").map((order) => at(order, "status")))).toEqual(
      new Set(["Cancelled"]),
    );
    expect(await reserved(skus)).toEqual([0, 0]);
  });

  test("one unknown is 404, and none is cancelled", async () => {
    const made = [await newOrder(), await newOrder()];
    const [first, last] = made.map(({ order_id }) => order_id);

    const answer = await cancelBulk([first, 999_999_999, last]);

    expect(answer.status).toBe(404);
    expect(at(answer.body, "response.errors.0.path")).toBe("order_ids.1");
    for (const { order_id, record } of made) expect(await read(order_id)).toEqual(record);
  });
});
