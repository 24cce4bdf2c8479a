/** All block lists whose records are tallied, for what is done with any of them. The list of jobs has no tallies. */
import type { Listed } from "../store/lists/records.ts";
import { aliases } from "./aliases.ts";
import { attributes } from "./attributes.ts";
import { binContents } from "./bins.ts";
import { replenishments, returns } from "./inbound.ts";
import { manufactureOrders } from "./manufacture.ts";
import { orders } from "./orders.ts";
import { products } from "./products.ts";
import { stockListed } from "./stock.ts";
import { synsets } from "./synsets.ts";

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

/** By the names of their lists. */
export const lists: ReadonlyMap<string, Listed> = new Map(all.map((one) => [one.list.name, one]));
