/** All block lists whose records are counted. The list of jobs only allocates ids. */

import { attributes } from "../attributes/attribute-repository.ts";
import { aliases } from "../catalog/aliases/alias-repository.ts";
import { products } from "../catalog/products/product-repository.ts";
import { synsets } from "../catalog/synsets/synset-repository.ts";
import { replenishments, returns } from "../inbound/inbound-repository.ts";
import { orders } from "../orders/storage/order-repository.ts";
import { manufactureOrders } from "../registries/manufacture/manufacture-repository.ts";
import { binContents } from "../stock/bins/bin-repository.ts";
import { stockRecords } from "../stock/stock-repository.ts";
import type { RecordList } from "../store/lists/repository.ts";

const all: readonly RecordList[] = [
  orders,
  products,
  stockRecords,
  binContents,
  aliases,
  synsets,
  replenishments,
  returns,
  manufactureOrders,
  attributes,
];

/** By the names of their lists. */
export const lists: ReadonlyMap<string, RecordList> = new Map(all.map((one) => [one.list.name, one]));
