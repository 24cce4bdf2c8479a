/** Damages to stock, and to the records that determine it. */

import { expect } from "vitest";
import { endpoint as createHolds } from "../../../functions/oms/inventory/holds/create-holds.ts";
import { putEntries } from "../../../infra/operator/set-up/registry.ts";
import { productLookup } from "../../../shared/catalog/products/product-repository.ts";
import { jobLookup } from "../../../shared/jobs/job-repository.ts";
import { orderLookup, orderNumbers } from "../../../shared/orders/storage/order-repository.ts";
import { pickedCountKey } from "../../../shared/orders/storage/picked-orders.ts";
import { binContentLookup } from "../../../shared/stock/bins/bin-repository.ts";
import { weekCounter } from "../../../shared/stock/movements/movement-repository.ts";
import { stockLookup } from "../../../shared/stock/stock-repository.ts";
import { getItem, type Lookup, type RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { goodsOf } from "../business/stockpile.ts";
import {
  announceReplenishment,
  claimedOrder,
  newProduct,
  newStore,
  pendingOrder,
  pickedOrder,
  pickFrom,
  pickItems,
  shelf,
} from "../business/world.ts";
import { numberAt } from "../http/client.ts";
import { create } from "../records/flows.ts";
import { recountOf, unique } from "../records/records.ts";
import type { Service } from "../runtime/service.ts";
import { itemsOf } from "../store/scan.ts";
import { type Damage, damage, invent, lose, type Site } from "./damage.ts";

const stockIn = (productId: number) => stockLookup(productId, 1);

interface Product {
  readonly product_id: number;
  readonly sku: string;
}

const titleOf = ({ product_id, sku }: Product): string => `product ${product_id} (${sku})`;

const inStock = (product: Product, what: string, actual: number, expected: number) => ({
  record: `stock of ${titleOf(product)} in MAIN`,
  what,
  actual,
  expected,
});

export const damagesOfStock: Readonly<Record<string, (site: Site) => Promise<Damage>>> = {
  "a stock record with too many units on hand": async (site) => {
    const product = site.goods();
    return {
      breaks: () => damage(site.db, stockIn(product.product_id), { on_hand: 3 }),
      finds: [inStock(product, "on_hand", 13, 10)],
    };
  },
  "a reservation without an order": async (site) => {
    const product = site.goods();
    await pendingOrder(site, [{ sku: product.sku, quantity: 4 }]);
    return {
      breaks: () => damage(site.db, stockIn(product.product_id), { reserved: 5 }),
      finds: [inStock(product, "reserved", 9, 4)],
    };
  },
  "held units without a hold": async (site) => {
    const product = site.goods();
    const held = { sku: product.sku, quantity: 2, expires_in: 86_400 };
    await create(site, createHolds, held);
    return {
      breaks: () => damage(site.db, stockIn(product.product_id), { held: 3 }),
      finds: [inStock(product, "held", 5, 2)],
    };
  },
  "incoming units that differ from the replenishments": async (site) => {
    const product = site.product();
    await announceReplenishment(site, [{ sku: product.sku, quantity: 6 }]);
    return {
      breaks: () => damage(site.db, stockIn(product.product_id), { incoming: -2 }),
      finds: [inStock(product, "incoming", 4, 6)],
    };
  },
  "a missing shard of stock": async (site) => {
    const product = site.goods();
    const { table, key } = stockIn(product.product_id);
    await damage(site.db, { table, key }, { on_hand: -4 }, { slots: 8 });
    const shard = { table, key: { pk: key.pk, sk: `${key.sk}#slot#3` } };
    await invent(site.db, shard, { on_hand: 4 });
    return { breaks: () => lose(site.db, shard), finds: [inStock(product, "on_hand", 6, 10)] };
  },
  "a missing movement": async (site) => {
    const product = site.goods();
    const movement = await movementOf(site, product.product_id);
    return {
      breaks: () => lose(site.db, movement),
      finds: [
        inStock(product, "movements of on_hand", 0, 10),
        {
          record: inStock(product, "", 0, 0).record,
          what: expect.stringMatching(/^count of the movements of week \d+$/),
          actual: 1,
          expected: 0,
        },
      ],
    };
  },
  "a movement with wrong running totals": async (site) => {
    const { product_id } = site.goods();
    const movement = await movementOf(site, product_id);
    const totals = (on_hand: number) => ({ week: { 1: { count: 1, on_hand, reserved: 0 } }, earlier: {} });
    return {
      breaks: () => damage(site.db, movement, {}, { totals: totals(11) }),
      finds: [
        {
          record: `running totals of product ${product_id}`,
          what: "movements whose totals are not those of the movements up to them",
          actual: 1,
          expected: 0,
        },
      ],
      assess: async () => expect(await getItem(site.db, movement)).toMatchObject({ totals: totals(10) }),
    };
  },
  "a bin with too few goods": async (site) => {
    const product = site.goods();
    return {
      breaks: () => damage(site.db, binContentLookup(product.product_id, "A1", "03"), { quantity: -1 }),
      leaves: [
        inStock(product, "on_hand", 10, 9),
        inStock(product, "movements of on_hand", 10, 9),
        { record: `bin A1/03 of ${titleOf(product)}`, what: "expected", actual: 10, expected: 9 },
      ],
      assess: async () =>
        expect(await getItem(site.db, stockIn(product.product_id))).toMatchObject({ on_hand: 10 }),
    };
  },
  "a missing bin": async (site) => {
    const product = await goodsOf(site, 41);
    return {
      breaks: () => lose(site.db, binContentLookup(product.product_id, "A1", "03")),
      finds: [{ record: expect.stringMatching(/^list bin-content, block \d+ of \d+$/), what: "counter" }],
      leaves: [inStock(product, "on_hand", 41, 0), inStock(product, "movements of on_hand", 41, 0)],
      assess: async () =>
        expect(await getItem(site.db, stockIn(product.product_id))).toMatchObject({ on_hand: 41 }),
    };
  },
  "a missing order": async (site) => {
    const store = await storeWithMethod(site);
    const product = await goodsOf(store, 10);
    const number = unique("GONE");
    const orderId = await pendingOrder(store, [{ sku: product.sku, quantity: 4 }], { order_number: number });
    return {
      breaks: () => lose(site.db, orderLookup(orderId)),
      finds: [
        { record: expect.stringMatching(`^list order, block \\d+ of ${store.accountId}$`), what: "counter" },
      ],
      leaves: [
        {
          record: `entry order-number ${store.accountId} ${number}`,
          actual: "of a record that is not there",
        },
        { record: `order ${orderId}`, what: `the order, which reserves 4 units of ${titleOf(product)}` },
        inStock(product, "reserved", 4, 0),
        inStock(product, "movements of reserved", 4, 0),
      ],
      assess: async () => {
        const entry = await getItem(site.db, orderNumbers.lookup(store.accountId, number));
        expect(entry).toMatchObject({ id: orderId });
        await expectReserved(site, product, 4);
      },
    };
  },
  "a missing order whose goods are picked": async (site) => {
    const store = await storeWithMethod(site);
    const product = await goodsOf(store, 10);
    const orderId = await claimedOrder(store, [{ sku: product.sku, quantity: 4 }]);
    await pickItems(store, orderId, pickFrom(product.sku, 3));
    return {
      breaks: () => lose(site.db, orderLookup(orderId)),
      finds: [
        { record: expect.stringMatching(`^list order, block \\d+ of ${store.accountId}$`), what: "counter" },
      ],
      leaves: [
        { record: expect.stringMatching(`^entry order-number ${store.accountId} `) },
        { record: `order ${orderId}`, what: `the order, which reserves 4 units of ${titleOf(product)}` },
        inStock(product, "on_hand", 10, 7),
        inStock(product, "movements of on_hand", 10, 7),
        inStock(product, "reserved", 4, 0),
        inStock(product, "movements of reserved", 4, 0),
      ],
      assess: () => expectReserved(site, product, 4),
    };
  },
  "incoming units that no replenishment announces": async (site) => {
    const product = site.product();
    return {
      breaks: () => damage(site.db, stockIn(product.product_id), { incoming: 3 }),
      leaves: [inStock(product, "incoming", 3, 0)],
    };
  },
  "a bin with a negative quantity": async (site) => {
    const product = site.goods();
    return {
      breaks: async () => {
        await damage(site.db, binContentLookup(product.product_id, "A1", "03"), {
          quantity: -11,
          expected: -11,
        });
        await damage(site.db, stockIn(product.product_id), { on_hand: -11 });
      },
      finds: [inStock(product, "movements of on_hand", 10, -1)],
      leaves: [
        { record: `bin A1/03 of ${titleOf(product)}`, what: "quantity", actual: -1, expected: "0 or more" },
        {
          record: `bin A1/03 of ${titleOf(product)}`,
          what: "units of known lots and days",
          expected: "at most -1",
        },
      ],
    };
  },
  "a missing stock record": async (site) => {
    const product = await newProduct({ ...site, ...(await newStore(site)) });
    return {
      breaks: () => lose(site.db, stockIn(product.product_id)),
      finds: [{ record: expect.stringMatching(/^list stock, block \d+ of \d{4,}$/), what: "counter" }],
      leaves: [{ record: titleOf(product), what: "its stock record", actual: "not there" }],
    };
  },
  "stock of a missing product": async (site) => {
    const product = await newProduct({ ...site, ...(await newStore(site)) });
    return {
      breaks: () => lose(site.db, productLookup(product.product_id)),
      finds: [{ record: expect.stringMatching(/^list product, block \d+ of \d{4,}$/), what: "counter" }],
      leaves: [
        { record: expect.stringMatching(`^entry name \\d+#${product.sku} `) },
        { record: expect.stringMatching(`^entry sku-owners ${product.sku} `) },
        { record: expect.stringMatching(`^entry product-sku \\d+ ${product.sku}$`) },
        { record: `stock of ${titleOf(product)}`, what: "its product", actual: "not there" },
      ],
    };
  },
  "an unreadable movement": async (site) => {
    const product = site.goods();
    const lookup = {
      table: "inventory",
      key: { pk: `movement#${product.product_id}#2000`, sk: "torn" },
    } as const;
    return {
      breaks: async () => {
        await invent(site.db, lookup, { on_hand: "many" });
        await damage(site.db, stockIn(product.product_id), { [weekCounter(2000)]: 1, reserved: 5 });
      },
      leaves: [{ record: titleOf(product), what: `the item ${lookup.key.pk} torn` }],
      assess: () => expectReserved(site, product, 5),
    };
  },
  "a movement whose partition is of another product": async (site) => {
    const [product, other] = [site.goods(), site.product()];
    const movement = await movementOf(site, product.product_id);
    const { key } = movement;
    return {
      breaks: () => damage(site.db, movement, {}, { product_id: other.product_id }),
      leaves: [{ record: titleOf(product), what: `the item ${key.pk} ${key.sk}` }],
    };
  },
  "an unreadable order": async (site) => {
    const store = await storeWithMethod(site);
    const product = await goodsOf(store, 10);
    const [other, short, unbooked] = [
      await goodsOf(store, 10),
      await goodsOf(store, 10),
      await goodsOf(store, 10),
    ];
    const lookup = orderLookup(await pendingOrder(store, [{ sku: product.sku, quantity: 4 }]));
    await announceReplenishment(store, [{ sku: other.sku, quantity: 6 }]);
    await pendingOrder(store, [{ sku: short.sku, quantity: 2 }]);
    const shortMovement = (await movementsOf(site, short.product_id)).find(({ reserved }) => reserved === 2);
    return {
      breaks: async () => {
        await damage(site.db, lookup, {}, { content: "torn" });
        await damage(site.db, stockIn(other.product_id), { incoming: -2 });
        await damage(site.db, stockIn(unbooked.product_id), { reserved: 5 });
        await damage(site.db, stockIn(short.product_id), { reserved: -1 });
        await damage(site.db, keyOfMovement(shortMovement), { reserved: -1 });
      },
      finds: [inStock(other, "incoming", 4, 6)],
      leaves: [
        { what: `the item ${lookup.key.pk} ${lookup.key.sk}`, actual: "unreadable" },
        {
          record: inStock(unbooked, "", 0, 0).record,
          what: "reserved",
          actual: 5,
          expected: "0, as its movements",
        },
        { record: inStock(short, "", 0, 0).record, what: "reserved", actual: 1, expected: "2 or more" },
      ],
      hides: [
        `stock of ${titleOf(product)}`,
        `list order, block ${lookup.key.pk.split("#")[1]} of ${store.accountId}`,
      ],
      assess: () => expectReserved(site, product, 4),
    };
  },
  "an unreadable bin": async (site) => {
    const store = await storeWithMethod(site);
    const product = await goodsOf(store, 10);
    const other = await goodsOf(store, 10);
    const { table, key } = binContentLookup(product.product_id, "A1", "03");
    return {
      breaks: async () => {
        await damage(site.db, { table, key }, {}, { quantity: "torn" });
        await damage(site.db, stockIn(product.product_id), { reserved: 5 });
        await damage(site.db, stockIn(other.product_id), { reserved: 5 });
      },
      finds: [inStock(other, "reserved", 5, 0)],
      leaves: [{ record: `list bin-content of ${store.accountId}`, what: `the item ${key.pk} ${key.sk}` }],
      hides: [
        `stock of ${titleOf(product)}`,
        `list bin-content, block ${key.pk.split("#")[1]} of ${store.accountId}`,
      ],
      assess: () => expectReserved(site, product, 5),
    };
  },
  "a count of picked orders that is too high": async (site) => {
    const product = site.goods();
    const orderId = await pickedOrder(site, [{ sku: product.sku, quantity: 1 }]);
    const key = pickedCountKey(orderId);
    return {
      breaks: () => damage(site.db, { table: "orders", key }, { orders: 2 }),
      leaves: [{ record: `count of picked orders ${key.pk} ${Number(key.sk)}`, what: "picked orders" }],
    };
  },
  "a pending correction without its job": async (site) => {
    const product = site.goods();
    const body = recountOf(product.sku, [{ ...shelf, qty_in_bin: 12 }], { account_id: site.accountId });
    const { body: answer } = await site.wms.post("/recount", body);
    const jobId = numberAt(answer, "result.0.correction_id");
    return {
      breaks: () => lose(site.db, jobLookup(jobId)),
      leaves: [
        {
          record: `bin A1/03 of ${titleOf(product)}`,
          what: `the job ${jobId}, whose correction it waits for`,
          actual: "not there",
        },
      ],
    };
  },
};

/** Asserts the reserved units of a product. */
export async function expectReserved({ db }: Service, product: Product, units: number): Promise<void> {
  expect(await getItem(db, stockIn(product.product_id))).toMatchObject({ reserved: units });
}

/** A new account that can order. */
export async function storeWithMethod(service: Service): Promise<Service> {
  const store = { ...service, ...(await newStore(service)) };
  await putEntries(store.db, store.accountId, { shippingMethods: ["GROUND"] });
  return store;
}

const movementsOf = async ({ db }: Service, productId: number): Promise<readonly RawItem[]> =>
  (await itemsOf(db, "inventory")).filter(({ pk }) => String(pk).startsWith(`movement#${productId}#`));

function keyOfMovement(movement: RawItem | undefined): Lookup {
  if (movement === undefined) throw new Error("the product has no such movement");
  return { table: "inventory", key: { pk: String(movement["pk"]), sk: String(movement["sk"]) } };
}

/** The only movement of a product. */
export async function movementOf(service: Service, productId: number): Promise<Lookup> {
  const [movement] = await movementsOf(service, productId);
  return keyOfMovement(movement);
}
