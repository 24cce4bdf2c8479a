/** What orders refer to: reads it, and resolves the orders that clients send. */
import { findAliased } from "../catalog/aliases/alias-names.ts";
import { findSkus, nameLookup, type SkuEntry, skuIn, synsetIn } from "../catalog/name-repository.ts";
import type { Synset } from "../catalog/synsets/synset.ts";
import { hiddenName } from "../common/fields.ts";
import { definedValues } from "../common/maps.ts";
import { type Placed, resolveEach } from "../common/placed.ts";
import { alreadyExists, duplicatePositions, type FieldError } from "../common/problem.ts";
import { jsonBytes } from "../common/strings.ts";
import { type Registered, registryErrors } from "../registries/registry.ts";
import {
  type Reference,
  readRegistered,
  referenceLookups,
  registryReadAccess,
  storeEntry,
  storeLookup,
  storeNameLookup,
} from "../registries/registry-repository.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { getItems, type Lookup, parsed } from "../store/dynamodb/reads.ts";
import { type Customer, maxTermsBytes, type Order, type OrderTerms } from "./order.ts";
import type { OrderInput } from "./order-input.ts";
import { type ItemReferences, resolveItems } from "./order-items.ts";
import type { Component } from "./order-kits.ts";
import { orderNumbers } from "./storage/order-repository.ts";

/** The access of a function that reads what orders refer to. */
export const orderReferenceAccess = registryReadAccess("shippingMethods", "stores", "storeNames");

export interface OrderReferences extends ItemReferences {
  readonly registered: Registered;
  /** The store that a cart names, by its exact name, else by its id. The store is the order's channel. */
  readonly storeOf: (cart: OrderInput["cart"]) => OrderTerms["store"] | undefined;
  /** The id of the order that has this number, or is being given it. */
  readonly holderOf: (orderNumber: string) => number | undefined;
}

/**
 * Reads everything that the orders of one call refer to, and the order numbers that are taken: one round
 * trip, and at most two more if lines name anything but products, or a reference is unknown.
 */
export async function readOrderReferences(
  db: Database,
  accountId: number,
  orders: readonly OrderInput[],
): Promise<OrderReferences> {
  const methods = orders.map(({ shipping_method }): Reference => ["shipping_method", shipping_method]);
  const carts = orders.flatMap(({ cart }) => storesIn(cart));
  const find = await getItems(db, [
    ...referenceLookups(accountId, [...methods, ...carts]),
    ...orders.map(({ order_number }) => orderNumbers.lookup(accountId, order_number)),
    ...orders.flatMap((order) => namesOf(order).map((name) => nameLookup(accountId, name))),
  ]);
  const storeAt = (lookup: Lookup) => {
    const found = parsed(storeEntry, find(lookup));
    return found === undefined ? undefined : { id: found.store_id, name: found.name };
  };
  const product = (sku: string) => skuIn(find(nameLookup(accountId, sku)));
  const storeOf = ({ store_name, id }: NonNullable<OrderInput["cart"]> = {}) =>
    (store_name === undefined ? undefined : storeAt(storeNameLookup(accountId, store_name))) ??
    (id === undefined ? undefined : storeAt(storeLookup(accountId, id)));
  const others = orders.flatMap((order) => {
    const channel_id = storeOf(order.cart)?.id ?? null;
    return namesOf(order).flatMap((alias) => (product(alias) === undefined ? [{ alias, channel_id }] : []));
  });
  const kits = definedValues(
    others.map(({ alias }) => alias),
    (name) => synsetIn(find(nameLookup(accountId, name))),
  );
  const unknownStores = orders.flatMap(({ cart }) => (storeOf(cart) === undefined ? storesIn(cart) : []));
  const skus = new Set([...kits.values()].flatMap(({ items }) => items.map(({ sku }) => sku)));
  const [aliased, components, registered] = await Promise.all([
    findAliased(db, accountId, others),
    findSkus(db, accountId, [...skus]),
    readRegistered(db, accountId, [...methods, ...unknownStores], find),
  ]);
  return {
    registered,
    storeOf,
    holderOf: (number) => orderNumbers.holderIn(find(orderNumbers.lookup(accountId, number))),
    product,
    alias: (channel_id, alias) => aliased({ alias, channel_id }),
    kit: (synset) => kits.get(synset)?.items.map(componentAmong(components)),
  };
}

/** The names that an order's items and kits have, each once. */
const namesOf = ({ items, kits = [] }: OrderInput): readonly string[] => [
  ...new Set([
    ...items.flatMap(({ sku, ordered_as = sku }) => [sku, ordered_as]),
    ...kits.map(({ synset }) => synset),
  ]),
];

const storesIn = ({ store_name, id }: NonNullable<OrderInput["cart"]> = {}): readonly Reference[] => [
  ["store_name", store_name],
  ["store_id", id],
];

/** Products are never removed, so a kit without one of its components would be a fault of the service. */
const componentAmong =
  (products: ReadonlyMap<string, SkuEntry>) =>
  ({ sku, quantity }: Synset["items"][number]): Component => {
    const product = products.get(sku);
    if (product === undefined) throw new Error(`the component ${sku} is no product`);
    return { ...product, quantity };
  };

const defaultOrderType = 1;

/**
 * Finds everything that an order refers to (docs/decisions.md, What an order refers to). Each reference that
 * names nothing is added to `errors`, and the order has no terms then. `path` is where the order is in the
 * request (`data.0`). If an order is being replaced, `before` is that order.
 */
export function resolveTerms(
  { cart, customer, if_short: _ifShort, ...input }: OrderInput,
  references: OrderReferences,
  path: string,
  errors: FieldError[],
  before: Order | undefined,
): OrderTerms | undefined {
  const { order_reference = null, order_type_id = defaultOrderType, shipping_method } = input;
  const { registered } = references;
  const ofOthers = errors.length;
  errors.push(...registryErrors("shipping_method", shipping_method, registered, `${path}.shipping_method`));
  const store = resolveStore(cart, references, `${path}.cart`, errors, before);
  const goods = resolveItems(input, { channel: store, before }, references, path, errors);
  const [first] = goods.items;
  if (errors.length > ofOthers || first === undefined) return undefined;
  // Every term is stated, also one that was not sent: a replacement clears it.
  const terms = {
    ...input,
    order_reference,
    order_type_id,
    store,
    warehouse_id: first.distribution_center_id,
    customer: resolveCustomer(customer),
    ...goods,
  } satisfies OrderTerms & Record<keyof OrderTerms, unknown>;
  if (jsonBytes(terms) <= maxTermsBytes) return terms;
  const message = `make the order larger than ${maxTermsBytes} bytes, including the components of kits`;
  errors.push({ path: `${path}.items`, message });
  return undefined;
}

/**
 * An order's store; null if its cart names none. Named by its id alone, the store of the order that is
 * replaced keeps the name that the order has. Adds to `errors` a name or an id that no store has.
 */
function resolveStore(
  cart: OrderInput["cart"],
  references: OrderReferences,
  path: string,
  errors: FieldError[],
  before: Order | undefined,
): OrderTerms["store"] {
  const found = references.storeOf(cart);
  const kept = before?.store;
  if (kept && kept.id === found?.id && cart?.store_name === undefined) return kept;
  if (found !== undefined) return found;
  errors.push(
    ...registryErrors("store_name", cart?.store_name, references.registered, `${path}.store_name`),
    ...registryErrors("store_id", cart?.id, references.registered, `${path}.id`),
  );
  return null;
}

const resolveCustomer = ({ lastname, email, phone, zip, ...required }: OrderInput["customer"]): Customer => ({
  ...required,
  lastname: lastname ?? null,
  email: email ?? null,
  phone: phone ?? null,
  zip: String(zip),
});

/** An order that a call sends, and the one that it replaces, if it replaces one. */
export interface SentOrder {
  readonly sent: OrderInput;
  readonly before?: Order;
}

/**
 * Adds the terms of all orders of a call.
 * @throws Problem `invalid` with everything that is wrong in any of them
 */
export function resolveOrders<S extends SentOrder>(
  orders: readonly Placed<S>[],
  references: OrderReferences,
): readonly Placed<S & { readonly terms: OrderTerms }>[] {
  const duplicates = duplicatePositions(orders.map(({ value }) => value.sent.order_number));
  return resolveEach(orders, (order, path, errors, position) => {
    const { sent, before } = order;
    const { order_number: number, order_reference: reference } = sent;
    const holder = references.holderOf(number);
    if (duplicates.has(position))
      errors.push({ path: `${path}.order_number`, message: `is in this call twice (${number})` });
    else if (holder !== undefined && holder !== before?.order_id)
      errors.push({ ...alreadyExists(number, `${path}.order_number`), order_id: holder });
    errors.push(
      ...hiddenName(`${path}.order_number`, number, before?.order_number),
      ...hiddenName(`${path}.order_reference`, reference, before?.order_reference),
    );
    const terms = resolveTerms(sent, references, path, errors, before);
    return terms && { ...order, terms };
  });
}
