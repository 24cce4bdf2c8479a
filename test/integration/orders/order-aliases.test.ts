import { describe, expect, test } from "vitest";
import { endpoint as createAliases } from "../../../functions/oms/inventory/aliases/create-aliases.ts";
import { expectBalanceAndMovements } from "../../support/business/ledger.ts";
import { type NewProduct, newProduct, productsAhead } from "../../support/business/world.ts";
import { type Answer, at, numberAt } from "../../support/http/client.ts";
import { createAndAnswer } from "../../support/records/flows.ts";
import { aliasOf, orderOf, unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();
/** Products that no test has ordered yet. */
const freshProduct = await productsAhead(service, 26);

const marketplace = { id: 2 };

async function newAlias(sku: string, more: object = {}) {
  const body = await createAndAnswer(service, createAliases, aliasOf({ sku, ...more }));
  return { alias: String(at(body, "data.0.alias")), alias_id: numberAt(body, "data.0.alias_id") };
}

const change = (sent: object) => service.oms.patch("/inventory/aliases", { data: [sent] });

const order = (sku: string, cart: object | undefined, quantity = 2): Promise<Answer> =>
  service.oms.post("/orders", {
    data: [orderOf([{ sku, quantity }], cart === undefined ? {} : { cart })],
  });

const reserved = async (sku: string) =>
  at((await service.oms.get(`/inventory/stock?sku=${sku}`)).body, "data.0.reserved");

const identity = ({ sku, product_id }: NewProduct) => ({ sku, product_id });

const unknownSku = (sku: string) => [
  { path: "data.0.items.0.sku", message: `is not a known SKU (${sku})`, code: "unknown_reference" },
];

describe("an order line that names an alias of the order's channel", () => {
  test.each<[string, object]>([
    ["id", marketplace],
    ["store name", { store_name: "Demo Marketplace" }],
  ])("is the product's; the channel is the cart's %s", async (_case, cart) => {
    const { sku, product_id } = freshProduct();
    const { alias } = await newAlias(sku);

    const answer = await order(alias, cart, 3);

    expect(answer.status).toBe(200);
    expect(at(answer.body, "data.0.items")).toEqual([
      { sku, ordered_as: alias, product_id, quantity: 3, sold_price: null, returned: 0 },
    ]);
    expect(await reserved(sku)).toBe(3);
    expect((await expectBalanceAndMovements(service, sku)).reserved).toBe(3);
  });

  test.each<[string, object | undefined]>([
    ["no cart", undefined],
    ["a cart that names no store", {}],
    ["another channel, by id", { id: 1 }],
    ["another channel, by name", { store_name: "Demo Web Store" }],
  ])("is unknown with %s: 400, and nothing is reserved", async (_case, cart) => {
    const { sku } = freshProduct();
    const { alias } = await newAlias(sku);

    const answer = await order(alias, cart);

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.errors")).toEqual(unknownSku(alias));
    expect(await reserved(sku)).toBe(0);
  });

  test("is another product in each channel that has the alias, before that of every channel", async () => {
    const [here, there, elsewhere] = [freshProduct(), freshProduct(), freshProduct()];
    const { alias } = await newAlias(here.sku);
    await newAlias(there.sku, { alias, channel_id: 1 });
    await newAlias(elsewhere.sku, { alias, channel_id: null });

    const answers = [await order(alias, { id: 2 }), await order(alias, { id: 1 }), await order(alias, {})];

    const skus = [here, there, elsewhere].map(({ sku }) => sku);
    expect(answers.map(({ body }) => at(body, "data.0.items.0.sku"))).toEqual(skus);
  });

  test("is reserved in the product's center, whatever the alias' says", async () => {
    const { sku } = await newProduct(service, { distribution_center: "MAIN" });
    const { alias } = await newAlias(sku, { distribution_center: "EAST" });

    const answer = await order(alias, marketplace);
    const stock = await service.oms.get(`/inventory/stock?sku=${sku}`);

    expect(at(answer.body, "data.0.warehouse_id")).toBe(1);
    expect(at(stock.body, "data")).toMatchObject([{ distribution_center: "MAIN", reserved: 2 }]);
  });
});

describe("an alias that changes", () => {
  test("gives new orders its new product; earlier ones keep theirs", async () => {
    const [old, now] = [freshProduct(), freshProduct()];
    const { alias } = await newAlias(old.sku);
    const early = await order(alias, marketplace, 1);

    await change({ alias, channel_id: 2, sku: now.sku });
    const late = await order(alias, marketplace, 4);
    const read = await service.oms.get(`/orders/${numberAt(early.body, "data.0.order_id")}`);

    expect(at(late.body, "data.0.items.0")).toMatchObject({ ...identity(now), ordered_as: alias });
    expect(at(read.body, "data.items.0")).toMatchObject({ ...identity(old), ordered_as: alias });
    expect([await reserved(old.sku), await reserved(now.sku)]).toEqual([1, 4]);
  });

  test("gives an earlier order its new product when that is replaced, with its reservation", async () => {
    const [old, now] = [freshProduct(), freshProduct()];
    const { alias } = await newAlias(old.sku);
    const sent = orderOf([{ sku: alias, quantity: 2 }], { cart: marketplace });
    await service.oms.post("/orders", { data: [sent] });
    await change({ alias, channel_id: 2, sku: now.sku });

    const answer = await service.oms.put("/orders", { data: [sent] });

    expect(at(answer.body, "data.0.items.0.sku")).toBe(now.sku);
    expect([await reserved(old.sku), await reserved(now.sku)]).toEqual([0, 2]);
    await expectBalanceAndMovements(service, old.sku);
    await expectBalanceAndMovements(service, now.sku);
  });

  test.each<[string, () => object, object]>([
    ["text", () => ({ alias: unique("MOVED") }), { id: 2 }],
    ["channel", () => ({ channel_id: 1 }), { id: 1 }],
  ])("its %s is ordered by that alone, as the product that came with it", async (_case, moves, cart) => {
    const [{ sku }, now] = [freshProduct(), freshProduct()];
    const { alias, alias_id } = await newAlias(sku);

    const moved = await change({ alias_id, sku: now.sku, ...moves() });
    const byOldName = await order(alias, marketplace);
    const byNewName = await order(String(at(moved.body, "data.0.alias")), cart);

    expect(byOldName.status).toBe(400);
    expect(at(byOldName.body, "response.errors")).toEqual(unknownSku(alias));
    expect(at(byNewName.body, "data.0.items.0.sku")).toBe(now.sku);
  });
});
