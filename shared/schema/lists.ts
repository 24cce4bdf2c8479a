/** All block lists with counters. The list of jobs has none. */

import { attributes } from "../attributes/attribute-repository.ts";
import { aliases } from "../catalog/aliases/alias-repository.ts";
import { products } from "../catalog/products/product-repository.ts";
import { synsets } from "../catalog/synsets/synset-repository.ts";
import { replenishments, returns } from "../inbound/inbound-repository.ts";
import { orders } from "../orders/storage/order-repository.ts";
import { manufactureOrders } from "../registries/manufacture/manufacture-repository.ts";
import { binContents } from "../stock/bins/bin-repository.ts";
import { stockListed } from "../stock/stock-repository.ts";
import type { Listed } from "../store/lists/records.ts";

const all: readonly Listed[] = [
  orders,
  products,
  stockListed,
  binContents,
  aliases,
  synsets,
  replenishments,
  returns,
  manufactureOrders,
  attributes,
];

/** By list name. */
export const lists: ReadonlyMap<string, Listed> = new Map(all.map((one) => [one.list.name, one]));
