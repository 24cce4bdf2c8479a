import { afterEach, describe, expect, test, vi } from "vitest";
import { endpoint as createHolds } from "../../../functions/oms/inventory/holds/create-holds.ts";
import { endpoint as deleteHold } from "../../../functions/oms/inventory/holds/delete-hold.ts";
import { endpoint as listStock } from "../../../functions/oms/inventory/stock/list-stock.ts";
import { endpoint as createOrders } from "../../../functions/oms/orders/create-orders.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import { releaseDueHolds } from "../../../shared/stock/holds/release-holds.ts";
import { expectBalanceAndMovements } from "../../support/business/ledger.ts";
import { pendingOrder, stockedProduct } from "../../support/business/world.ts";
import { at, listAt } from "../../support/http/client.ts";
import { contextOf, create, outcomeOf } from "../../support/records/flows.ts";
import { orderOf, synsetOf, unique } from "../../support/records/records.ts";
import { dyingAfter, troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();
afterEach(() => {
  vi.useRealTimers();
});

const holdOf = (sku: string, quantity: number, more: object = {}) => ({
  sku,
  quantity,
  expires_in: 600,
  ...more,
});

const post = (...data: readonly object[]) => service.oms.post("/inventory/holds", { data });

/** A hold placed by this process, at its time; its id. */
async function held(sku: string, quantity: number, more: object = {}): Promise<string> {
  const { data } = await create(service, createHolds, holdOf(sku, quantity, more));
  return data[0]?.hold_id ?? "";
}

async function listed(query: Readonly<Record<string, string>>) {
  const { data } = await listStock.flow(parseRequest(listStock.request, { query }), contextOf(service));
  return data;
}

async function stock(sku: string) {
  const [{ reserved, held, available } = {}] = await listed({ sku });
  return { reserved, held, available };
}

const reservedAt = async (sku: string, time: number) =>
  (await listed({ sku, as_of: new Date(time).toISOString() }))[0]?.reserved;

/** What a hold changed in the stock of its product, oldest first. */
async function movementsOf(sku: string, hold_id: string) {
  const { body } = await service.oms.get(`/inventory/stock/${sku}/movements?order_direction=asc`);
  const own = listAt(body, "data").filter((one) => at(one, "hold_id") === hold_id);
  return own.map((one) => [at(one, "reason"), at(one, "reserved")]);
}

const orderWith = (sku: string, quantity: number, hold_id: string, more: object = {}) =>
  orderOf([{ sku, quantity, hold_id }], more);

const sweep = (db = service.db) => releaseDueHolds(db, new Date().toISOString(), () => true);

/** Places a hold that ended ten seconds ago, and that nothing has released. */
async function ended(sku: string, quantity: number): Promise<string> {
  vi.setSystemTime(Date.now() - 40_000);
  const id = await held(sku, quantity, { expires_in: 30 });
  vi.useRealTimers();
  return id;
}

describe("a hold", () => {
  test("reserves units, is found by its id and in the list, and gives them back when it is deleted", async () => {
    const [{ sku: other }, { sku, product_id }] = [
      await stockedProduct(service, 1),
      await stockedProduct(service, 10),
    ];

    const earlier = await held(other, 1);
    const placed = await post(holdOf(sku, 4, { reference: "cart-1" }));
    const hold = at(placed.body, "data.0");
    const path = `/inventory/holds/${at(hold, "hold_id")}`;
    const shown = await stock(sku);
    const one = await service.oms.get(path);
    const list = await service.oms.get("/inventory/holds?per_page=100");
    const deleted = await service.oms.send("DELETE", path, undefined);
    const again = await service.oms.send("DELETE", path, undefined);

    expect(hold).toMatchObject({
      sku,
      product_id,
      distribution_center: "MAIN",
      quantity: 4,
      reference: "cart-1",
    });
    expect(Date.parse(String(at(hold, "expires_at"))) - Date.parse(String(at(hold, "created_at")))).toBe(
      600_000,
    );
    expect(shown).toEqual({ reserved: 4, held: 4, available: 6 });
    expect(at(one.body, "data")).toEqual(hold);
    expect(listAt(list.body, "data")).toEqual([hold, expect.objectContaining({ hold_id: earlier })]);
    expect([deleted.status, again.status]).toEqual([200, 404]);
    expect(at(deleted.body, "data")).toEqual(hold);
    expect(await stock(sku)).toEqual({ reserved: 0, held: 0, available: 10 });
    expect(await movementsOf(sku, String(at(hold, "hold_id")))).toEqual([
      ["hold_created", 4],
      ["hold_released", -4],
    ]);
    await expectBalanceAndMovements(service, sku);
  });

  test("is placed with all holds of its call, or with none if one is short", async () => {
    const { sku } = await stockedProduct(service, 10);

    const short = await post(holdOf(sku, 6), holdOf(sku, 5), holdOf(sku, 4));
    const unknown = await post(
      holdOf(sku, 1),
      holdOf("NOTHING", 1),
      holdOf(sku, 1, { distribution_center: "X" }),
    );
    const before = await stock(sku);
    const fitting = await post(holdOf(sku, 6), holdOf(sku, 4));

    expect([short.status, unknown.status, fitting.status]).toEqual([409, 400, 200]);
    expect(at(short.body, "response.errors")).toEqual([
      { path: "data.1.quantity", message: `is short: 4 of ${sku} available in MAIN, 5 wanted` },
    ]);
    expect(listAt(unknown.body, "response.errors").map((error) => at(error, "path"))).toEqual([
      "data.1.sku",
      "data.2.distribution_center",
    ]);
    expect(before).toEqual({ reserved: 0, held: 0, available: 10 });
    expect(await stock(sku)).toEqual({ reserved: 10, held: 10, available: 0 });
  });

  test("is refused in a center that does not keep its product, and with more holds than a transaction stores", async () => {
    const { sku } = await stockedProduct(service, 60);

    const elsewhere = await post(holdOf(sku, 1, { distribution_center: "EAST" }));
    const many = await post(...Array.from({ length: 50 }, () => holdOf(sku, 1)));

    expect([elsewhere, many].map(({ body }) => listAt(body, "response.errors"))).toMatchObject([
      [{ path: "data.0.distribution_center", message: `does not keep ${sku}` }],
      [{ path: "data", message: expect.stringContaining("needs 102 writes, and a call has at most 100") }],
    ]);
    expect(await stock(sku)).toEqual({ reserved: 0, held: 0, available: 60 });
  });

  test("is placed once by a call with an Idempotency-Key", async () => {
    const { sku } = await stockedProduct(service, 10);
    const headers = { "idempotency-key": unique("HOLD") };
    const send = () => service.oms.post("/inventory/holds", { data: [holdOf(sku, 3)] }, headers);

    const [first, second] = [await send(), await send()];

    expect(second.body).toEqual(first.body);
    expect(await stock(sku)).toMatchObject({ held: 3 });
  });

  test("of a synset holds its components, and its orders take them", async () => {
    const [one, two] = [await stockedProduct(service, 5), await stockedProduct(service, 10)];
    const { synset } = synsetOf([
      { sku: one.sku, quantity: 1 },
      { sku: two.sku, quantity: 2 },
    ]);
    const items = [one, two].map(({ sku }, position) => ({ sku, quantity: position + 1 }));
    await service.oms.post("/inventory/synsets", { data: [{ synset, items }] });

    const placed = await post(holdOf(synset, 4));
    const hold_id = String(at(placed.body, "data.0.hold_id"));
    const kits = at((await service.oms.get(`/inventory/stock?sku=${synset}`)).body, "data.0.available");
    const short = await post(holdOf(synset, 2));
    await create(service, createOrders, orderWith(synset, 3, hold_id));

    expect(at(placed.body, "data.0")).toMatchObject({
      sku: synset,
      product_id: null,
      distribution_center: "MAIN",
    });
    expect(kits).toBe(1);
    expect(short.status).toBe(409);
    expect([await stock(one.sku), await stock(two.sku)]).toMatchObject([
      { reserved: 4, held: 1 },
      { reserved: 8, held: 2 },
    ]);
    await expectBalanceAndMovements(service, two.sku);
  });
});

describe("an order that names a hold", () => {
  test("takes the units that it needs; the rest stays held, and what is missing is reserved as usual", async () => {
    const { sku } = await stockedProduct(service, 10);
    const hold_id = await held(sku, 5);

    const fewer = await service.oms.post("/orders", { data: [orderWith(sku, 2, hold_id)] });
    const after = await stock(sku);
    const more = await service.oms.post("/orders", { data: [orderWith(sku, 9, hold_id)] });
    const gone = await service.oms.post("/orders", { data: [orderWith(sku, 1, hold_id)] });

    expect([fewer.status, more.status, gone.status]).toEqual([200, 200, 400]);
    expect(after).toEqual({ reserved: 5, held: 3, available: 5 });
    expect(at(gone.body, "response.errors.0.path")).toBe("data.0.items.0.hold_id");
    expect(await stock(sku)).toEqual({ reserved: 11, held: 0, available: -1 });
    expect(await movementsOf(sku, hold_id)).toEqual([
      ["hold_created", 5],
      ["hold_used", -2],
      ["hold_used", -3],
    ]);
    await expectBalanceAndMovements(service, sku);
  });

  test("is not short of what it holds", async () => {
    const { sku } = await stockedProduct(service, 5);
    const hold_id = await held(sku, 4);
    const refusing = (quantity: number) => orderWith(sku, quantity, hold_id, { if_short: "refuse" });

    const tooMuch = await service.oms.post("/orders", { data: [refusing(6)] });
    const fitting = await service.oms.post("/orders", { data: [refusing(5)] });

    expect([tooMuch.status, fitting.status]).toEqual([409, 200]);
    expect(at(tooMuch.body, "response.errors.0.message")).toContain("5 of");
    expect(await stock(sku)).toEqual({ reserved: 5, held: 0, available: 0 });
  });

  test.each([
    ["what it reserves more than before", 5, { reserved: 8, held: 3, available: 2 }],
    ["nothing of it if it reserves fewer units than before", 2, { reserved: 7, held: 5, available: 3 }],
  ])("takes %s when it is replaced", async (_title, quantity, expected) => {
    const { sku } = await stockedProduct(service, 10);
    const order_id = await pendingOrder(service, [{ sku, quantity: 3 }]);
    const hold_id = await held(sku, 5);

    const answer = await service.oms.put("/orders", {
      data: [{ ...orderWith(sku, quantity, hold_id), order_id, order_number: undefined }],
    });

    expect(answer.status).toBe(200);
    expect(await stock(sku)).toEqual(expected);
    await expectBalanceAndMovements(service, sku);
  });

  test("can be replaced again by the same call although its hold is used up", async () => {
    const { sku } = await stockedProduct(service, 10);
    const order_id = await pendingOrder(service, [{ sku, quantity: 3 }]);
    const hold_id = await held(sku, 2);
    const put = (more: object = {}) =>
      service.oms.put("/orders", {
        data: [{ ...orderWith(sku, 5, hold_id), order_id, order_number: undefined, ...more }],
      });

    const answers = [await put(), await put(), await put({ order_reference: "another" })];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
    expect(await stock(sku)).toEqual({ reserved: 5, held: 0, available: 5 });
  });

  test("takes nothing from a hold of another product, and is refused", async () => {
    const [one, two] = [await stockedProduct(service, 3), await stockedProduct(service, 3)];
    const hold_id = await held(one.sku, 1);

    const answer = await service.oms.post("/orders", { data: [orderWith(two.sku, 1, hold_id)] });

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.errors.0.message")).toBe(`is a hold of ${one.sku} in MAIN (${hold_id})`);
  });

  test("takes nothing from a hold of a component for its kit, nor of a kit for an alias of its name", async () => {
    const [part, other] = [await stockedProduct(service, 9), await stockedProduct(service, 9)];
    const { synset, ...kit } = synsetOf([{ sku: part.sku, quantity: 2 }]);
    await service.oms.post("/inventory/synsets", { data: [{ synset, ...kit }] });
    const [ofPart, ofKit] = [await held(part.sku, 2), await held(synset, 1)];
    const alias = { alias: synset, sku: other.sku, channel_id: 1 };
    await service.oms.post("/inventory/aliases", { data: [alias] });
    const inChannel = orderOf(
      [
        { sku: synset, quantity: 1, hold_id: ofKit },
        { sku: part.sku, quantity: 2 },
      ],
      { cart: { id: 1 } },
    );

    const answers = [
      await service.oms.post("/orders", { data: [orderWith(synset, 1, ofPart)] }),
      await service.oms.post("/orders", { data: [inChannel] }),
    ];

    expect(answers.map(({ body }) => at(body, "response.errors.0.message"))).toEqual([
      `is a hold of ${part.sku} in MAIN (${ofPart})`,
      `is a hold of ${synset} in MAIN (${ofKit})`,
    ]);
    expect(await stock(part.sku)).toEqual({ reserved: 4, held: 4, available: 5 });
  });

  test("takes nothing from a hold in another center than reserves the item, and is told which", async () => {
    const { sku } = await stockedProduct(service, 3);
    const hold_id = await held(sku, 1);
    await service.oms.patch("/inventory/products", { data: [{ sku, distribution_center: "EAST" }] });

    const answer = await service.oms.post("/orders", { data: [orderWith(sku, 1, hold_id)] });

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.errors.0.message")).toBe(`is a hold of ${sku} in MAIN (${hold_id})`);
    expect(await stock(sku)).toEqual({ reserved: 1, held: 1, available: 2 });
  });

  test("shares it with the other orders of its call, and with those that are sent at once", async () => {
    const { sku } = await stockedProduct(service, 100);
    const hold_id = await held(sku, 10);

    await create(service, createOrders, orderWith(sku, 2, hold_id), orderWith(sku, 2, hold_id));
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () =>
        outcomeOf(() => create(service, createOrders, orderWith(sku, 1, hold_id))),
      ),
    );

    const stored = outcomes.filter((outcome) => outcome === "stored").length;
    expect(stored).toBeGreaterThanOrEqual(6);
    expect(await stock(sku)).toMatchObject({ reserved: 4 + stored, held: 0 });
    await expectBalanceAndMovements(service, sku);
  });
});

describe("a hold that ends", () => {
  test("counts until its time, for no reader after it, and is released once", async () => {
    const { sku } = await stockedProduct(service, 10);
    const end = Date.now() + 30_000;
    vi.setSystemTime(end - 30_000);
    const hold_id = await held(sku, 4, { expires_in: 30 });
    const { data } = await create(service, createHolds, holdOf(sku, 1));
    const hold = data[0];

    vi.setSystemTime(end - 1);
    const before = await stock(sku);
    vi.setSystemTime(end);
    const after = await stock(sku);
    vi.setSystemTime(end + 1_000);
    const past = () => Promise.all([end - 1, end, end + 1_000].map((time) => reservedAt(sku, time)));
    const pastUnswept = await past();
    await Promise.all([sweep(), sweep()]);
    const swept = await stock(sku);
    const used = outcomeOf(() => create(service, createOrders, orderWith(sku, 1, hold_id)));

    expect(before).toEqual({ reserved: 5, held: 5, available: 5 });
    expect([pastUnswept, await past()]).toEqual([1, 2].map(() => [5, 1, 1]));
    expect([after, swept]).toEqual([1, 2].map(() => ({ reserved: 1, held: 1, available: 9 })));
    expect(await used).toBe("invalid");
    expect(await movementsOf(sku, hold_id)).toEqual([
      ["hold_created", 4],
      ["hold_expired", -4],
    ]);
    expect(hold?.quantity).toBe(1);
    await expectBalanceAndMovements(service, sku);
  });

  test("has changed the stock at its time, before its units are given back", async () => {
    const { sku } = await stockedProduct(service, 4);
    const end = Date.now() + 30_000;
    vi.setSystemTime(end - 30_000);
    await held(sku, 3, { expires_in: 30 });
    await service.settled();
    vi.setSystemTime(end + 1_000);
    const heldIfChangedSince = async (time: number) =>
      (await listed({ sku, updated_since: new Date(time).toISOString() })).map((level) => level.held);

    expect([await heldIfChangedSince(end), await heldIfChangedSince(end + 1)]).toEqual([[0], []]);
  });

  test("leaves its units to the next order or hold that is refused if short", async () => {
    const [one, two] = [await stockedProduct(service, 4), await stockedProduct(service, 4)];
    for (const { sku } of [one, two]) await ended(sku, 3);

    const order = await service.oms.post("/orders", {
      data: [orderOf([{ sku: one.sku, quantity: 4 }], { if_short: "refuse" })],
    });
    const hold = await post(holdOf(two.sku, 4));

    expect([order.status, hold.status]).toEqual([200, 200]);
    await Promise.all([one, two].map(({ sku }) => expectBalanceAndMovements(service, sku)));
  });
});

test("units that are given back while an order reads its stock are there for the order", async () => {
  const { sku } = await stockedProduct(service, 4);
  await ended(sku, 3);
  const troubled = troubledDatabase(service);
  troubled.add({ before: () => sweep() }, { command: "Query", text: "hold#" });
  const owner = { ...service, db: troubled.db };

  await create(owner, createOrders, orderOf([{ sku, quantity: 4 }], { if_short: "refuse" }));

  expect(troubled.hits).toBe(1);
  expect(await stock(sku)).toMatchObject({ reserved: 4, held: 0, available: 0 });
});

test("of forty holds and orders sent at once, no more are placed than there are units", async () => {
  const { sku } = await stockedProduct(service, 25);
  await ended(sku, 10);

  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, client) =>
      outcomeOf(() =>
        client % 2 === 0
          ? create(service, createHolds, holdOf(sku, 1))
          : create(service, createOrders, orderOf([{ sku, quantity: 1 }], { if_short: "refuse" })),
      ),
    ),
  );

  expect(outcomes.filter((one) => one === "stored")).toHaveLength(25);
  expect(await stock(sku)).toMatchObject({ reserved: 25, available: 0 });
  await expectBalanceAndMovements(service, sku);
});

test("whenever a function dies, holds and stock agree", async () => {
  const { sku } = await stockedProduct(service, 100);
  let died: readonly number[] = [0];
  const deaths: number[] = [];
  for (let writes = 0; died.length > 0; writes += 1) {
    const dying = () => ({ ...service, db: dyingAfter(service, writes) });
    const [taken, deleted] = [await held(sku, 2), await held(sku, 1)];
    await ended(sku, 1);
    const outcomes = await Promise.allSettled([
      create(dying(), createHolds, holdOf(sku, 1)),
      create(dying(), createOrders, orderWith(sku, 1, taken)),
      deleteHold.flow({ params: { hold_id: deleted } }, contextOf(dying())),
      sweep(dying().db),
    ]);
    died = outcomes.flatMap(({ status }, call) => (status === "rejected" ? [call] : []));
    deaths.push(...died);
  }

  // Each call died before its first write, and some died again after it.
  expect(deaths.slice(0, 4)).toEqual([0, 1, 2, 3]);
  expect(deaths.length).toBeGreaterThan(4);
  await expectBalanceAndMovements(service, sku);
  await sweep();
  await expectBalanceAndMovements(service, sku);
});
