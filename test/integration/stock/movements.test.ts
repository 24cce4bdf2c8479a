import { beforeAll, describe, expect, test } from "vitest";
import { endpoint as listMovements } from "../../../functions/oms/inventory/stock/list-movements.ts";
import type { Cause } from "../../../shared/stock/movements/movement.ts";
import { openStock } from "../../../shared/stock/open-stock.ts";
import { stockOf } from "../../../shared/stock/stock-levels.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import {
  claim,
  newProduct,
  pendingOrder,
  pickFrom,
  pickItems,
  shipOrder,
} from "../../support/business/world.ts";
import { at, listAt, numberAt } from "../../support/http/client.ts";
import { contextOf } from "../../support/records/flows.ts";
import { orderOf, recountOf, unique } from "../../support/records/records.ts";
import { troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();

const page = async (sku: string, query = "") => {
  const { status, body } = await service.oms.get(`/inventory/stock/${sku}/movements?${query}`);
  expect(status).toBe(200);
  return body;
};

/** All movements of a product, in pages of so many. */
async function allOf(sku: string, perPage: number, direction: "asc" | "desc"): Promise<readonly unknown[]> {
  const query = `per_page=${perPage}&order_direction=${direction}`;
  const first = await page(sku, query);
  const found = [...listAt(first, "data")];
  for (let next = 2; next <= numberAt(first, "metadata.total_pages"); next += 1) {
    found.push(...listAt(await page(sku, `${query}&page=${next}`), "data"));
  }
  return found;
}

const sum = (movements: readonly unknown[], name: "on_hand" | "reserved", center: string): number =>
  movements
    .filter((one) => at(one, "distribution_center") === center)
    .reduce<number>((total, one) => total + numberAt(one, name), 0);

async function count(sku: string, location: string, bin: string, change: object): Promise<number> {
  const counts = recountOf(sku, [{ location, bin, ...change }], { account_id: service.accountId });
  const { body } = await service.wms.post("/recount", counts);
  await service.settled();
  return numberAt(body, "result.0.correction_id");
}

const order = (sku: string, quantity: number): Promise<number> => pendingOrder(service, [{ sku, quantity }]);

describe("the movements of a product", () => {
  let sku: string;
  /** What happened to its stock, in its order. */
  let happened: readonly object[];

  beforeAll(async () => {
    ({ sku } = await newProduct(service));
    const opened = await count(sku, "B1", "02", { qty_in_bin: 20 });
    const [left, cancelled] = [await order(sku, 5), await order(sku, 3)];
    await service.oms.put("/orders", { data: [{ ...orderOf([{ sku, quantity: 8 }]), order_id: left }] });
    const east = await count(sku, "E1", "01", { qty: 7 });
    await service.oms.post("/orders/cancel", { order_id: cancelled });
    await claim(service, left);
    await pickItems(service, left, pickFrom(sku, 8, "B1/02"));
    await shipOrder(service, left);
    const lost = await count(sku, "B1", "02", { qty: -4 });
    const inMain = {
      distribution_center: "MAIN",
      at: expect.stringMatching(/^20.*Z$/),
      // Flows that no call begins have no id.
      request_id: expect.toBeOneOf([null, expect.any(String)]),
    };
    const [store, warehouse] = [{ by: `account:${service.accountId}` }, { by: "user:manager" }];
    happened = [
      { ...inMain, ...warehouse, reason: "recount", on_hand: 20, reserved: 0, correction_id: opened },
      { ...inMain, ...store, reason: "order_created", on_hand: 0, reserved: 5, order_id: left },
      { ...inMain, ...store, reason: "order_created", on_hand: 0, reserved: 3, order_id: cancelled },
      { ...inMain, ...store, reason: "order_updated", on_hand: 0, reserved: 3, order_id: left },
      {
        ...inMain,
        ...warehouse,
        distribution_center: "EAST",
        reason: "recount",
        on_hand: 7,
        reserved: 0,
        correction_id: east,
      },
      { ...inMain, ...store, reason: "order_cancelled", on_hand: 0, reserved: -3, order_id: cancelled },
      { ...inMain, ...warehouse, reason: "order_shipped", on_hand: -8, reserved: -8, order_id: left },
      { ...inMain, ...warehouse, reason: "recount", on_hand: -4, reserved: 0, correction_id: lost },
    ];
  });

  test("say newest first what changed, why, where, by whom, and about which record", async () => {
    const body = await page(sku);

    expect(at(body, "data")).toEqual(happened.toReversed());
    expect(at(body, "metadata")).toEqual({
      page: 1,
      per_page: 20,
      total_records: 8,
      total_pages: 1,
      total_current_page: 8,
    });
    expect(at(body, "pagination")).toEqual({ current_page: 1, per_page: 20, total: 8, total_pages: 1 });
  });

  test.each([1, 3])("in pages of %i are the same in both directions", async (perPage) => {
    expect(await allOf(sku, perPage, "asc")).toEqual(happened);
    expect(await allOf(sku, perPage, "desc")).toEqual(happened.toReversed());
  });

  test("add up to the stock of each distribution center", async () => {
    const movements = await allOf(sku, 3, "asc");
    const stock = await service.oms.get(`/inventory/stock?sku=${sku}`);

    const sums = ["MAIN", "EAST"].map((center) => ({
      distribution_center: center,
      on_hand: sum(movements, "on_hand", center),
      reserved: sum(movements, "reserved", center),
    }));
    expect(listAt(stock.body, "data")).toMatchObject(sums);
    expect(sums).toMatchObject([
      { on_hand: 8, reserved: 0 },
      { on_hand: 7, reserved: 0 },
    ]);
  });

  test("past their last page are none, and as many as before", async () => {
    const body = await page(sku, "page=2&per_page=8");

    expect(at(body, "data")).toEqual([]);
    expect(at(body, "metadata")).toMatchObject({ total_records: 8, total_pages: 1, total_current_page: 0 });
  });
});

describe("a SKU in the path", () => {
  test("of a product that nothing has happened to has no movements", async () => {
    const { sku } = await newProduct(service);

    expect(at(await page(sku), "data")).toEqual([]);
    expect(at(await page(sku), "pagination")).toEqual({
      current_page: 1,
      per_page: 20,
      total: 0,
      total_pages: 0,
    });
  });

  test("may hold any character but a slash and a question mark", async () => {
    const sku = `${unique("Ä b")}#%&+`;
    await newProduct(service, { sku });
    await order(sku, 2);

    expect(at(await page(encodeURIComponent(sku)), "data")).toMatchObject([{ reserved: 2 }]);
  });
});

test("movements of a center that begins to keep the product while they are read name it", async () => {
  const { sku, product_id } = await newProduct(service);
  await order(sku, 1);
  const [level] = await stockOf(service.db, product_id);
  if (level === undefined) throw new Error("the product has no stock");
  const east = { ...level, distribution_center_id: 2, distribution_center: "EAST", on_hand: 4, reserved: 0 };
  const cause: Cause = {
    reason: "recount",
    reference: { correction_id: 1 },
    by: "user:manager",
    at: new Date().toISOString(),
  };
  const { db, add } = troubledDatabase(service);
  add({ after: () => transact(service.db, openStock(east, cause.at, cause)) }, { command: "Query" });

  const read = await listMovements.flow(
    { params: { sku }, query: { page: 1, per_page: 20, order_direction: "desc" } },
    contextOf({ db, accountId: service.accountId }),
  );

  expect(read.data.map((one) => [one.distribution_center, one.on_hand, one.reserved])).toEqual([
    ["EAST", 4, 0],
    ["MAIN", 0, 1],
  ]);
  expect(read.metadata.total_records).toBe(2);
});
