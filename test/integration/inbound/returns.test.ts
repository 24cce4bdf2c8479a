import { beforeAll, describe, expect, test } from "vitest";
import { endpoint as createReturns } from "../../../functions/oms/inventory/returns/create-returns.ts";
import { announceReturn, pendingOrder, shippedOrder, stockedProduct } from "../../support/business/world.ts";
import { at, listAt } from "../../support/http/client.ts";
import { expectRefusal, expectRefusedAt } from "../../support/http/refused.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { create } from "../../support/records/flows.ts";
import { troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService({ demoData: true });
/** A product of which every order in this file is; plenty of it lies in a bin. */
const tee = await stockedProduct(service, 10_000);

const post = (...data: readonly unknown[]) => service.oms.post("/inventory/returns", { data });
const orderAt = async (id: number) => at((await service.oms.get(`/orders/${id}`)).body, "data");

const returnedOf = async (id: number) =>
  listAt(await orderAt(id), "items").map((item) => at(item, "returned"));

describe("creating returns", () => {
  test("notes in the order what comes back, and who noted it, and changes no stock", async () => {
    const { order_id } = await shippedOrder(service, [
      { sku: tee.sku, quantity: 2 },
      { sku: tee.sku, quantity: 5 },
    ]);
    const stock = async () => (await service.oms.get(`/inventory/stock?sku=${tee.sku}`)).body;
    const before = await stock();

    await post({ order_id, items: [{ sku: tee.sku, quantity: 3 }] });

    const after = await orderAt(order_id);
    expect(await returnedOf(order_id)).toEqual([2, 1]);
    expect(at(after, "status")).toBe("Shipped");
    expect(listAt(after, "history").at(-1)).toMatchObject({
      by: `account:${service.accountId}`,
      changed: ["items"],
      items: { from: [{ returned: 0 }, { returned: 0 }], to: [{ returned: 2 }, { returned: 1 }] },
    });
    expect(await stock()).toEqual(before);
  });

  test("of one order in one call build on each other, beside those of others, and in the next call too", async () => {
    const { order_id } = await shippedOrder(service, [{ sku: tee.sku, quantity: 6 }]);
    const other = await shippedOrder(service, [{ sku: tee.sku, quantity: 3 }]);
    const back = (quantity: number, id = order_id) => ({ order_id: id, items: [{ sku: tee.sku, quantity }] });

    const answer = await post(back(1), back(2), back(3, other.order_id), back(1));
    const again = await post(back(2));
    const tooMany = await post(back(1));

    expect([answer.status, again.status, tooMany.status]).toEqual([200, 200, 400]);
    expect(listAt(answer.body, "data").map((record) => at(record, "items.0.quantity"))).toEqual([1, 2, 3, 1]);
    expect(await returnedOf(order_id)).toEqual([6]);
    expect(await returnedOf(other.order_id)).toEqual([3]);
    expect(at(tooMany.body, "response.message")).toBe(
      `data.0.items.0.quantity is more than is left to return of ${tee.sku} in order ${order_id} (0)`,
    );
  });

  test("is decided again if another call announces the same goods first, so no more comes back than was shipped", async () => {
    const { order_id } = await shippedOrder(service, [{ sku: tee.sku, quantity: 3 }]);
    const two = { order_id, items: [{ sku: tee.sku, quantity: 2 }] };
    const overtaken = troubledDatabase(service);
    overtaken.add({ before: () => post(two) }, { text: "returned-order" });

    const late = create({ db: overtaken.db, accountId: service.accountId }, createReturns, two);

    await expect(late).rejects.toThrow(
      `is more than is left to return of ${tee.sku} in order ${order_id} (1)`,
    );
    expect(await returnedOf(order_id)).toEqual([2]);
  });
});

describe("a wrong return call is 400 and stores nothing", () => {
  /** A Shipped order of five units in two lines, of which one has come back. */
  let shipped: number;
  let pending: number;
  beforeAll(async () => {
    const lines = [2, 3].map((quantity) => ({ sku: tee.sku, quantity }));
    shipped = (await shippedOrder(service, lines)).order_id;
    pending = await pendingOrder(service, lines);
    await announceReturn(service, shipped, [{ sku: tee.sku, quantity: 1 }]);
  });
  const line = (quantity = 2, sku = tee.sku) => ({ sku, quantity });
  const record = (...items: readonly object[]) => ({ order_id: shipped, items });

  test("if its order is not Shipped", async () => {
    const answer = await post({ order_id: pending, items: [line()] });

    const message = `names an order that is Pending (${pending}); only a Shipped order can be returned`;
    expectRefusal(answer, "data.0.order_id", message);
  });

  test.each(["NO-SUCH", "DEMO-TEE"])("if its order does not have the item: %s", async (other) => {
    const answer = await post(record(line(), line(1, other)));

    expectRefusal(answer, "data.0.items.1.sku", `is not in order ${shipped} (${other})`);
  });

  test.each<[string, () => readonly object[], string, number]>([
    ["in one item", () => [record(line(5))], "data.0.items.0", 4],
    ["in two items", () => [record(line(3), line())], "data.0.items.1", 1],
    ["in two returns", () => [record(line()), record(line()), record(line())], "data.2.items.0", 0],
  ])("if it is of more than is left to return, %s", async (_case, records, place, left) => {
    const answer = await post(...records());

    const message = `is more than is left to return of ${tee.sku} in order ${shipped} (${left})`;
    expectRefusal(answer, `${place}.quantity`, message);
  });

  test("which lists everything that is wrong", async () => {
    const answer = await post(record(line(1, "NO-1"), line(9)), record(line()), {
      order_id: pending,
      items: [line()],
    });

    expectRefusedAt(answer, ["data.0.items.0.sku", "data.0.items.1.quantity", "data.2.order_id"]);
  });

  changeNothing(async () => [
    (await service.oms.get("/inventory/returns?per_page=100")).body,
    await orderAt(shipped),
    await orderAt(pending),
  ]);
});
