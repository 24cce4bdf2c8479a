import { findAliased } from "../../catalog/aliases/alias-names.ts";
import {
  findSkus,
  nameLookup,
  type SkuEntry,
  type SynsetEntry,
  skuIn,
  synsetIn,
} from "../../catalog/name-repository.ts";
import type { Synset } from "../../catalog/synsets/synset.ts";
import type { Registry } from "../../registries/registry.ts";
import {
  readAccepted,
  reads,
  referencesTo,
  shippingMethods,
  store,
  storeLookup,
  storeNameLookup,
  unknownIn,
} from "../../registries/registry-repository.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { getItems, type Lookup, parsed } from "../../store/dynamodb/reads.ts";
import type { OrderInput } from "../order-input.ts";
import type { ItemReferences } from "../order-items.ts";
import type { Component } from "../order-kits.ts";
import { type OrderReferences, storeOf } from "../order-references.ts";
import { orderNumbers } from "./order-repository.ts";

/** What a function states that reads what orders refer to. */
export const orderReferenceAccess = reads("shippingMethods", "stores", "storeNames");

/**
 * Everything that the orders of one call refer to, and the order numbers that are taken: one round trip, and
 * at most two more if lines name anything but products, or a reference is unknown.
 */
export async function readOrderReferences(
  db: Database,
  accountId: number,
  orders: readonly OrderInput[],
): Promise<OrderReferences> {
  const find = await getItems(
    db,
    orders.flatMap((order) => referencesOf(accountId, order)),
  );
  const storeAt = (lookup: Lookup) => {
    const found = parsed(store, find(lookup));
    return found === undefined ? undefined : { id: found.store_id, name: found.name };
  };
  const product = (sku: string) => skuIn(find(nameLookup(accountId, sku)));
  const stores = {
    storeNamed: (name: string) => storeAt(storeNameLookup(accountId, name)),
    storeWithId: (id: number) => storeAt(storeLookup(accountId, id)),
  };
  const others = orders.flatMap((order) => {
    const channelId = storeOf(order.cart, stores)?.id ?? null;
    return namesIn(order).flatMap((name) => (product(name) === undefined ? [{ name, channelId }] : []));
  });
  const kits = new Map(
    others.flatMap(({ name }) => {
      const entry = synsetIn(find(nameLookup(accountId, name)));
      return entry === undefined ? [] : [[name, entry] as const];
    }),
  );
  const unknown = orders.flatMap(({ shipping_method, cart }) => [
    ...unknownIn(referencesTo.shippingMethod(accountId, shipping_method), find),
    ...(storeOf(cart, stores) === undefined ? storesIn(cart) : []),
  ]);
  const [aliased, kit, accepted] = await Promise.all([
    findAliased(db, accountId, others),
    readComponents(db, accountId, kits),
    readAccepted(db, accountId, unknown),
  ]);
  return {
    hasShippingMethod: (code) => find(shippingMethods.lookup(accountId, code)) !== undefined,
    ...stores,
    holderOf: (number) => orderNumbers.holderIn(find(orderNumbers.lookup(accountId, number))),
    product,
    alias: (channelId, name) => aliased({ name, channelId }),
    kit,
    accepted,
  };
}

/** The names that an order's items and kits have, each once. */
const namesIn = ({ items, kits = [] }: OrderInput): readonly string[] => [
  ...new Set([
    ...items.flatMap(({ sku, ordered_as = sku }) => [sku, ordered_as]),
    ...kits.map(({ synset }) => synset),
  ]),
];

/** The registries that a cart refers to. */
const storesIn = ({ store_name, id }: NonNullable<OrderInput["cart"]> = {}): readonly Registry[] => [
  ...(store_name === undefined ? [] : (["store_name"] as const)),
  ...(id === undefined ? [] : (["store_id"] as const)),
];

function referencesOf(accountId: number, order: OrderInput): readonly Lookup[] {
  const { cart } = order;
  return [
    orderNumbers.lookup(accountId, order.order_number),
    shippingMethods.lookup(accountId, order.shipping_method),
    ...(cart?.store_name === undefined ? [] : [storeNameLookup(accountId, cart.store_name)]),
    ...(cart?.id === undefined ? [] : [storeLookup(accountId, cart.id)]),
    ...namesIn(order).map((name) => nameLookup(accountId, name)),
  ];
}

/** The components of kits, by the names of the kits; one round trip if there are any. */
async function readComponents(
  db: Database,
  accountId: number,
  kits: ReadonlyMap<string, SynsetEntry>,
): Promise<ItemReferences["kit"]> {
  const skus = new Set([...kits.values()].flatMap(({ items }) => items.map(({ sku }) => sku)));
  const products = await findSkus(db, accountId, [...skus]);
  const components = new Map([...kits].map(([name, { items }]) => [name, items.map(componentIn(products))]));
  return (name) => components.get(name);
}

/** Products are never removed, so a kit without one of its components would be a fault of the service. */
const componentIn =
  (products: ReadonlyMap<string, SkuEntry>) =>
  ({ sku, quantity }: Synset["items"][number]): Component => {
    const product = products.get(sku);
    if (product === undefined) throw new Error(`the component ${sku} is no product`);
    return { ...product, quantity };
  };
