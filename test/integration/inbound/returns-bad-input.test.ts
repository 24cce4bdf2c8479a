import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, at, listAt } from "../../support/http/client.ts";
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

describe("a wrong return call is 400 and stores nothing", () => {
  test("more than 500 items", async () => {
    const answer = await create(record({ items: Array.from({ length: 501 }, () => line()) }));

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(single("data.0.items", "must hold at most 500 elements"));
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
