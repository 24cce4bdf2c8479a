import { describe, expect, test } from "vitest";
import { expectBalanceAndMovements, expectEachBalanced } from "../../support/business/ledger.ts";
import { goodsOf } from "../../support/business/stockpile.ts";
import { binsHold, holdings, layerOf } from "../../support/business/stored.ts";
import {
  announceReplenishment,
  announceReturn,
  type NewProduct,
  newProduct,
  newStore,
  shippedOrder,
} from "../../support/business/world.ts";
import { at, listAt } from "../../support/http/client.ts";
import { expectRefusal } from "../../support/http/refused.ts";
import { unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService({ demoData: true });
const pro = service.v2;

const load = "/pro-v1/put-away-load";
const move = "/pro-v1/put-away-move";

type Target = { readonly replenishment_id: number } | { readonly return_id: number };

interface Arrival extends NewProduct {
  readonly target: Target;
}

/** Units of a new product that a replenishment is to bring. */
async function unitsAnnounced(quantity: number): Promise<Arrival> {
  const product = await newProduct(service);
  return { ...product, target: await announceReplenishment(service, [{ sku: product.sku, quantity }]) };
}

/** Units of a new product that were shipped and are to come back. */
async function unitsSentBack(quantity: number): Promise<Arrival> {
  const product = await goodsOf(service, quantity);
  const items = [{ sku: product.sku, quantity }];
  const { order_id } = await shippedOrder(service, items);
  return { ...product, target: await announceReturn(service, order_id, items) };
}

const kinds = { replenishment: unitsAnnounced, return: unitsSentBack } as const;

const inB1 = ({ target, sku }: Arrival, quantity: number, more: object = {}) => ({
  ...target,
  sku,
  quantity,
  location: "B1",
  bin: "02",
  ...more,
});

/** Everything that a put-away could change. */
const everything = async ({ target, sku }: Arrival) => ({
  record: (await pro.post(load, target)).body,
  bins: await binsHold(service, sku),
  ledger: await expectBalanceAndMovements(service, sku),
  stock: (await service.oms.get(`/inventory/stock?sku=${sku}`)).body,
});

describe.each(["replenishment", "return"] as const)("a %s", (kind) => {
  test("is loaded, put away bit by bit, and Received when nothing is left", async () => {
    const arrival = await kinds[kind](5);
    const { target, sku, product_id } = arrival;
    const line = { sku, product_id, quantity: 5 };
    const lot = { lot: "L-7" };
    const state = (status: string, put_away: number) => ({
      data: { ...target, status, items: [{ ...line, put_away, remaining: 5 - put_away }] },
    });

    const answers = [
      await pro.post(load, target),
      await pro.post(move, inB1(arrival, 2)),
      await pro.post(load, target),
      await pro.post(move, inB1(arrival, 3, { bin: "03", ...lot, expires_on: "2030-01-31T09:00:00Z" })),
      await pro.post(load, target),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers.map(({ body }) => body)).toEqual([
      state("Pending", 0),
      state("Pending", 2),
      state("Pending", 2),
      state("Received", 5),
      state("Received", 5),
    ]);
    const today = expect.any(String);
    expect(await holdings(service, arrival)).toMatchObject({
      "B1/02": { quantity: 2, layers: [layerOf(today, 2)] },
      "B1/03": { quantity: 3, layers: [layerOf(today, 3, { ...lot, expires_on: "2030-01-31" })] },
    });
    await expectEachBalanced(service, [sku]);
    const { body } = await service.oms.get(`/inventory/stock/${sku}/movements?per_page=2`);
    const moved = { reason: "put_away", ...target };
    expect(at(body, "data")).toMatchObject([
      { ...moved, on_hand: 3 },
      { ...moved, on_hand: 2 },
    ]);
  });

  test("takes no more than remains of it: 400, and nothing changes", async () => {
    const arrival = await kinds[kind](5);
    await pro.post(move, inB1(arrival, 2));
    const before = await everything(arrival);

    const over = await pro.post(move, inB1(arrival, 4));
    const after = await everything(arrival);
    await pro.post(move, inB1(arrival, 3));
    const received = await pro.post(move, inB1(arrival, 1));

    expect([over.status, received.status]).toEqual([400, 400]);
    expect(at(over.body, "response.errors.0.path")).toBe("quantity");
    expect(String(at(over.body, "response.message"))).toMatch(/^quantity is more than remains of .* \(3\)$/);
    expect(String(at(received.body, "response.message"))).toMatch(/\(0\)$/);
    expect(after).toEqual(before);
  });

  test("that does not exist is 404", async () => {
    const target = { [`${kind}_id`]: 999_999_999 };

    const answers = [
      await pro.post(load, target),
      await pro.post(move, { ...target, sku: "DEMO-TEE", quantity: 1, location: "A1", bin: "01" }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(answers.map(({ body }) => at(body, "response.message"))).toEqual(
      Array(2).fill(`There is no ${kind} with ${kind}_id 999999999`),
    );
  });
});

describe("the two paths", () => {
  test("answer the same, and a move is made once for an Idempotency-Key at either", async () => {
    const arrival = await unitsAnnounced(5);
    const root = service.with(service.credentials);
    const key = { "Idempotency-Key": unique("key") };

    const first = await root.post(`/apiv2${move}`, inB1(arrival, 2), key);
    const again = await root.post(move, inB1(arrival, 2), key);
    const loaded = [await root.post(`/apiv2${load}`, arrival.target), await root.post(load, arrival.target)];

    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    for (const { body } of loaded) expect(body).toEqual(first.body);
    expect(await binsHold(service, arrival.sku)).toContain("B1/02: 2");
  });
});

test("a read-only key may load but not move", async () => {
  const readOnly = (await newStore(service, { key_scope: "read" })).v2;

  const loaded = await readOnly.post(load, { replenishment_id: 999_999_999 });
  const moved = await readOnly.post(move, {});

  expect([loaded.status, moved.status]).toEqual([404, 403]);
});

describe("bad input", () => {
  test.each<[object, string]>([
    [{}, "replenishment_id is required, unless return_id is sent"],
    [{ replenishment_id: null, return_id: "" }, "replenishment_id is required, unless return_id is sent"],
    [{ replenishment_id: 1, return_id: 1 }, "return_id must not be sent beside replenishment_id"],
  ])("what to put away can't be %j", async (target, message) => {
    const more = { sku: "DEMO-TEE", quantity: 1, location: "A1", bin: "01" };

    const loaded = await pro.post(load, target);
    const moved = await pro.post(move, { ...target, ...more });

    for (const { status, body } of [loaded, moved]) {
      expect(status).toBe(400);
      expect(String(at(body, "response.message"))).toContain(message);
    }
  });

  /** A field, what it is set to (nothing: it is left out), and what is said of it. */
  const wrong: readonly [field: string, value: unknown, message: string][] = [
    ["sku", "DEMO-TEE", "is not in replenishment"],
    ["sku", "NO-SUCH-SKU", "is not in replenishment"],
    ["quantity", 6, "is more than remains"],
    ["location", "NOWHERE", "is not a known location (NOWHERE); known are A1, A2, B1, E1"],
    ["location", "b1", "is not a known location (b1); known are A1, A2, B1, E1"],
    ["bin", "99", "is not a bin of B1 (99); it has 01, 02, 03"],
  ];

  test("of a move is refused with the field's name, and changes nothing", async () => {
    const arrival = await unitsAnnounced(5);
    const before = await everything(arrival);

    for (const [field, value, message] of wrong) {
      const { status, body } = await pro.post(move, inB1(arrival, 2, { [field]: value }));

      const shown = { field, value, status, message: String(at(body, "response.message")) };
      expect(shown).toMatchObject({ status: 400, message: expect.stringContaining(`${field} ${message}`) });
      expect(at(body, "response.errors.0.path")).toBe(field);
    }
    const east = await pro.post(move, inB1(arrival, 2, { location: "E1", bin: "01" }));
    const [id] = Object.values(arrival.target);
    expectRefusal(east, "location", `is in EAST (E1); replenishment ${id} goes to MAIN`);
    const all = await pro.post(move, inB1(arrival, 6, { location: "Z9" }));
    expect(listAt(all.body, "response.errors").map((error) => at(error, "path"))).toEqual([
      "quantity",
      "location",
    ]);

    expect(await everything(arrival)).toEqual(before);
  });
});
