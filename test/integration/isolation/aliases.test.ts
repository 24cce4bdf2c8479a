import { describe, expect, test } from "vitest";
import { type Answer, at, type Client, listAt, numberAt } from "../../support/http/client.ts";
import { newStranger } from "../../support/http/strangers.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { aliasOf, orderOf, unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { newProduct } from "../../support/store/world.ts";

const ownSku = "SECOND-1";

const service = await sharedService({ demoData: true });
const other = await newStranger(service);
/** Another account, which looks at what is the owner's. Its store is 3. */
const stranger = other.oms;
await newProduct(other, { sku: ownSku });
/** The owner's alias in channel 2, which the stranger knows everything about. */
const alias = await newAlias(service.oms, { distribution_center: "MAIN" });
await newAlias(stranger, { sku: ownSku, channel_id: 3 });

async function newAlias(owner: Client, more: object) {
  const { body } = await owner.post("/inventory/aliases", { data: [aliasOf(more)] });
  return { alias_id: numberAt(body, "data.0.alias_id"), alias: String(at(body, "data.0.alias")) };
}

/** All that an account has that aliases have to do with, as it sees it. */
const everythingOf = async (owner: Client) => ({
  aliases: (await owner.get("/inventory/aliases?per_page=100")).body,
  orders: (await owner.get("/orders?per_page=100")).body,
  stock: (await owner.get("/inventory/stock")).body,
});

const patch = (...data: readonly unknown[]) => stranger.patch("/inventory/aliases", { data });

describe("another account's aliases", () => {
  test.each<[string, () => string]>([
    ["by id", () => String(alias.alias_id)],
    ["by text", () => alias.alias],
    ["by text in its channel", () => `${alias.alias}?channel_id=2`],
  ])("cannot be read %s, as if they were not there", async (_case, identifier) => {
    const strangers = await stranger.get(`/inventory/aliases/${identifier()}`);
    const owners = await service.oms.get(`/inventory/aliases/${identifier()}`);
    const missing = await stranger.get("/inventory/aliases/NO-SUCH");

    const shape = ({ body }: Answer) => Object.keys(Object(at(body, "response")));
    expect([strangers.status, owners.status]).toEqual([404, 200]);
    expect(shape(strangers)).toEqual(shape(missing));
  });

  test.each(["", "?channel_id=3", "?distribution_center=MAIN", "?channel_id=2"])(
    "are in no list of the stranger's: %s",
    async (query) => {
      const answer = await stranger.get(`/inventory/aliases${query}`);

      const skus = listAt(answer.body, "data").map((record) => at(record, "sku"));
      expect(answer.status).toBe(200);
      expect(skus.filter((sku) => sku !== ownSku)).toEqual([]);
      expect(numberAt(answer.body, "metadata.total_records")).toBe(skus.length);
    },
  );

  test.each<[string, object]>([
    ["without a cart", {}],
    ["in one's own channel", { cart: { id: 3 } }],
    ["in the other's channel", { cart: { id: 2 } }],
  ])("cannot be ordered by: 400 %s", async (_case, more) => {
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

describe("two accounts with one alias", () => {
  test("have each its own, for its own product, also when one of them changes", async () => {
    const text = unique("SAME");
    const ours = await newAlias(service.oms, { alias: text });
    const theirs = await newAlias(stranger, { alias: text, sku: ownSku, channel_id: 3 });

    await patch({ alias: text, channel_id: 3, distribution_center: "EAST" });
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
