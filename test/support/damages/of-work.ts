/** Damages to serials and returns. */

import { expect } from "vitest";
import { endpoint as createSerials } from "../../../functions/oms/serials/create-serials.ts";
import { returnList } from "../../../shared/inbound/inbound-repository.ts";
import { orderLookup, orders } from "../../../shared/orders/storage/order-repository.ts";
import { pickedCountKey } from "../../../shared/orders/storage/picked-orders.ts";
import { serialLookup, serialMarkLookup } from "../../../shared/serials/serial-repository.ts";
import { getItem } from "../../../shared/store/dynamodb/reads.ts";
import { recordKey } from "../../../shared/store/lists/block-list.ts";
import { anyOwner } from "../../../shared/store/lists/repository.ts";
import { goodsOf } from "../business/stockpile.ts";
import { announceReturn, claimedOrder, pickFrom, pickItems, shippedOrder } from "../business/world.ts";
import { create } from "../records/flows.ts";
import type { Service } from "../runtime/service.ts";
import { type Damage, damage, invent, lose, type Site } from "./damage.ts";
import { storeWithMethod } from "./of-stock.ts";

/** A product with the serials S-1, which is picked for an order, and S-2. */
async function serialized(service: Service) {
  const { sku, product_id } = await goodsOf(service, 2);
  await create(service, createSerials, { sku, serials: ["S-1", "S-2"] });
  const orderId = await claimedOrder(service, [{ sku, quantity: 1 }]);
  await pickItems(service, orderId, { ...pickFrom(sku, 1), serials: ["S-1"] });
  return { product_id, sku, orderId };
}

const what = "the order that it is picked for";

export const damagesOfWork: Readonly<Record<string, (site: Site) => Promise<Damage>>> = {
  "a free serial that an order names": async (site) => {
    const { product_id, orderId } = await serialized(site);
    const { key, table } = serialLookup(product_id, "S-1");
    return {
      breaks: () =>
        invent(site.db, { table, key }, { product_id, serial: "S-1", created_at: "2026-01-01", receipt: "" }),
      finds: [{ record: `serial S-1 of product ${product_id}`, what, actual: "none", expected: orderId }],
    };
  },
  "a picked serial that its order does not name": async (site) => {
    const { product_id, orderId } = await serialized(site);
    return {
      breaks: () => damage(site.db, serialLookup(product_id, "S-2"), {}, { picked_for: orderId }),
      finds: [{ record: `serial S-2 of product ${product_id}`, what, actual: orderId, expected: "none" }],
    };
  },
  "a serial that is picked for a missing order": async (site) => {
    const { product_id, sku } = site.goods();
    await create(site, createSerials, { sku, serials: ["S-1"] });
    const lookup = serialLookup(product_id, "S-1");
    const gone = 999_999_997;
    return {
      breaks: () => damage(site.db, lookup, {}, { picked_for: gone }),
      leaves: [
        {
          record: `serial S-1 of product ${product_id}`,
          what: `the order ${gone}, which it is picked for`,
          actual: "not there",
        },
      ],
      assess: async () => expect(await getItem(site.db, lookup)).toMatchObject({ picked_for: gone }),
    };
  },
  "unreadable orders, one with a picked serial and one with a return": async (site) => {
    const store = await storeWithMethod(site);
    const { product_id, sku: picked, orderId } = await serialized(store);
    const serial = serialLookup(product_id, "S-1");
    const { pk, sk } = pickedCountKey(orderId);
    const { sku } = await goodsOf(store, 3);
    const { order_id } = await shippedOrder(store, [{ sku, quantity: 3 }]);
    await announceReturn(store, order_id, [{ sku, quantity: 1 }]);
    const torn = [orderId, order_id].map(orderLookup);
    return {
      breaks: () => Promise.all(torn.map((lookup) => damage(site.db, lookup, {}, { content: "torn" }))),
      leaves: torn.map(({ key }) => ({ what: `the item ${key.pk} ${key.sk}`, actual: "unreadable" })),
      hides: [
        `stock of product ${product_id} (${picked})`,
        `serial S-1 of product ${product_id}`,
        `count of picked orders ${pk} ${Number(sk)}`,
        `order ${order_id}`,
        ...torn.map(({ key }) => `list order, block ${key.pk.split("#")[1]} of ${store.accountId}`),
      ],
      assess: async () => expect(await getItem(site.db, serial)).toMatchObject({ picked_for: orderId }),
    };
  },
  "a missing serial that an order names": async (site) => {
    const { product_id, orderId } = await serialized(site);
    return {
      breaks: () => lose(site.db, serialLookup(product_id, "S-1")),
      leaves: [
        { record: `serial S-1 of product ${product_id}`, actual: "not there", expected: `order ${orderId}` },
      ],
    };
  },
  "a product with serials and without a mark": async (site) => {
    const { sku, product_id } = site.product();
    await create(site, createSerials, { sku, serials: ["S-1"] });
    const mark = serialMarkLookup(product_id);
    return {
      breaks: () => lose(site.db, mark),
      finds: [
        { record: `product ${product_id}`, what: "the mark of a product with serials", actual: "not there" },
      ],
      assess: async () => expect(await getItem(site.db, mark)).toMatchObject({ product_id }),
    };
  },
  "a return that its order does not record": async (site) => {
    const { sku, product_id } = site.goods();
    const { order_id } = await shippedOrder(site, [{ sku, quantity: 3 }]);
    const before = await getItem(site.db, orderLookup(order_id));
    await announceReturn(site, order_id, [{ sku, quantity: 2 }]);
    return {
      breaks: () => invent(site.db, orderLookup(order_id), { ...before }),
      finds: [
        {
          record: `order ${order_id}`,
          what: `returned units of product ${product_id}`,
          actual: 0,
          expected: 2,
        },
      ],
      assess: async () => {
        const order = (await orders.find(site.db, anyOwner, order_id))?.record;
        expect(order?.items).toMatchObject([{ quantity: 3, returned: 2 }]);
      },
    };
  },
  "returned units of an order that no return announces": async (site) => {
    const { sku, product_id } = site.goods();
    const { order_id } = await shippedOrder(site, [{ sku, quantity: 3 }]);
    const { return_id } = await announceReturn(site, order_id, [{ sku, quantity: 1 }]);
    return {
      breaks: () => lose(site.db, { table: returnList.table, key: recordKey(returnList, return_id) }),
      finds: [{ record: expect.stringMatching(/^list return, block \d+ of \d+$/), what: "counter" }],
      leaves: [
        { record: expect.stringMatching(`^entry returned-order \\d+ ${order_id} `) },
        {
          record: `order ${order_id}`,
          what: `returned units of product ${product_id}`,
          actual: 1,
          expected: 0,
        },
      ],
      assess: async () => {
        const order = (await orders.find(site.db, anyOwner, order_id))?.record;
        expect(order?.items).toMatchObject([{ quantity: 3, returned: 1 }]);
      },
    };
  },
};
