/**
 * The lookup items that find the records of each list, and the records that they refer to. `data verify`
 * compares them with what is stored.
 */

import { attributeEntries, attributes, ownerOf } from "../attributes/attribute-repository.ts";
import { aliasEntries, aliases } from "../catalog/aliases/alias-repository.ts";
import {
  productEntries,
  productEntryKeys,
  productLookup,
  productSkus,
  products,
} from "../catalog/products/product-repository.ts";
import { synsetEntries, synsets } from "../catalog/synsets/synset-repository.ts";
import {
  replenishmentEntries,
  replenishments,
  returnEntries,
  returns,
} from "../inbound/inbound-repository.ts";
import type { OrderReturn } from "../inbound/returns/return.ts";
import type { Order } from "../orders/order.ts";
import { orderEntries, orderLookup, orders } from "../orders/storage/order-repository.ts";
import { manufactureEntries, manufactureOrders } from "../registries/manufacture/manufacture-repository.ts";
import {
  type DistributionCenter,
  defaultDistributionCenter,
  distributionCenterLookup,
  distributionCenters,
} from "../registries/registry-repository.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined, type Key } from "../store/dynamodb/keys.ts";
import type { Lookup, RawItem } from "../store/dynamodb/reads.ts";
import { type Insert, keyOf, type Write } from "../store/dynamodb/writes.ts";
import type { BlockList } from "../store/lists/definitions.ts";
import type { FacetKey } from "../store/lists/facets.ts";
import type { Records } from "../store/lists/records.ts";
import type { TableName } from "../store/tables.ts";

/** Distribution centers by code. The lookup items of a product contain the id of its center. */
export type Centers = ReadonlyMap<string, DistributionCenter>;

export const readCenters = async (db: Database): Promise<Centers> =>
  new Map((await distributionCenters(db)).map((center) => [center.code, center] as const));

/**
 * Lookup items of one kind: the prefix of their partitions, and the attribute with the id of their record.
 */
export interface LookupPlace {
  readonly table: TableName;
  /** Joined with the account, except for `sku-owners`, which all accounts share. */
  readonly partition: string;
  readonly idAttribute: string;
}

/** What a record implies for lookups and references. */
export interface RecordFacts {
  /** Such as `order 1000`. */
  readonly title: string;
  readonly owner: string;
  /** The facet key that it should have. Its item may have another. */
  readonly facetKey: FacetKey;
  /** Set if the record is an order, or a return. */
  readonly order?: Order;
  readonly orderReturn?: OrderReturn;
  /** The lookup items that find it; none if their content is not known. */
  readonly lookups: readonly Insert[];
  /** The keys of its lookup items, also if their content is not known. */
  readonly lookupKeys: readonly Key[];
  /** By the record's title. */
  readonly refersTo: ReadonlyMap<string, Lookup>;
}

export interface LookupKind {
  readonly list: BlockList;
  readonly places: readonly LookupPlace[];
  /** @throws if the item is unreadable */
  readonly read: (item: RawItem, centers: Centers) => RecordFacts;
}

/** The lookup items among the writes of an insert. */
function foundBy(writes: readonly Write[]): Pick<RecordFacts, "lookups" | "lookupKeys"> {
  const lookups = writes.filter((write) => write.kind === "insert");
  return { lookups, lookupKeys: lookups.map(keyOf) };
}

const placeOf = <T>(
  { ownerOf, facetKeyOf }: Pick<Records<T>, "ownerOf" | "facetKeyOf">,
  record: T,
): Pick<RecordFacts, "owner" | "facetKey"> => ({ owner: ownerOf(record), facetKey: facetKeyOf(record) });

type ProductReference = { readonly product_id: number };

const productsIn = (items: readonly ProductReference[]): ReadonlyMap<string, Lookup> =>
  new Map(items.map(({ product_id }) => [`product ${product_id}`, productLookup(product_id)]));

const nothing: ReadonlyMap<string, Lookup> = new Map();

const inLookupIndex = (partition: string): LookupPlace => ({
  table: "directory",
  partition,
  idAttribute: "id",
});
const inInventory = (partition: string, idAttribute: string): LookupPlace => ({
  table: "inventory",
  partition,
  idAttribute,
});

const names = "name";

/** All lists with lookup items. */
export const lookupKinds: readonly LookupKind[] = [
  {
    list: orders.list,
    places: [inLookupIndex("order-number"), inLookupIndex("order-reference")],
    read: (item) => {
      const order = orders.parse(item);
      return {
        title: `order ${order.order_id}`,
        ...placeOf(orders, order),
        order,
        ...foundBy(orderEntries(order)),
        refersTo: productsIn(order.items),
      };
    },
  },
  {
    list: products.list,
    places: [
      inInventory(names, "product_id"),
      inInventory("sku-owners", "product_id"),
      inLookupIndex(productSkus.kind),
    ],
    read: (item, centers) => {
      const product = products.parse(item);
      const named = {
        title: `product ${product.product_id} (${product.sku})`,
        ...placeOf(products, product),
      };
      const code = product.distribution_center ?? defaultDistributionCenter;
      const center = centers.get(code);
      if (center !== undefined)
        return { ...named, ...foundBy(productEntries(product, center)), refersTo: nothing };
      const refersTo = new Map([[`distribution center ${code}`, distributionCenterLookup(code)]]);
      return { ...named, lookups: [], lookupKeys: productEntryKeys(product), refersTo };
    },
  },
  {
    list: synsets.list,
    places: [inInventory(names, "synset_id")],
    read: (item) => {
      const synset = synsets.parse(item);
      return {
        title: `synset ${synset.synset_id} (${synset.synset})`,
        ...placeOf(synsets, synset),
        ...foundBy(synsetEntries(synset)),
        refersTo: nothing,
      };
    },
  },
  {
    list: aliases.list,
    places: [inInventory("alias-text", "alias_id"), inLookupIndex("alias-sku")],
    read: (item) => {
      const alias = aliases.parse(item);
      return {
        title: `alias ${alias.alias_id} (${alias.alias})`,
        ...placeOf(aliases, alias),
        ...foundBy(aliasEntries(alias)),
        refersTo: productsIn([alias]),
      };
    },
  },
  {
    list: replenishments.list,
    places: [inLookupIndex("replenishment-reference")],
    read: (item) => {
      const replenishment = replenishments.parse(item);
      return {
        title: `replenishment ${replenishment.replenishment_id}`,
        ...placeOf(replenishments, replenishment),
        ...foundBy(replenishmentEntries(replenishment)),
        refersTo: productsIn(replenishment.items),
      };
    },
  },
  {
    list: returns.list,
    places: [inLookupIndex("returned-order")],
    read: (item) => {
      const one = returns.parse(item);
      return {
        title: `return ${one.return_id}`,
        ...placeOf(returns, one),
        orderReturn: one,
        ...foundBy(returnEntries(one)),
        refersTo: new Map([
          ...productsIn(one.items),
          [`order ${one.order_id}`, orderLookup(one.order_id)] as const,
        ]),
      };
    },
  },
  {
    list: manufactureOrders.list,
    places: [inInventory("manufacture-number", "manufacture_id")],
    read: (item) => {
      const order = manufactureOrders.parse(item);
      return {
        title: `manufacture order ${order.manufacture_id}`,
        ...placeOf(manufactureOrders, order),
        ...foundBy(manufactureEntries(order)),
        refersTo: productsIn([order]),
      };
    },
  },
  {
    list: attributes.list,
    places: [inInventory("attribute-name", "attribute_id")],
    read: (item) => {
      const attribute = attributes.parse(item);
      return {
        title: `attribute ${attribute.attribute_id} (${attribute.attribute})`,
        ...placeOf(attributes, attribute),
        ...foundBy(attributeEntries(attribute)),
        refersTo: ownerOf(attribute),
      };
    },
  },
];

/** The prefix of the partitions of a kind of lookup items. */
export const prefixOf = ({ partition }: LookupPlace): string => joined(partition, "");
