/** All block lists whose records are counted. The list of jobs only allocates ids. */

import { attributes } from "../../shared/attributes/attribute-repository.ts";
import { aliases } from "../../shared/catalog/aliases/alias-repository.ts";
import { products } from "../../shared/catalog/products/product-repository.ts";
import { synsets } from "../../shared/catalog/synsets/synset-repository.ts";
import { replenishments, returns } from "../../shared/inbound/inbound-repository.ts";
import { orders } from "../../shared/orders/storage/order-repository.ts";
import { manufactureOrders } from "../../shared/registries/manufacture/manufacture-repository.ts";
import { binContents } from "../../shared/stock/bins/bin-repository.ts";
import { stockRecords } from "../../shared/stock/stock-repository.ts";
import type { RecordList } from "../../shared/store/lists/repository.ts";

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

export const lists: ReadonlyMap<string, RecordList> = new Map(all.map((one) => [one.list.name, one]));
