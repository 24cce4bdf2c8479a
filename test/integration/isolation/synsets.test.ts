import { describe, expect, test } from "vitest";
import { at, type Client, listAt, numberAt } from "../../support/http/client.ts";
import { newStranger } from "../../support/http/strangers.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { orderOf, synsetOf, unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { newProduct } from "../../support/store/world.ts";

/** The owner's synset, which the stranger knows everything about. */
const synset = unique("OURS");
/** The stranger's own product and synset. */
const ownSku = "SECOND-1";
const own = synsetOf([{ sku: ownSku, quantity: 1 }]);

const service = await sharedService({ demoData: true });
const other = await newStranger(service);
/** Another account, which looks at what is the owner's. */
const stranger = other.oms;
const sent = synsetOf(undefined, { synset });
const { body } = await service.oms.post("/inventory/synsets", { data: [sent] });
const synsetId = numberAt(body, "data.0.synset_id");
await newProduct(other, { sku: ownSku });
await stranger.post("/inventory/synsets", { data: [own] });

/** All that an account has and a synset could change, as the account sees it. */
const everythingOf = async (owner: Client) => ({
  synsets: (await owner.get("/inventory/synsets?per_page=100")).body,
  orders: (await owner.get("/orders?per_page=100")).body,
  stock: (await owner.get("/inventory/stock")).body,
});

describe("another account's synset", () => {
  test.each(["", "&distribution_center=MAIN"])("has no stock for the stranger: %s", async (query) => {
    const path = `/inventory/stock?sku=${synset}${query}`;

    const answer = await stranger.get(path);

    expect(answer.status).toBe(200);
    expect(at(answer.body, "data")).toEqual([]);
    expect(numberAt(answer.body, "metadata.total_records")).toBe(0);
    expect(listAt((await service.oms.get(path)).body, "data")).toHaveLength(1);
  });

  test("cannot be ordered: 400, as of an unknown SKU", async () => {
    const answer = await stranger.post("/orders", { data: [orderOf([{ sku: synset, quantity: 1 }])] });

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.errors")).toEqual([
      { path: "data.0.items.0.sku", message: `is not a known SKU (${synset})`, code: "unknown_reference" },
    ]);
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
