import { beforeAll, describe, expect, test } from "vitest";
import { aliasEntryLookup } from "../../../shared/catalog/aliases/alias-names.ts";
import { findSkus, nameLookup } from "../../../shared/catalog/name-repository.ts";
import type { Lookup } from "../../../shared/store/dynamodb/reads.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { stale } from "../../../shared/store/dynamodb/writes.ts";
import { at, numberAt } from "../../support/http/client.ts";
import { orderOf, unique } from "../../support/records/records.ts";
import type { Service } from "../../support/runtime/service.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { expectBalanced } from "../../support/store/ledger.ts";
import { newStore } from "../../support/store/world.ts";

let service: Service;
const names = {
  alias: unique("ALIAS"),
  kit: unique("KIT"),
  foreign: unique("FOREIGN"),
  both: unique("BOTH"),
};
const marketplace = { cart: { id: 2 } };

/**
 * An alias of the tee at the marketplace; a kit of a tee and two mugs; a name that is both; another
 * account's.
 */
beforeAll(async () => {
  service = await sharedService({ demoData: true });
  const { db, accountId } = service;
  const { accountId: otherId } = await newStore(service);
  const found = await findSkus(db, accountId, ["DEMO-TEE", "DEMO-MUG"]);
  const product_id = (sku: string) => found.get(sku)?.product_id;
  const items = [
    { sku: "DEMO-TEE", product_id: product_id("DEMO-TEE"), quantity: 1 },
    { sku: "DEMO-MUG", product_id: product_id("DEMO-MUG"), quantity: 2 },
  ];
  const entry = ({ table, key }: Lookup, fields: object) =>
    ({ kind: "insert", table, item: { ...key, ...fields }, rejection: stale }) as const;
  await transact(db, [
    entry(aliasEntryLookup(accountId, { alias: names.alias, channel_id: 2 }), {
      alias_id: 1,
      sku: "DEMO-TEE",
    }),
    entry(aliasEntryLookup(accountId, { alias: names.both, channel_id: 2 }), {
      alias_id: 2,
      sku: "DEMO-CAP",
    }),
    entry(aliasEntryLookup(otherId, { alias: names.foreign, channel_id: 2 }), {
      alias_id: 3,
      sku: "DEMO-TEE",
    }),
    entry(nameLookup(accountId, names.kit), { synset_id: 1, items }),
    entry(nameLookup(accountId, names.both), { synset_id: 2, items }),
    entry(nameLookup(otherId, names.foreign), { synset_id: 3, items }),
  ]);
});

const order = (sku: string, more: object = marketplace) =>
  service.oms.post("/orders", { data: [orderOf([{ sku, quantity: 3, sold_price: 20 }], more)] });

const reservedOf = async (skus: readonly string[]) => {
  const ledgers = await Promise.all(skus.map((sku) => expectBalanced(service, sku)));
  return ledgers.map(({ reserved }) => reserved);
};

describe("an ordered name", () => {
  test("that is an alias of the order's channel is its product, and kept as what was ordered", async () => {
    const answer = await order(names.alias);

    expect(answer.body).toMatchObject({
      data: [
        {
          items: [{ sku: "DEMO-TEE", ordered_as: names.alias, quantity: 3, sold_price: 20 }],
          kits: [],
        },
      ],
    });
  });

  test("that is a kit is its components, which are reserved, and released with the order", async () => {
    const before = await reservedOf(["DEMO-TEE", "DEMO-MUG"]);

    const answer = await order(names.kit, {});

    const after = await reservedOf(["DEMO-TEE", "DEMO-MUG"]);
    expect(answer.body).toMatchObject({
      data: [
        {
          items: [
            { sku: "DEMO-TEE", ordered_as: names.kit, quantity: 3, sold_price: null },
            { sku: "DEMO-MUG", ordered_as: names.kit, quantity: 6, sold_price: null },
          ],
          kits: [{ synset: names.kit, quantity: 3, sold_price: 20 }],
        },
      ],
    });
    expect(after).toEqual([Number(before[0]) + 3, Number(before[1]) + 6]);
    await service.oms.post("/orders/cancel", { order_id: numberAt(answer.body, "data.0.order_id") });
    expect(await reservedOf(["DEMO-TEE", "DEMO-MUG"])).toEqual(before);
  });

  test("that is an alias and a kit is the alias in its channel, and the kit elsewhere", async () => {
    const [there, elsewhere] = [await order(names.both), await order(names.both, { cart: { id: 1 } })];

    expect(at(there.body, "data.0.items")).toMatchObject([{ sku: "DEMO-CAP", quantity: 3 }]);
    expect(at(elsewhere.body, "data.0.items")).toMatchObject([{ sku: "DEMO-TEE" }, { sku: "DEMO-MUG" }]);
  });

  test("is looked up the same way when an order is replaced", async () => {
    const sent = orderOf([{ sku: "DEMO-CAP", quantity: 1 }]);
    await service.oms.post("/orders", { data: [sent] });
    const items = [
      { sku: names.kit, quantity: 1 },
      { sku: names.alias, quantity: 1 },
    ];

    const answer = await service.oms.put("/orders", { data: [{ ...sent, ...marketplace, items }] });

    expect(at(answer.body, "data.0.items")).toMatchObject([
      { sku: "DEMO-TEE", ordered_as: names.kit },
      { sku: "DEMO-MUG", ordered_as: names.kit },
      { sku: "DEMO-TEE", ordered_as: names.alias },
    ]);
  });

  test.each([
    ["an alias of another channel", () => names.alias, { cart: { id: 1 } }],
    ["an alias, of an order without a channel", () => names.alias, {}],
    ["another account's alias or kit", () => names.foreign, marketplace],
  ])("that is %s is no known SKU", async (_rule, name, more) => {
    const answer = await order(name(), more);

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.message")).toBe(`data.0.items.0.sku is not a known SKU (${name()})`);
  });
});
