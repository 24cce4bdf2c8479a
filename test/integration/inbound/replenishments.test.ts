import { beforeAll, describe, expect, test } from "vitest";
import { endpoint as patchReplenishments } from "../../../functions/oms/inventory/replenishments/patch-replenishments.ts";
import { productList } from "../../../shared/catalog/products/product-lists.ts";
import { putAway } from "../../../shared/inbound/put-away.ts";
import { allocate } from "../../../shared/store/lists/allocate.ts";
import { expectBalanceAndMovements } from "../../support/business/ledger.ts";
import {
  announceReplenishment,
  asItIs,
  newProducts,
  newProduct as productOf,
} from "../../support/business/world.ts";
import { at, listAt, numberAt } from "../../support/http/client.ts";
import { expectRefusal, expectRefusedAt } from "../../support/http/refused.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { contextOf, create } from "../../support/records/flows.ts";
import { aliasOf, synsetOf } from "../../support/records/records.ts";
import { troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();

const post = (...data: readonly unknown[]) => service.oms.post("/inventory/replenishments", { data });
const patch = (...data: readonly unknown[]) => service.oms.patch("/inventory/replenishments", { data });
const get = (id: number | string) => service.oms.get(`/inventory/replenishments/${id}`);

const newProduct = (more: object = {}) => productOf(service, more);

/** A replenishment of these lines; its id. */
const announced = async (
  items: Parameters<typeof announceReplenishment>[1],
  more: object = {},
): Promise<number> => (await announceReplenishment(service, items, more)).replenishment_id;

/** What is incoming of a SKU by distribution center that keeps it. */
async function incomingOf(sku: string): Promise<unknown> {
  const { body } = await service.oms.get(`/inventory/stock?sku=${sku}`);
  const levels = listAt(body, "data");
  return Object.fromEntries(levels.map((level) => [at(level, "distribution_center"), at(level, "incoming")]));
}

const putAwayInMain = (replenishment_id: number, sku: string, quantity: number) =>
  putAway(contextOf(service), { replenishment_id }, { sku, quantity, location: "B1", bin: "02" }, asItIs);

describe("creating replenishments", () => {
  test("raises what is incoming of each product, over all its lines, and moves nothing", async () => {
    const [one, other] = [await newProduct(), await newProduct()];

    await post(
      {
        items: [
          { sku: one.sku, quantity: 2 },
          { sku: other.sku, quantity: 3 },
          { sku: one.sku, quantity: 5 },
        ],
      },
      { items: [{ sku: one.sku, quantity: 100 }] },
    );

    expect(await incomingOf(one.sku)).toEqual({ MAIN: 107 });
    expect(await incomingOf(other.sku)).toEqual({ MAIN: 3 });
    const { on_hand, reserved, movements } = await expectBalanceAndMovements(service, one.sku);
    expect({ on_hand, reserved, movements }).toEqual({ on_hand: 0, reserved: 0, movements: [] });
  });

  test("begins to keep a product in a center that did not, with the first of a call that announces it", async () => {
    const [one, other] = [await newProduct(), await newProduct()];
    const east = (...items: readonly object[]) => ({ items, distribution_center: "EAST" });

    const answer = await post(
      east({ sku: one.sku, quantity: 1 }),
      east({ sku: one.sku, quantity: 20 }, { sku: other.sku, quantity: 5 }),
      east({ sku: other.sku, quantity: 50 }, { sku: one.sku, quantity: 300 }),
    );

    expect(answer.status).toBe(200);
    expect(await incomingOf(one.sku)).toEqual({ MAIN: 0, EAST: 321 });
    expect(await incomingOf(other.sku)).toEqual({ MAIN: 0, EAST: 55 });
    const stock = await service.oms.get(`/inventory/stock?sku=${one.sku}&distribution_center=EAST`);
    expect(at(stock.body, "data.0")).toMatchObject({ on_hand: 0, reserved: 0, available: 0 });
  });

  test("goes to the default center even if the product is kept elsewhere", async () => {
    const { sku } = await newProduct({ distribution_center: "EAST" });

    await announced([{ sku, quantity: 4 }]);

    expect(await incomingOf(sku)).toEqual({ EAST: 0, MAIN: 4 });
  });
});

describe("changing replenishments", () => {
  test("opens a product's stock by the next record of a call if one turns out to be of an older version", async () => {
    const [known, added] = [await newProduct(), await newProduct()];
    const inEast = () => announced([{ sku: known.sku, quantity: 1 }], { distribution_center: "EAST" });
    const [first, overtaken, last] = [await inEast(), await inEast(), await inEast()];
    const items = [{ sku: added.sku, quantity: 5 }];
    const overtake = () => patch({ replenishment_id: overtaken, eta: "2030-01-31" });
    const { db } = troubledDatabase(service, { before: overtake });

    const call = create(
      { ...service, db },
      patchReplenishments,
      { replenishment_id: first, eta: "2030-01-31" },
      { replenishment_id: overtaken, items, version: 1 },
      { replenishment_id: last, items },
    );

    const outcomes = [true, false, true].map((success) => expect.objectContaining({ success }));
    await expect(call).rejects.toMatchObject({ details: { data: outcomes } });
    expect(await incomingOf(added.sku)).toEqual({ MAIN: 0, EAST: 5 });
    await expectBalanceAndMovements(service, added.sku);
  });

  test("replaces the lines, and changes incoming by the difference", async () => {
    const [kept, dropped, added] = [await newProduct(), await newProduct(), await newProduct()];
    const id = await announced([
      { sku: kept.sku, quantity: 10 },
      { sku: dropped.sku, quantity: 5 },
    ]);
    await announced([{ sku: dropped.sku, quantity: 1 }]);

    const answer = await patch({
      replenishment_id: id,
      items: [
        { sku: kept.sku, quantity: 4 },
        { sku: added.sku, quantity: 8 },
      ],
    });

    expect(at(answer.body, "data.0.items")).toEqual([
      { ...kept, quantity: 4, put_away: 0, remaining: 4 },
      { ...added, quantity: 8, put_away: 0, remaining: 8 },
    ]);
    const incoming = await Promise.all([kept, dropped, added].map(({ sku }) => incomingOf(sku)));
    expect(incoming).toEqual([{ MAIN: 4 }, { MAIN: 1 }, { MAIN: 8 }]);
  });

  test("keeps what was put away, over the product's new lines in their order", async () => {
    const { sku, product_id } = await newProduct();
    const id = await announced([{ sku, quantity: 10 }]);
    await putAwayInMain(id, sku, 6);

    const answer = await patch({
      replenishment_id: id,
      items: [4, 5, 3].map((quantity) => ({ sku, quantity })),
    });

    expect(at(answer.body, "data.0")).toMatchObject({
      status: "Pending",
      items: [
        { sku, product_id, quantity: 4, put_away: 4, remaining: 0 },
        { sku, product_id, quantity: 5, put_away: 2, remaining: 3 },
        { sku, product_id, quantity: 3, put_away: 0, remaining: 3 },
      ],
    });
    expect(await incomingOf(sku)).toEqual({ MAIN: 6 });
  });

  test("to what was put away makes it Received, with nothing more incoming, and then it can't be changed", async () => {
    const { sku } = await newProduct();
    const id = await announced([{ sku, quantity: 10 }]);
    await putAwayInMain(id, sku, 6);

    const received = await patch({ replenishment_id: id, items: [{ sku, quantity: 6 }] });
    const refused = await patch({ replenishment_id: id, eta: "2026-05-05" });

    expect(at(received.body, "data.0.status")).toBe("Received");
    expect(await incomingOf(sku)).toEqual({ MAIN: 0 });
    expect(refused.status).toBe(400);
    expect(at(refused.body, "response.message")).toBe(
      `data.0.replenishment_id is Received and can't be changed (${id})`,
    );
  });

  test("sends it to another center, and what is incoming with it", async () => {
    const [one, other] = [await newProduct(), await newProduct()];
    const id = await announced([
      { sku: one.sku, quantity: 3 },
      { sku: other.sku, quantity: 4 },
    ]);

    const answer = await patch({
      replenishment_id: id,
      distribution_center: "EAST",
      items: [{ sku: one.sku, quantity: 9 }],
    });

    expect(at(answer.body, "data.0.distribution_center")).toBe("EAST");
    expect(await incomingOf(one.sku)).toEqual({ MAIN: 0, EAST: 9 });
    expect(await incomingOf(other.sku)).toEqual({ MAIN: 0 });
  });

  test("that moves more products to a center than one transaction opens is stored whole, each listed once", async () => {
    const skus: string[] = [];
    // Stock that a center begins to keep is counted by blocks of product ids: here twelve of them.
    for (let block = 0; block < 12; block += 1) {
      await allocate(service.db, productList, String(service.accountId), productList.blockSize - 10);
      skus.push(...(await newProducts(service, 5)).map(({ sku }) => sku));
    }
    const items = skus.map((sku) => ({ sku, quantity: 1 }));
    const id = await announced(items);
    const total = async () =>
      numberAt((await service.oms.get("/inventory/stock")).body, "metadata.total_records");
    const before = await total();

    const answer = await patch({ replenishment_id: id, distribution_center: "EAST" });

    expect(answer.status).toBe(200);
    expect(await total()).toBe(before + skus.length);
    for (const sku of [skus[0], skus[59]])
      expect(await incomingOf(String(sku))).toEqual({ MAIN: 0, EAST: 1 });
  });
});

describe("a replenishment of very many units", () => {
  test("may have a quantity of a billion in 200 lines of one product", async () => {
    const { sku } = await newProduct();

    await announced(Array.from({ length: 200 }, () => ({ sku, quantity: 1_000_000_000 })));

    expect(await incomingOf(sku)).toEqual({ MAIN: 200_000_000_000 });
  });
});

describe("a wrong replenishment call is 400 and stores nothing", () => {
  let one: string;
  let other: string;
  /** A replenishment of five units each, of which two of the first were put away. */
  let id: number;
  beforeAll(async () => {
    [one, other] = [(await newProduct()).sku, (await newProduct()).sku];
    id = await announced([one, other].map((sku) => ({ sku, quantity: 5 })));
    await putAwayInMain(id, one, 2);
  });

  test("POST and PATCH: every synset or alias of a channel, which is no SKU, is listed", async () => {
    const [kit, alias] = [synsetOf([{ sku: one, quantity: 1 }]), aliasOf({ sku: one })];
    await service.oms.post("/inventory/synsets", { data: [kit] });
    await service.oms.post("/inventory/aliases", { data: [alias] });
    const items = [kit.synset, one, alias.alias].map((sku) => ({ sku, quantity: 2 }));

    const wrong = { items, distribution_center: "WEST" };

    const created = await post(wrong, { items: items.slice(1, 2) }, { items });
    const changed = await patch({ replenishment_id: id, ...wrong });

    const paths = ["data.0.items.0.sku", "data.0.items.2.sku", "data.0.distribution_center"];
    expectRefusedAt(created, [...paths, "data.2.items.0.sku", "data.2.items.2.sku"]);
    expectRefusedAt(changed, paths);
    expect(at(created.body, "response.errors.0.message")).toBe(`is not a known SKU (${kit.synset})`);
  });

  test("PATCH: less, over several lines, than what was put away", async () => {
    const items = [other, one].map((sku) => ({ sku, quantity: 1 }));

    const answer = await patch({ replenishment_id: id, items });

    const message = `announce less of ${one} (1) than was put away already (2)`;
    expectRefusal(answer, "data.0.items", message);
  });

  test("PATCH: another center once something was put away", async () => {
    const answer = await patch({ replenishment_id: id, distribution_center: "EAST" });

    const message = "can't be another than MAIN, where goods were put away already";
    expectRefusal(answer, "data.0.distribution_center", message);
    expect((await patch({ replenishment_id: id, distribution_center: "MAIN" })).status).toBe(200);
  });

  test("PATCH: a large change beside one that is refused, or of an older version, opens no stock in its new center", async () => {
    const products = [...(await newProducts(service, 90)), ...(await newProducts(service, 90))];
    const large = await announced(products.map(({ sku }) => ({ sku, quantity: 1 })));
    const change = { replenishment_id: large, distribution_center: "EAST" };
    const stockedInEast = async () =>
      at((await service.oms.get("/inventory/stock?distribution_center=EAST")).body, "metadata.total_records");
    const before = await stockedInEast();

    const refused = await Promise.all([
      patch(change, change),
      patch(change, { replenishment_id: 999_999_999 }),
      patch({ ...change, version: 99 }),
    ]);

    expect(refused.map(({ status }) => status)).toEqual([400, 404, 412]);
    expect(await stockedInEast()).toBe(before);
  });

  changeNothing(async () => [(await get(id)).body, await incomingOf(one), await incomingOf(other)]);
});
