/**
 * Dry runs answer and refuse as the call would (docs/decisions.md, Dry runs). `alone/http/examples.test.ts`
 * tries every write, and compares all tables.
 */
import { describe, expect, test } from "vitest";
import { newOrders, newProducts, shippedOrder, stockedProduct } from "../../support/business/world.ts";
import { type Answer, at, listAt } from "../../support/http/client.ts";
import { expectRefusal } from "../../support/http/refused.ts";
import { orderOf, unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

/** Products whose order does not fit one transaction. */
const many = 60;

const lines = (count: number) => skus.slice(0, count).map((sku) => ({ sku, quantity: 1 }));

const service = await sharedService();
const skus = (await newProducts(service, many)).map(({ sku }) => sku);
const taken = orderOf().order_number;
await newOrders(service, [[]], { order_number: taken, items: lines(1) });
const numbered = (order_number: string, count = 1) => ({ ...orderOf(lines(count)), order_number });

/** What a call answers in a dry run, and then in earnest. */
async function bothOf(method: "post" | "put" | "patch", path: string, data: unknown) {
  const dry = await service.oms[method](`${path}?dry_run=true`, { data });
  return { dry, real: await service.oms[method](path, { data }) };
}

const shown = ({ status, body }: Answer) => ({ status, body });
const statuses = (answers: Record<string, Answer>) => Object.values(answers).map(({ status }) => status);

describe("a dry run is refused like the call", () => {
  const twice = unique("number");

  test.each<[string, () => readonly object[]]>([
    ["with the number of another order", () => [numbered(taken)]],
    [
      "of several orders, one of them with the number of another",
      () => [numbered(unique("number")), numbered(taken)],
    ],
    ["with the same number twice", () => [numbered(twice), numbered(twice)]],
    ["of a large order with the number of another", () => [numbered(taken, many)]],
    ["with an unknown product", () => [orderOf([{ sku: "NONE", quantity: 1 }])]],
  ])("%s", async (_, orders) => {
    const { dry, real } = await bothOf("post", "/orders", orders());

    expect(real.status).toBe(400);
    expect(Object.keys(Object(dry.body))).toEqual(Object.keys(Object(real.body)));
    expect(at(dry.body, "response")).toEqual(at(real.body, "response"));
    expect(dry.status).toBe(400);
    expect(recordsOf(dry)).toEqual(withoutIds(recordsOf(real)));
  });

  /** What became of each record, if the call says so. */
  const recordsOf = ({ body }: Answer): unknown => at(body, "data") ?? null;

  /** The records without what only the stored orders of the call have. */
  const withoutIds = (body: unknown): unknown =>
    JSON.parse(JSON.stringify(body), (name, value: unknown) =>
      ["order_id", "order_api", "nbtybarcode"].includes(name) ? null : value,
    );
});

describe("a dry run stores nothing", () => {
  test("of a large order, which is then stored", async () => {
    const sent = numbered(unique("number"), many);

    const dry = await service.oms.post("/orders?dry_run=true", { data: sent });
    const found = await service.oms.get(`/orders?order_number=${sent.order_number}`);
    const real = await service.oms.post("/orders", { data: sent });

    expect(listAt(found.body, "data")).toEqual([]);
    expect(statuses({ dry, real })).toEqual([200, 200]);
    expect(at(dry.body, "data.0")).toMatchObject({
      order_id: null,
      order_api: null,
      nbtybarcode: null,
      version: 1,
    });
    expect(listAt(dry.body, "data.0.items")).toEqual(listAt(real.body, "data.0.items"));
  });

  test("of a large replenishment of products that the center does not keep yet", async () => {
    const { dry, real } = await bothOf("post", "/inventory/replenishments", { items: lines(many) });

    expect(statuses({ dry, real })).toEqual([200, 200]);
    expect(listAt(dry.body, "data.0.items")).toEqual(listAt(real.body, "data.0.items"));
  });
});

test("a record of a dry run builds on the earlier ones of the call: returns of one order", async () => {
  const { sku } = await stockedProduct(service, 3);
  const { order_id } = await shippedOrder(service, [{ sku, quantity: 3 }]);
  const returned = (quantity: number) => ({ order_id, items: [{ sku, quantity }] });

  const tooMany = await bothOf("post", "/inventory/returns", [returned(2), returned(2)]);
  const fitting = await bothOf("post", "/inventory/returns", [returned(2), returned(1)]);

  expect(shown(tooMany.dry)).toEqual(shown(tooMany.real));
  expect(statuses(fitting)).toEqual([200, 200]);
  expect(listAt(fitting.dry.body, "data")).toMatchObject([{ return_id: null }, { return_id: null }]);
});

test("a dry run is true or false, and reads do not have it", async () => {
  const wrong = await service.oms.post("/orders?dry_run=yes", { data: numbered(unique("number")) });
  const read = await service.oms.get("/orders?dry_run=true");
  const list = await service.v2.post("/get_products?dry_run=true", {});
  const inCapitals = await service.oms.post("/orders?dry_run=True", { data: numbered(unique("number")) });

  expectRefusal(wrong, "dry_run", "must be true or false");
  expect(statuses({ read, list })).toEqual([400, 400]);
  expect(inCapitals.body).toMatchObject({ data: [{ order_id: null }], dry_run: true });
});
