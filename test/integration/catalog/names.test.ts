import { beforeAll, describe, expect, test } from "vitest";
import { endpoint as createProducts } from "../../../functions/oms/inventory/products/create-products.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import { newProducts } from "../../support/business/world.ts";
import { atOnce } from "../../support/http/at-once.ts";
import { at, listAt } from "../../support/http/client.ts";
import { contextOf } from "../../support/records/flows.ts";
import { aliasOf, orderOf, productOf, synsetOf, unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();
const [tee = "", mug = ""] = (await newProducts(service, 2)).map(({ sku }) => sku);

const create = (what: string, ...data: readonly unknown[]) =>
  service.oms.post(what === "orders" ? "/orders" : `/inventory/${what}`, { data });

const itemsOf = (name: string) => [{ sku: name, quantity: 2 }];
const kitOf = (synset: string) => synsetOf(itemsOf(tee), { synset });
const errorsOf = (body: unknown) => at(body, "response.errors");

/** What is made under a name, and the other kind of record, which may not take the name then. */
const kinds: readonly [string, (name: string) => object, string, (name: string) => object, string][] = [
  ["synsets", kitOf, "products", (sku) => productOf({ sku }), "sku is the name of a synset already"],
  ["products", (sku) => productOf({ sku }), "synsets", kitOf, "synset is the SKU of a product already"],
];

describe("a name", () => {
  test.each(kinds)("of one of the %s is taken", async (first, record, second, other, message) => {
    const name = unique("NAME");
    await create(first, record(name));

    const answer = await create(second, other(unique("FREE")), other(name));

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.message")).toBe(`data.1.${message} (${name})`);
    // With a code, a program that creates what is missing would take the other kind for its record.
    expect(answer.body).not.toHaveProperty("response.errors.0.code");
    const lists = await service.oms.get(`/inventory/${second}?per_page=100`);
    expect(JSON.stringify(lists.body)).not.toContain("FREE-");
  });

  test.each([1, 2, 3])("goes to one of two calls that claim it at the same time (%i)", async () => {
    const name = unique("RACE");

    const answers = await atOnce(service, [
      () => create("products", productOf({ sku: name })),
      () => create("synsets", kitOf(name)),
    ]);

    const lost = answers.findIndex(({ status }) => status === 400);
    const message = String(at(answers[lost]?.body, "response.message"));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(message).toMatch(/already/);
    expect(message).toContain(`(${name})`);
    const ordered = await create("orders", orderOf(itemsOf(name)));
    expect(at(ordered.body, "data.0.items.0.sku")).toBe(lost === 0 ? tee : name);
  });
});

describe("an alias for every channel", () => {
  let alias: string;
  let record: unknown;
  beforeAll(async () => {
    alias = unique("ALL");
    record = at((await create("aliases", { sku: tee, alias })).body, "data.0");
  });

  test("answers null for its channel, and is found by its text alone and in any channel", async () => {
    const found = await Promise.all(
      ["", "?channel_id=1", "?channel_id=2"].map((query) =>
        service.oms.get(`/inventory/aliases/${alias}${query}`),
      ),
    );

    expect(record).toMatchObject({ sku: tee, alias, channel_id: null });
    expect(found.map(({ body }) => at(body, "data"))).toEqual([record, record, record]);
  });

  test("is in the list, but not in that of a channel", async () => {
    const [all, one] = [
      await service.oms.get("/inventory/aliases?per_page=100"),
      await service.oms.get("/inventory/aliases?per_page=100&channel_id=1"),
    ];

    expect(listAt(all.body, "data")).toContainEqual(record);
    expect(listAt(one.body, "data")).not.toContainEqual(record);
  });

  test.each([
    ["of a channel", { cart: { id: 1 } }],
    ["without a store", {}],
  ])("names its product in an order %s", async (_rule, more) => {
    const answer = await create("orders", orderOf(itemsOf(alias), more));

    expect(at(answer.body, "data.0.items")).toMatchObject([{ sku: tee, ordered_as: alias, quantity: 2 }]);
  });

  test("can have its text only once", async () => {
    const answer = await create("aliases", { sku: mug, alias }, aliasOf({ sku: mug, alias, channel_id: 1 }));

    expect(errorsOf(answer.body)).toEqual([
      {
        path: "data.0.alias",
        message: `already exists for every channel (${alias})`,
        code: "already_exists",
      },
    ]);
  });

  test("is found by PATCH by its text, becomes a channel's own, and holds everywhere again", async () => {
    const text = unique("MOVE");
    const made = await create("aliases", { sku: tee, alias: text });
    const alias_id = at(made.body, "data.0.alias_id");
    const patch = async (sent: object) =>
      (await service.oms.patch("/inventory/aliases", { data: [sent] })).body;

    const steps = [
      await patch({ alias: text, sku: mug }),
      await patch({ alias_id, channel_id: 2 }),
      await patch({ alias: text }),
      await patch({ alias: text, channel_id: 2, sku: tee }),
      await patch({ alias_id, channel_id: null }),
    ];

    expect(steps.map((body) => [at(body, "data.0.sku"), at(body, "data.0.channel_id")])).toEqual([
      [mug, null],
      [mug, 2],
      [undefined, undefined],
      [tee, 2],
      [tee, null],
    ]);
    expect(at(steps[2], "response.message")).toBe(
      `There is no alias ${text} for every channel; a channel's own is named with its channel_id`,
    );
  });
});

describe("an alias in the items", () => {
  test.each(["synsets", "replenishments"])(
    "of %s names its product; the record says the SKU",
    async (what) => {
      const [alias, own] = [unique("ITEM"), unique("OWN")];
      await create("aliases", { sku: tee, alias }, aliasOf({ sku: mug, alias: own, channel_id: 2 }));
      const recordOf = (name: string) =>
        what === "synsets" ? synsetOf(itemsOf(name)) : { items: itemsOf(name) };

      const made = await create(what, recordOf(alias));
      const wrong = await create(what, recordOf(own));
      const { synset, replenishment_id } = Object(at(made.body, "data.0"));
      const items = [{ sku: mug, quantity: 1 }, ...itemsOf(alias)];
      const changed = await service.oms.patch(`/inventory/${what}`, {
        data: [{ synset, replenishment_id, items }],
      });

      expect(at(made.body, "data.0.items")).toMatchObject([{ sku: tee, quantity: 2 }]);
      expect(listAt(changed.body, "data.0.items").map((item) => at(item, "sku"))).toEqual([mug, tee]);
      expect(errorsOf(wrong.body)).toEqual([
        { path: "data.0.items.0.sku", message: `is not a known SKU (${own})`, code: "unknown_reference" },
      ]);
    },
  );
});

test("a SKU of release 1.0.0 with characters that are shown as nothing finds its product as before, and no other gets one", async () => {
  const sku = `${unique("OLD")}\u3164`;
  const request = parseRequest(createProducts.request, { body: { data: [productOf()] } });
  const data = request.body.data.map((product) => ({ ...product, sku }));
  await createProducts.flow({ ...request, body: { data } }, contextOf(service));

  const read = await service.oms.get(`/inventory/products/${encodeURIComponent(sku)}`);
  const changed = await service.oms.patch("/inventory/products", { data: [{ sku, description: "Changed" }] });
  const ordered = await service.oms.post("/orders", { data: [orderOf([{ sku, quantity: 1 }])] });
  const other = await service.oms.post("/inventory/products", { data: [productOf({ sku: `${sku}\u3164` })] });

  expect([read, changed, ordered].map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(at(changed.body, "data.0")).toMatchObject({ sku, description: "Changed" });
  expect(at(ordered.body, "data.0.items.0.sku")).toBe(sku);
  expect([other.status, at(other.body, "response.message")]).toEqual([
    400,
    "data.0.sku must not hold control characters or invisible ones",
  ]);
});
