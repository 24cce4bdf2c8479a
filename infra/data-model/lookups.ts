/** The lookup items of each list's records, and the records to which these refer. */

import { attributeOwnerOf } from "../../shared/attribute-owners/get-attribute-owner.ts";
import { attributeEntries, attributes } from "../../shared/attributes/attribute-repository.ts";
import { aliases } from "../../shared/catalog/aliases/alias-repository.ts";
import type { Product } from "../../shared/catalog/products/product.ts";
import {
  productEntries,
  productEntryKeys,
  productLookup,
  productSkus,
  products,
} from "../../shared/catalog/products/product-repository.ts";
import { synsets } from "../../shared/catalog/synsets/synset-repository.ts";
import { replenishments, returns } from "../../shared/inbound/inbound-repository.ts";
import type { Replenishment } from "../../shared/inbound/replenishments/replenishment.ts";
import type { OrderReturn } from "../../shared/inbound/returns/return.ts";
import type { Order } from "../../shared/orders/order.ts";
import { orderLookup, orders } from "../../shared/orders/storage/order-repository.ts";
import { manufactureOrders } from "../../shared/registries/manufacture/manufacture-repository.ts";
import {
  type DistributionCenter,
  defaultDistributionCenter,
  distributionCenterLookup,
  distributionCenters,
} from "../../shared/registries/registry-repository.ts";
import type { Database } from "../../shared/store/dynamodb/database.ts";
import { joined, type Key } from "../../shared/store/dynamodb/keys.ts";
import type { Lookup, RawItem } from "../../shared/store/dynamodb/reads.ts";
import { type Insert, keyOf, type Write } from "../../shared/store/dynamodb/writes.ts";
import type { BlockList } from "../../shared/store/lists/block-list.ts";
import type { FacetKey } from "../../shared/store/lists/facets.ts";
import type { Records } from "../../shared/store/lists/repository.ts";
import type { TableName } from "../../shared/store/tables.ts";

/** Distribution centers by code. The lookup items of a product contain the id of its center. */
export type Centers = ReadonlyMap<string, DistributionCenter>;

export const readCenters = async (db: Database): Promise<Centers> =>
  new Map((await distributionCenters(db)).map((center) => [center.code, center] as const));

/**
 * Lookup items of a kind: the prefix of their partitions, and the attribute that holds the id of their
 * record.
 */
export interface LookupPartition {
  readonly table: TableName;
  /** Joined with the account, except for `sku-owners`, which all accounts share. */
  readonly partition: string;
  readonly idAttribute: string;
}

export interface RecordFacts {
  /** For example `order 1000`. */
  readonly title: string;
  readonly owner: string;
  /** The facet key that it should have. The stored item may have another. */
  readonly facetKey: FacetKey;
  /** Set if the record is an order, a return or a replenishment. */
  readonly order?: Order;
  readonly orderReturn?: OrderReturn;
  readonly replenishment?: Replenishment;
  /** Its lookup items; none if their content is not known. */
  readonly lookups: readonly Insert[];
  /** The keys of its lookup items, even if their content is not known. */
  readonly lookupKeys: readonly Key[];
  /** By the record's title. */
  readonly refersTo: ReadonlyMap<string, Lookup>;
}

export interface LookupKind {
  readonly list: BlockList;
  readonly partitions: readonly LookupPartition[];
  /** @throws if the item is unreadable */
  readonly read: (item: RawItem, centers: Centers) => RecordFacts;
}

type References = ReadonlyMap<string, Lookup>;

interface Statements<T> {
  readonly title: (record: T) => string;
  readonly partitions: readonly LookupPartition[];
  /** By default, the entries of the repository. Undefined if a center of the record does not exist. */
  readonly entries?: (record: T, centers: Centers) => readonly Write[] | undefined;
  /** The keys of its lookup items; by default those of `entries`. */
  readonly entryKeys?: (record: T) => readonly Key[];
  readonly refersTo?: (record: T, centers: Centers) => References;
  readonly more?: (record: T) => Pick<RecordFacts, "order" | "orderReturn" | "replenishment">;
}

/** The records of a list, as its repository describes them. */
interface StatedRecords<T> extends Pick<Records<T>, "list" | "parse" | "ownerOf" | "facetKeyOf"> {
  readonly entries?: (record: T) => readonly Write[];
}

const lookupKind = <T>(
  { list, parse, ownerOf, facetKeyOf, entries: stated = () => [] }: StatedRecords<T>,
  { title, partitions, entries = (record) => stated(record), entryKeys, refersTo, more }: Statements<T>,
): LookupKind => ({
  list,
  partitions,
  read: (item, centers) => {
    const record = parse(item);
    const lookups = (entries(record, centers) ?? []).filter((write) => write.kind === "insert");
    return {
      title: title(record),
      owner: ownerOf(record),
      facetKey: facetKeyOf(record),
      lookups,
      lookupKeys: entryKeys?.(record) ?? lookups.map(keyOf),
      refersTo: refersTo?.(record, centers) ?? new Map(),
      ...more?.(record),
    };
  },
});

type ProductReference = { readonly product_id: number };

const productsIn = (items: readonly ProductReference[]): References =>
  new Map(items.map(({ product_id }) => [`product ${product_id}`, productLookup(product_id)]));

const inLookupIndex = (partition: string): LookupPartition => ({
  table: "directory",
  partition,
  idAttribute: "id",
});
const inInventory = (partition: string, idAttribute: string): LookupPartition => ({
  table: "inventory",
  partition,
  idAttribute,
});

const names = "name";

function centerOf({ distribution_center }: Product, centers: Centers) {
  const code = distribution_center ?? defaultDistributionCenter;
  return { code, center: centers.get(code) };
}

export const lookupKinds: readonly LookupKind[] = [
  lookupKind(orders, {
    title: ({ order_id }) => `order ${order_id}`,
    partitions: [inLookupIndex("order-number"), inLookupIndex("order-reference")],
    refersTo: ({ items }) => productsIn(items),
    more: (order) => ({ order }),
  }),
  lookupKind(products, {
    title: ({ product_id, sku }) => `product ${product_id} (${sku})`,
    partitions: [
      inInventory(names, "product_id"),
      inInventory("sku-owners", "product_id"),
      inLookupIndex(productSkus.kind),
    ],
    entries: (product, centers) => {
      const { center } = centerOf(product, centers);
      return center && productEntries(product, center);
    },
    entryKeys: productEntryKeys,
    refersTo: (product, centers) => {
      const { code, center } = centerOf(product, centers);
      return center === undefined
        ? new Map([[`distribution center ${code}`, distributionCenterLookup(code)]])
        : new Map();
    },
  }),
  lookupKind(synsets, {
    title: ({ synset_id, synset }) => `synset ${synset_id} (${synset})`,
    partitions: [inInventory(names, "synset_id")],
  }),
  lookupKind(aliases, {
    title: ({ alias_id, alias }) => `alias ${alias_id} (${alias})`,
    partitions: [inInventory("alias-text", "alias_id"), inLookupIndex("alias-sku")],
    refersTo: (alias) => productsIn([alias]),
  }),
  lookupKind(replenishments, {
    title: ({ replenishment_id }) => `replenishment ${replenishment_id}`,
    partitions: [inLookupIndex("replenishment-reference")],
    refersTo: ({ items }) => productsIn(items),
    more: (replenishment) => ({ replenishment }),
  }),
  lookupKind(returns, {
    title: ({ return_id }) => `return ${return_id}`,
    partitions: [inLookupIndex("returned-order")],
    refersTo: ({ order_id, items }) =>
      new Map([...productsIn(items), [`order ${order_id}`, orderLookup(order_id)]]),
    more: (orderReturn) => ({ orderReturn }),
  }),
  lookupKind(manufactureOrders, {
    title: ({ manufacture_id }) => `manufacture order ${manufacture_id}`,
    partitions: [inInventory("manufacture-number", "manufacture_id")],
    refersTo: (order) => productsIn([order]),
  }),
  lookupKind(attributes, {
    title: ({ attribute_id, attribute }) => `attribute ${attribute_id} (${attribute})`,
    partitions: [inInventory("attribute-name", "attribute_id")],
    entries: (one) => attributeEntries(one),
    refersTo: attributeOwnerOf,
  }),
];

export const prefixOf = ({ partition }: LookupPartition): string => joined(partition, "");
