import { describe, expect, test } from "vitest";
import { newProduct } from "../../support/business/world.ts";
import { at, type Client, listAt, numberAt } from "../../support/http/client.ts";
import { newStranger } from "../../support/http/strangers.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { aliasOf, orderOf, synsetOf, unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

/** The owner's synset, which the stranger knows everything about. */
const synset = unique("OURS");
const ownSku = "SECOND-1";
const own = synsetOf([{ sku: ownSku, quantity: 1 }]);

const service = await sharedService({ demoData: true });
const other = await newStranger(service);
const stranger = other.oms;
const sent = synsetOf(undefined, { synset });
const { body } = await service.oms.post("/inventory/synsets", { data: [sent] });
const synsetId = numberAt(body, "data.0.synset_id");
await newProduct(other, { sku: ownSku });
await stranger.post("/inventory/synsets", { data: [own] });

/** The owner's alias in channel 2, which the stranger knows everything about. Its own store is 3. */
const alias = await newAlias(service.oms, {});

async function newAlias(owner: Client, more: object) {
  const { body } = await owner.post("/inventory/aliases", { data: [aliasOf(more)] });
  return { alias_id: numberAt(body, "data.0.alias_id"), alias: String(at(body, "data.0.alias")) };
}

/** All that an account has and a synset or an alias could change, as the account sees it. */
const everythingOf = async (owner: Client) => ({
  aliases: (await owner.get("/inventory/aliases?per_page=100")).body,
  synsets: (await owner.get("/inventory/synsets?per_page=100")).body,
  orders: (await owner.get("/orders?per_page=100")).body,
  stock: (await owner.get("/inventory/stock")).body,
});

describe("another account's synset or alias", () => {
  test("cannot be ordered, as a synset: 400, as of an unknown SKU", async () => {
    const answer = await stranger.post("/orders", { data: [orderOf([{ sku: synset, quantity: 1 }])] });

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.errors")).toEqual([
      { path: "data.0.items.0.sku", message: `is not a known SKU (${synset})`, code: "unknown_reference" },
    ]);
  });

  test.each<[string, object]>([
    ["without a cart", {}],
    ["in one's own channel", { cart: { id: 3 } }],
    ["in the other's channel", { cart: { id: 2 } }],
  ])("cannot be ordered, as an alias, %s: 400", async (_case, more) => {
    const answer = await stranger.post("/orders", {
      data: [orderOf([{ sku: alias.alias, quantity: 1 }], more)],
    });

    expect(answer.status).toBe(400);
    expect(listAt(answer.body, "response.errors").map((error) => at(error, "path"))).toContain(
      "data.0.items.0.sku",
    );
  });

  changeNothing(async () => [await everythingOf(service.oms), await everythingOf(stranger)]);
});

describe("two accounts with synsets of one name", () => {
  test("have each its own, with its own components and stock", async () => {
    const items = [{ sku: ownSku, quantity: 2 }];
    const theirs = await stranger.post("/inventory/synsets", { data: [synsetOf(items, { synset })] });
    const ours = await service.oms.get(`/inventory/synsets/${synset}`);

    await stranger.patch("/inventory/synsets", {
      data: [{ synset, items: [{ sku: ownSku, quantity: 3 }] }],
    });
    const ordered = await stranger.post("/orders", { data: [orderOf([{ sku: synset, quantity: 2 }])] });

    expect(theirs.status).toBe(200);
    expect(at(theirs.body, "data.0.synset_id")).not.toBe(synsetId);
    expect((await service.oms.get(`/inventory/synsets/${synset}`)).body).toEqual(ours.body);
    expect(at(ordered.body, "data.0.items")).toMatchObject([{ sku: ownSku, quantity: 6 }]);
    expect(at((await stranger.get(`/inventory/stock?sku=${synset}`)).body, "data.0.limited_by")).toBe(ownSku);
  });
});

describe("two accounts with one alias", () => {
  test("have each its own, for its own product, also when one of them changes", async () => {
    const text = unique("SAME");
    const ours = await newAlias(service.oms, { alias: text });
    const theirs = await newAlias(stranger, { alias: text, sku: ownSku, channel_id: 3 });

    await stranger.patch("/inventory/aliases", {
      data: [{ alias: text, channel_id: 3, distribution_center: "EAST" }],
    });
    const found = [
      await service.oms.get(`/inventory/aliases/${text}`),
      await stranger.get(`/inventory/aliases/${text}`),
    ];
    const ordered = [
      await service.oms.post("/orders", {
        data: [orderOf([{ sku: text, quantity: 1 }], { cart: { id: 2 } })],
      }),
      await stranger.post("/orders", { data: [orderOf([{ sku: text, quantity: 1 }], { cart: { id: 3 } })] }),
    ];

    expect(found.map(({ body }) => at(body, "data"))).toMatchObject([
      { alias_id: ours.alias_id, sku: "DEMO-TEE", distribution_center: null },
      { alias_id: theirs.alias_id, sku: ownSku, distribution_center: "EAST" },
    ]);
    expect(ordered.map(({ body }) => at(body, "data.0.items.0.sku"))).toEqual(["DEMO-TEE", ownSku]);
  });
});
