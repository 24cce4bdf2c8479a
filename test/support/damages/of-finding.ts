/** Damages to lookup items, references and sagas. */

import { expect } from "vitest";
import { endpoint as createAttributes } from "../../../functions/oms/attributes/create-attributes.ts";
import { endpoint as createAliases } from "../../../functions/oms/inventory/aliases/create-aliases.ts";
import { aliasEntryLookup } from "../../../shared/catalog/aliases/alias-names.ts";
import { nameLookup } from "../../../shared/catalog/name-repository.ts";
import { productLookup } from "../../../shared/catalog/products/product-repository.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import { orderLookup, orderNumbers } from "../../../shared/orders/storage/order-repository.ts";
import { stockLookup } from "../../../shared/stock/stock-repository.ts";
import { getItem } from "../../../shared/store/dynamodb/reads.ts";
import type { Write } from "../../../shared/store/dynamodb/writes.ts";
import { planLookup, progressLookup } from "../../../shared/store/sagas/saga.ts";
import { packSteps } from "../../../shared/store/sagas/saga-plan.ts";
import { goodsOf } from "../business/stockpile.ts";
import { newProduct, pendingOrder } from "../business/world.ts";
import { contextOf, create, type Owner } from "../records/flows.ts";
import { aliasOf, unique } from "../records/records.ts";
import { type Damage, damage, invent, lose, type Site } from "./damage.ts";
import { storeWithMethod } from "./of-stock.ts";

export const damagesOfFinding: Readonly<Record<string, (site: Site) => Promise<Damage>>> = {
  "an order without the lookup item of its number": async (site) => {
    const { sku } = site.product();
    const number = unique("LOST");
    const orderId = await pendingOrder(site, [{ sku, quantity: 1 }], { order_number: number });
    return {
      breaks: () => lose(site.db, orderNumbers.lookup(site.accountId, number)),
      finds: [
        {
          record: `order ${orderId}`,
          what: `the entry that finds it (order-number#100 ${number})`,
          actual: "not there",
          expected: `{"id":${orderId}}`,
        },
      ],
    };
  },
  "a lookup item without an order": async (site) => {
    const number = unique("GHOST");
    return {
      breaks: () => invent(site.db, orderNumbers.lookup(site.accountId, number), { id: 999_999_999 }),
      leaves: [
        {
          record: `entry order-number 100 ${number}`,
          what: "order 999999999",
          actual: "of a record that is not there",
          expected: "not there",
        },
      ],
    };
  },
  "a lookup item that finds a missing order instead of its own": async (site) => {
    const { sku } = site.product();
    const number = unique("SHARED");
    const orderId = await pendingOrder(site, [{ sku, quantity: 1 }], { order_number: number });
    const lookup = orderNumbers.lookup(site.accountId, number);
    const gone = 999_999_996;
    return {
      breaks: () => damage(site.db, lookup, {}, { id: gone }),
      leaves: [
        { record: `order ${orderId}`, what: expect.stringContaining("the entry that finds it") },
        { record: `entry order-number 100 ${number}`, what: `order ${gone}` },
      ],
      assess: async () => expect(await getItem(site.db, lookup)).toMatchObject({ id: gone }),
    };
  },
  "a lookup item of a SKU with a wrong center": async (site) => {
    const { sku, product_id } = site.product();
    return {
      breaks: () => damage(site.db, nameLookup(site.accountId, sku), { distribution_center_id: 1 }),
      finds: [
        {
          record: `product ${product_id} (${sku})`,
          what: expect.stringContaining("the entry that finds it"),
        },
      ],
    };
  },
  "an alias without its lookup item": async (site) => {
    const { sku } = site.product();
    const alias = unique("ALIAS");
    await create(site, createAliases, aliasOf({ sku, alias, channel_id: 2 }));
    return {
      breaks: () => lose(site.db, aliasEntryLookup(site.accountId, { alias, channel_id: 2 })),
      finds: [{ record: expect.stringContaining(`(${alias})`), actual: "not there" }],
    };
  },
  "an order and an attribute of a missing product": async (site) => {
    const store = await storeWithMethod(site);
    const product = await newProduct(store);
    const { sku, product_id } = product;
    const orderId = await pendingOrder(store, [{ sku, quantity: 1 }]);
    await giveAttribute(store, product_id);
    const of = `of ${store.accountId}`;
    const missing = { what: "a record that it refers to", actual: `product ${product_id} is not there` };
    return {
      breaks: () => lose(site.db, productLookup(product_id)),
      finds: [
        { record: expect.stringMatching(new RegExp(`^list product, block \\d+ ${of}$`)), what: "counter" },
      ],
      leaves: [
        { record: `entry name ${store.accountId}#${sku} -`, actual: "of a record that is not there" },
        {
          record: expect.stringMatching(`^entry sku-owners ${sku} `),
          actual: "of a record that is not there",
        },
        { record: `entry product-sku ${store.accountId} ${sku}`, actual: "of a record that is not there" },
        { record: `order ${orderId}`, ...missing },
        { record: expect.stringMatching(/^attribute \d+ \(colour\)$/), ...missing },
        { record: `stock of product ${product_id} (${sku})`, what: "its product", actual: "not there" },
      ],
    };
  },
  "goods of a missing product without stock": async (site) => {
    const product = await goodsOf(await storeWithMethod(site), 10);
    return {
      breaks: async () => {
        await lose(site.db, productLookup(product.product_id));
        await lose(site.db, stockLookup(product.product_id, 1));
      },
      finds: [
        { record: expect.stringMatching(/^list (product|stock), block \d+ of \d{4,}$/), what: "counter" },
      ],
      leaves: [
        { record: expect.stringMatching(`^entry name \\d+#${product.sku} `) },
        { record: expect.stringMatching(`^entry sku-owners ${product.sku} `) },
        { record: expect.stringMatching(`^entry product-sku \\d+ ${product.sku}$`) },
        {
          record: `product ${product.product_id}`,
          what: "the product and its stock record",
          actual: "not there",
        },
      ],
    };
  },
  "a product of a missing center, whose SKU stays taken": async (site) => {
    const { product_id, sku } = site.product();
    return {
      breaks: () => damage(site.db, productLookup(product_id), {}, { distribution_center: "GONE" }),
      leaves: [
        {
          record: `product ${product_id} (${sku})`,
          what: "a record that it refers to",
          actual: "distribution center GONE is not there",
        },
      ],
    };
  },
  "an order locked by a missing saga": async (site) => {
    const store = await storeWithMethod(site);
    const { sku } = await newProduct(store);
    const orderId = await pendingOrder(store, [{ sku, quantity: 1 }]);
    return {
      breaks: () => damage(site.db, orderLookup(orderId), {}, { underway: "steps#gone" }),
      leaves: [{ record: `order ${orderId}`, what: "the saga that it waits for", actual: "not there" }],
    };
  },
  "a saga that locks no order": async (site) => {
    const { key } = orderLookup(999_999_998);
    const name = `steps#${JSON.stringify(["orders", key.pk, key.sk])}`;
    const receipt = "lost";
    const when = [{ attribute: "underway", equals: name }] as const;
    const held: Write = {
      kind: "change",
      table: "orders",
      key,
      set: { cell: "1|1|1|1" },
      when,
    };
    const listed = { queued_shard: "steps", check_at: "2999-01-01T00:00:00.000Z" };
    return {
      breaks: async () => {
        await invent(site.db, progressLookup(name), { receipt, next: 0, ...listed });
        await invent(site.db, planLookup(name), { receipt, plan: packSteps([[held]]) });
      },
      leaves: [
        {
          record: `steps of ${key.pk} ${key.sk} in orders`,
          what: "items that wait for them",
          actual: 0,
          expected: 1,
        },
      ],
      assess: async () => expect(await getItem(site.db, planLookup(name))).toMatchObject({ receipt }),
    };
  },
};

/** Gives a product the attribute `colour`. */
async function giveAttribute(owner: Owner, productId: number): Promise<void> {
  const request = {
    params: { owner_type: "product", owner_id: String(productId) },
    query: {},
    body: { data: [{ attribute: "colour", value: "red" }] },
  };
  await createAttributes.flow(parseRequest(createAttributes.request, request), contextOf(owner));
}
