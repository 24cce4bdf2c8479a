import type { Synset } from "../domain/catalog/synset.ts";
import type { OrderInput } from "../domain/orders/order-input.ts";
import type { ItemReferences } from "../domain/orders/order-items.ts";
import type { Component } from "../domain/orders/order-kits.ts";
import { type OrderReferences, storeOf, type Taken } from "../domain/orders/order-references.ts";
import type { Database } from "../store/database.ts";
import { getItems, type Lookup } from "../store/reads.ts";
import { aliasEntry, aliasEntryLookup } from "./aliases.ts";
import { orderNumberLookup, orderPointer } from "./orders.ts";
import { findSkus, type SkuEntry, skuEntry, skuLookup } from "./products.ts";
import { parsed, shippingMethodLookup, store, storeLookup, storeNameLookup } from "./registries.ts";
import { synsetEntry, synsetEntryLookup } from "./synsets.ts";

/**
 * Everything that the orders of one call refer to, and the order numbers that are taken: one round trip, and two more
 * where lines name something else than products.
 */
export async function readOrderReferences(
  db: Database,
  accountId: number,
  orders: readonly OrderInput[],
): Promise<OrderReferences & Taken> {
  const find = await getItems(
    db,
    orders.flatMap((order) => referencesOf(accountId, order)),
  );
  const storeAt = (lookup: Lookup) => {
    const found = parsed(store, find(lookup));
    return found === undefined ? undefined : { id: found.store_id, name: found.name };
  };
  const product = (sku: string) => parsed(skuEntry, find(skuLookup(accountId, sku)));
  const storeNamed = (name: string) => (name === "" ? undefined : storeAt(storeNameLookup(accountId, name)));
  const storeWithId = (id: number) => storeAt(storeLookup(accountId, id));
  const others = orders.flatMap((order) => {
    const channelId = storeOf(order.cart, { storeNamed, storeWithId })?.id;
    return namesIn(order).flatMap((sku) => (product(sku) === undefined ? [{ sku, channelId }] : []));
  });
  return {
    hasShippingMethod: (code) => find(shippingMethodLookup(accountId, code)) !== undefined,
    storeNamed,
    storeWithId,
    holderOf: (number) => parsed(orderPointer, find(orderNumberLookup(accountId, number)))?.order_id,
    product,
    ...(await readNamed(db, accountId, others)),
  };
}

/** The names that an order's items and kits have, each once. */
const namesIn = ({ items, kits = [] }: OrderInput): readonly string[] => [
  ...new Set([
    ...items.flatMap(({ sku, ordered_as = sku }) => [sku, ordered_as]),
    ...kits.map(({ synset }) => synset),
  ]),
];

function referencesOf(accountId: number, { cart, ...order }: OrderInput): readonly Lookup[] {
  return [
    orderNumberLookup(accountId, order.order_number),
    shippingMethodLookup(accountId, order.shipping_method),
    ...(cart?.store_name ? [storeNameLookup(accountId, cart.store_name)] : []),
    ...(cart?.id === undefined ? [] : [storeLookup(accountId, cart.id)]),
    ...order.items.map(({ sku }) => skuLookup(accountId, sku)),
  ];
}

/** Lines that name no product: the aliases and kits that they may name, and what those stand for now. */
async function readNamed(
  db: Database,
  accountId: number,
  lines: readonly { readonly sku: string; readonly channelId: number | undefined }[],
): Promise<Pick<ItemReferences, "alias" | "kit">> {
  if (lines.length === 0) return { alias: () => undefined, kit: () => undefined };
  const find = await getItems(
    db,
    lines.flatMap(({ sku, channelId }) => [
      ...(channelId === undefined ? [] : [aliasEntryLookup(accountId, channelId, sku)]),
      synsetEntryLookup(accountId, sku),
    ]),
  );
  const targetOf = (channelId: number, alias: string) =>
    parsed(aliasEntry, find(aliasEntryLookup(accountId, channelId, alias)))?.sku;
  const kits = [...new Set(lines.map(({ sku }) => sku))].flatMap((name) => {
    const entry = parsed(synsetEntry, find(synsetEntryLookup(accountId, name)));
    return entry === undefined ? [] : [{ name, items: entry.items }];
  });
  const targets = lines.flatMap(({ sku, channelId }) => {
    const target = channelId === undefined ? undefined : targetOf(channelId, sku);
    return target === undefined ? [] : [target];
  });
  const parts = kits.flatMap(({ items }) => items.map(({ sku }) => sku));
  const products = await findSkus(db, accountId, [...new Set([...targets, ...parts])]);
  const components = new Map(kits.map(({ name, items }) => [name, items.map(componentIn(products))]));
  return {
    alias: (channelId, alias) => {
      const target = targetOf(channelId, alias);
      return target === undefined ? undefined : products.get(target);
    },
    kit: (name) => components.get(name),
  };
}

/** Products are never removed, so a kit without one of its components would be a fault of the service. */
const componentIn =
  (products: ReadonlyMap<string, SkuEntry>) =>
  ({ sku, quantity }: Synset["items"][number]): Component => {
    const product = products.get(sku);
    if (product === undefined) throw new Error(`the component ${sku} is no product`);
    return { ...product, quantity };
  };
