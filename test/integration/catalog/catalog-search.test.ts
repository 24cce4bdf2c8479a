import { beforeAll, describe, expect, test } from "vitest";
import { newProduct, newStore } from "../../support/business/world.ts";
import { at, listAt, numberAt } from "../../support/http/client.ts";
import { aliasOf, unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();
/** A product, and one whose SKU is the id of the first. */
const lamp = await newProduct(service, { sku: unique("LAMP") });
const namesake = await newProduct(service, { sku: String(lamp.product_id) });
const slashed = await newProduct(service, { sku: unique("A/B?, C") });

/** The values of a field that a list answers, oldest first, and the total that it states. */
async function found(path: string, query: Readonly<Record<string, string>>, field: string) {
  const { status, body } = await service.oms.get(`/inventory/${path}?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  const values = listAt(body, "data").map((record) => at(record, field));
  return { values: values.toReversed(), total: at(body, "pagination.total") };
}

describe("products", () => {
  test("are found by their SKU, even if it looks like an id or contains a slash and a question mark", async () => {
    const ids = async (sku: string) => found("products", { sku }, "product_id");

    expect([await ids(lamp.sku), await ids(namesake.sku), await ids(slashed.sku), await ids("LAMP")]).toEqual(
      [
        { values: [lamp.product_id], total: 1 },
        { values: [namesake.product_id], total: 1 },
        { values: [slashed.product_id], total: 1 },
        { values: [], total: 0 },
      ],
    );
  });

  test("are found by several SKUs or ids, which combine", async () => {
    const ids = (query: Readonly<Record<string, string>>) => found("products", query, "product_id");
    const comma = slashed.sku.replace(",", "\\,");

    expect([
      await ids({ sku: `${comma},${lamp.sku},NONE` }),
      await ids({ product_id: `${slashed.product_id},1,${lamp.product_id}` }),
      await ids({ product_id: `${slashed.product_id},${lamp.product_id}`, sku: lamp.sku }),
    ]).toEqual([
      { values: [lamp.product_id, slashed.product_id], total: 2 },
      { values: [lamp.product_id, slashed.product_id], total: 2 },
      { values: [lamp.product_id], total: 1 },
    ]);
  });

  test.each(["products", "stock"])("are found in %s by the prefix of a SKU, each once", async (path) => {
    const prefix = unique("CUP");
    const cups = [];
    for (const color of ["-RED", "-BLUE"]) cups.push(await newProduct(service, { sku: prefix + color }));
    const [red, blue] = cups.map(({ product_id }) => product_id);
    const skus = async (sku: string) => (await found(path, { sku }, "product_id")).values.toSorted();

    expect(await skus(`${prefix}*`)).toEqual([red, blue]);
    expect(await skus(`${prefix}-R*,${prefix}-RED,${lamp.sku}`)).toEqual([lamp.product_id, red]);
    expect(await skus(`${prefix}-G*`)).toEqual([]);
  });

  test("have their stock found by several ids, of this account only", async () => {
    const other = await newStore(service);
    const foreign = await newProduct({ db: service.db, accountId: other.accountId });
    const sent = `${slashed.product_id},${foreign.product_id},${lamp.product_id}`;
    const ids = (query: Readonly<Record<string, string>>) => found("stock", query, "product_id");

    expect(await ids({ product_id: sent })).toEqual({
      values: [lamp.product_id, slashed.product_id],
      total: 2,
    });
    expect(await ids({ product_id: sent, sku: lamp.sku })).toEqual({ values: [lamp.product_id], total: 1 });
    expect(await ids({ product_id: sent, distribution_center: "EAST" })).toEqual({ values: [], total: 0 });
  });

  test("are found by v2, too, and no page but the first has one", async () => {
    const { body } = await service.v2.post("/get_products", { sku: lamp.sku, page: 2 });

    expect([at(body, "data"), at(body, "pagination.total")]).toEqual([[], 1]);
  });

  test.each(["/get_products", "/get_stock"])(
    "are found by the prefix of a SKU by v2's %s, too",
    async (path) => {
      const { body } = await service.v2.post(path, { sku: `${lamp.sku.slice(0, -1)}*` });

      expect(listAt(body, "data").map((record) => at(record, "sku"))).toContain(lamp.sku);
    },
  );

  test("are read by what identify_by says", async () => {
    const read = async (query: string) =>
      (await service.oms.get(`/inventory/products/${lamp.product_id}${query}`)).body;

    const answers = [await read(""), await read("?identify_by=product_id"), await read("?identify_by=sku")];
    const bySku = await service.oms.get(`/inventory/products/${lamp.sku}?identify_by=product_id`);

    expect(answers.map((body) => at(body, "data.sku"))).toEqual([lamp.sku, lamp.sku, namesake.sku]);
    expect([bySku.status, at(bySku.body, "response.message")]).toEqual([
      404,
      `There is no product with product_id ${lamp.sku}`,
    ]);
  });
});

describe("aliases", () => {
  const text = unique("A/1 ü");
  /**
   * Three aliases of the lamp, and one of the product whose SKU is an id. The last text is the first one's
   * id.
   */
  const ids: number[] = [];
  beforeAll(async () => {
    const data = [
      aliasOf({ sku: lamp.sku, alias: text, channel_id: 1 }),
      aliasOf({ sku: namesake.sku, alias: text, channel_id: 2 }),
      aliasOf({ sku: lamp.sku, channel_id: 1, distribution_center: "EAST" }),
    ];
    const first = await service.oms.post("/inventory/aliases", { data });
    for (const record of listAt(first.body, "data")) ids.push(numberAt(record, "alias_id"));
    const like = aliasOf({ sku: lamp.sku, alias: String(ids[0]) });
    const { body } = await service.oms.post("/inventory/aliases", { data: [like] });
    ids.push(numberAt(body, "data.0.alias_id"));
  });

  const byIds = (query: Readonly<Record<string, string>>) => found("aliases", query, "alias_id");
  const at1 = (...positions: readonly number[]) => ({
    values: positions.map((position) => ids[position]),
    total: positions.length,
  });

  test("are found by text and by SKU, together with the channel and the center", async () => {
    const answers = [
      await byIds({ alias: text }),
      await byIds({ alias: String(ids[0]) }),
      await byIds({ alias: text, channel_id: "2" }),
      await byIds({ sku: lamp.sku }),
      await byIds({ sku: lamp.sku, alias: text }),
      await byIds({ sku: lamp.sku, distribution_center: "EAST" }),
      await byIds({ sku: slashed.sku }),
    ];

    expect(answers).toEqual([at1(0, 1), at1(3), at1(1), at1(0, 2, 3), at1(0), at1(2), at1()]);
  });

  test("that are given another SKU are found by it alone", async () => {
    const patched = await service.oms.patch("/inventory/aliases", {
      data: [{ alias_id: ids[2], sku: slashed.sku }],
    });

    expect(patched.status).toBe(200);
    expect([await byIds({ sku: lamp.sku }), await byIds({ sku: slashed.sku })]).toEqual([at1(0, 3), at1(2)]);
  });

  test("are read by what identify_by says", async () => {
    const read = async (query: string) =>
      (await service.oms.get(`/inventory/aliases/${ids[0]}${query}`)).body;

    const answers = [await read(""), await read("?identify_by=alias_id"), await read("?identify_by=alias")];
    const missing = await service.oms.get(`/inventory/aliases/${ids[1]}?identify_by=alias&channel_id=2`);

    expect(answers.map((body) => at(body, "data.alias_id"))).toEqual([ids[0], ids[0], ids[3]]);
    expect([missing.status, at(missing.body, "response.message")]).toEqual([
      404,
      `There is no alias with alias ${ids[1]} in channel 2`,
    ]);
  });
});
