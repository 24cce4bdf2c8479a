import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, at, listAt, numberAt } from "../../support/http/client.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import type { Service } from "../../support/runtime/service.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { pendingOrder, returned, shippedOrder, stocked } from "../../support/store/world.ts";

let service: Service;
let sku: string;
/** A Shipped order of five units in two lines, of which one has come back. */
let shipped: number;
let pending: number;

beforeAll(async () => {
  service = await sharedService({ demoData: true });
  sku = (await stocked(service, 100)).sku;
  const lines = [2, 3].map((quantity) => ({ sku, quantity }));
  shipped = (await shippedOrder(service, lines)).order_id;
  pending = await pendingOrder(service, lines);
  await returned(service, shipped, [{ sku, quantity: 1 }]);
});

const create = (...data: readonly unknown[]): Promise<Answer> =>
  service.oms.post("/inventory/returns", { data });

const line = (more: object = {}) => ({ sku, quantity: 2, ...more });
const record = (more: object = {}) => ({ order_id: shipped, items: [line()], ...more });

/** What a return that was stored after all would change. */
const stored = async () => ({
  list: (await service.oms.get("/inventory/returns?per_page=100")).body,
  orders: (await service.oms.get("/orders?per_page=100")).body,
});

const single = (path: string, message: string) => ({
  response: { success: false, message: `${path} ${message}`, errors: [{ path, message }] },
});

const noText = [12, true, ["a"], { a: 1 }, null];
const noNumber = ["3", true, [3], { a: 1 }, null, 1.5, undefined];

const wrongLines: readonly (readonly [string, readonly unknown[]])[] = [
  ["sku", [...noText, undefined, "", "x".repeat(101), "A\ud800"]],
  ["quantity", [...noNumber, 0, -1, 1_000_000_001]],
  ["reason", [12, true, ["a"], { a: 1 }, "x".repeat(256), "A\ud800"]],
];

describe("a wrong return call is 400 and stores nothing", () => {
  test.each([...noNumber, 0, -1])("the order_id %j", async (order_id) => {
    const answer = await create(record({ order_id }));

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.errors.0.path")).toBe("data.0.order_id");
  });

  test.each(["A", 3, true, null, { sku: "A", quantity: 1 }, [], undefined])("the items %j", async (items) => {
    const answer = await create(record({ items }));

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.errors.0.path")).toBe("data.0.items");
  });

  test.each([12, "a", null, [1]])("the item %j", async (wrong) => {
    const answer = await create(record({ items: [wrong] }));

    const message = wrong === null ? "is required" : "must be an object";
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(single("data.0.items.0", message));
  });

  test.each(wrongLines)("%s of an item must have its type", async (field, values) => {
    for (const value of values) {
      const { status, body } = await create(record({ items: [line(), line({ [field]: value })] }));

      expect(status, JSON.stringify(value)).toBe(400);
      expect(at(body, "response.errors.0.path"), JSON.stringify(value)).toBe(`data.0.items.1.${field}`);
    }
  });

  test("more than 500 items", async () => {
    const answer = await create(record({ items: Array.from({ length: 501 }, () => line()) }));

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(single("data.0.items", "must hold at most 500 elements"));
  });

  test.each([
    [0, "must hold at least 1 element"],
    [101, "must hold at most 100 elements"],
  ])("a call of %i records", async (count, message) => {
    const answer = await create(...Array.from({ length: count }, () => record()));

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(single("data", message));
  });

  test.each([999_999_999, 9_007_199_254_740_991])("the unknown order %i", async (order_id) => {
    const answer = await create(record({ order_id }));

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(single("data.0.order_id", `is not an order of the account (${order_id})`));
  });

  test("an order that is not Shipped", async () => {
    const answer = await create(record({ order_id: pending }));

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(
      single(
        "data.0.order_id",
        `names an order that is Pending (${pending}); only a Shipped order can be returned`,
      ),
    );
  });

  test.each(["NO-SUCH", "DEMO-TEE"])("%s, which is not in the order", async (other) => {
    const answer = await create(record({ items: [line(), line({ sku: other })] }));

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.errors.0")).toEqual({
      path: "data.0.items.1.sku",
      message: `is not in order ${shipped} (${other})`,
    });
  });

  test.each<[string, () => readonly object[], string, number]>([
    ["in one item", () => [record({ items: [line({ quantity: 5 })] })], "data.0.items.0", 4],
    ["in two items", () => [record({ items: [line({ quantity: 3 }), line()] })], "data.0.items.1", 1],
    ["in two returns", () => [record(), record(), record()], "data.2.items.0", 0],
  ])("more than is left to return, %s", async (_case, records, place, left) => {
    const answer = await create(...records());

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(
      single(`${place}.quantity`, `is more than is left to return of ${sku} in order ${shipped} (${left})`),
    );
  });

  test("everything that is wrong is listed", async () => {
    const answer = await create(
      record({ items: [line({ sku: "NO-1" }), line({ quantity: 9 })] }),
      record(),
      record({ order_id: pending }),
    );

    expect(listAt(answer.body, "response.errors").map((error) => at(error, "path"))).toEqual([
      "data.0.items.0.sku",
      "data.0.items.1.quantity",
      "data.2.order_id",
    ]);
  });

  changeNothing(stored);
});

describe("what looks wrong and is not", () => {
  test.each([
    ["", null],
    ["x".repeat(255), "x".repeat(255)],
  ])("the reason %j, kept as %j", async (reason, kept) => {
    const answer = await create(record({ items: [line({ quantity: 1, reason })], unknown: true }));

    expect(answer.status).toBe(200);
    expect(at(answer.body, "data.0.items.0.reason")).toBe(kept);
  });
});

describe("reading one return", () => {
  test.each(["999999999", "0", "-1", "1.5", "abc", "1e3", "9".repeat(60)])("%s is 404", async (id) => {
    const answer = await service.oms.get(`/inventory/returns/${id}`);

    expect(answer.status).toBe(404);
    expect(at(answer.body, "response.message")).toBe(`There is no return with return_id ${id}`);
  });

  test.each(["page=0", "page=x", "per_page=0", "per_page=101"])("a list with %s is 400", async (query) => {
    const answer = await service.oms.get(`/inventory/returns?${query}`);

    expect(answer.status).toBe(400);
  });

  test("a page past the end is empty", async () => {
    const answer = await service.oms.get("/inventory/returns?page=9");

    expect(answer.status).toBe(200);
    expect(at(answer.body, "data")).toEqual([]);
    expect(numberAt(answer.body, "metadata.total_records")).toBeGreaterThan(0);
  });
});
