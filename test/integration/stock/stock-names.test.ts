import { expect, test } from "vitest";
import { newProduct } from "../../support/business/world.ts";
import { at, listAt } from "../../support/http/client.ts";
import { aliasOf, synsetOf, unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const [lamp, comma] = [unique("LAMP"), unique("A/B, C")];
/** Aliases: for every channel, on two channels for one product, on two channels for two products. */
const [everywhere, agreed, disputed] = [unique("ALL"), unique("AGREED"), unique("DISPUTED")];
/** A synset, whose name is an alias on one channel, too. */
const kit = unique("KIT");
const service = await sharedService();
await newProduct(service, { sku: lamp });
await newProduct(service, { sku: comma, distribution_center: "EAST" });
const data = [
  aliasOf({ sku: lamp, alias: everywhere, channel_id: null }),
  aliasOf({ sku: comma, alias: everywhere, channel_id: 1 }),
  aliasOf({ sku: lamp, alias: agreed, channel_id: 1 }),
  aliasOf({ sku: lamp, alias: agreed, channel_id: 2 }),
  aliasOf({ sku: lamp, alias: disputed, channel_id: 1 }),
  aliasOf({ sku: comma, alias: disputed, channel_id: 2 }),
  aliasOf({ sku: lamp, alias: kit, channel_id: 2 }),
];
const aliases = await service.oms.post("/inventory/aliases", { data });
const synsets = await service.oms.post("/inventory/synsets", {
  data: [synsetOf([{ sku: comma, quantity: 1 }], { synset: kit })],
});
expect([aliases.status, synsets.status]).toEqual([200, 200]);

const stock = async (sku: string, more: Readonly<Record<string, string>> = {}) => {
  const { status, body } = await service.oms.get(`/inventory/stock?${new URLSearchParams({ sku, ...more })}`);
  return { status, body, skus: status === 200 ? listAt(body, "data").map((level) => at(level, "sku")) : [] };
};

test.each<[string, string, readonly string[]]>([
  ["a SKU", lamp, [lamp]],
  ["a SKU with a slash and a comma", comma, [comma]],
  ["an alias for every channel, before one of a channel", everywhere, [lamp]],
  ["an alias that means one product on all channels that have it", agreed, [lamp]],
  ["a synset, before an alias of a channel", kit, [kit]],
  ["nothing that is known", "NO-SUCH", []],
  ["several names, in their order", `${kit}, NO-SUCH,${lamp},`, [kit, lamp]],
  ["one product by several names, once", `${everywhere},${lamp},${agreed}`, [lamp]],
])("stock is answered for %s", async (_case, sku, expected) => {
  const { status, body, skus } = await stock(sku);

  expect([status, skus]).toEqual([200, expected]);
  expect(at(body, "metadata.total_records")).toBe(expected.length);
});

test("stock of several names is filtered by center, and comes in pages", async () => {
  const more = await newProduct(service);
  const names = `${lamp},${kit},${more.sku}`;

  const answers = [
    await stock(names, { distribution_center: "EAST" }),
    await stock(names, { per_page: "2", page: "2" }),
  ];

  expect(answers.map(({ skus, body }) => [skus, at(body, "pagination.total")])).toEqual([
    [[kit], 1],
    [[more.sku], 3],
  ]);
});

test("an alias that means several products is 400 and names them", async () => {
  const { status, body } = await stock(`${lamp},${disputed}`);

  expect(status).toBe(400);
  expect(at(body, "response.message")).toBe(
    `sku ${disputed} is an alias of several products (${lamp}, ${comma}); send the SKU that is meant`,
  );
});

test("v2 takes several names, too", async () => {
  const { body } = await service.v2.post("/get_stock", { sku: `${lamp},${kit}` });

  expect(listAt(body, "data").map((level) => at(level, "sku"))).toEqual([lamp, kit]);
});
