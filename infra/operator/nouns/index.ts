/** All nouns of the command line, in the order of the help. */
import type { Noun } from "../cli/command.ts";
import { accounts, keys, masterKey } from "./accounts.ts";
import { setAsideCommands } from "./events.ts";
import { history } from "./history.ts";
import { importOfOrders, products, stock } from "./imports.ts";
import { jobs } from "./jobs.ts";
import { lists } from "./lists.ts";
import { manufactureOrders } from "./manufacture-orders.ts";
import { orders } from "./orders.ts";
import { preflight } from "./preflight.ts";
import { bins, distributionCenters, packageTypes, shippingMethods, stores, suppliers } from "./registries.ts";
import { smoke } from "./smoke.ts";
import { users } from "./users.ts";
import { data, events } from "./verify.ts";

export const nouns: readonly Noun[] = [
  accounts,
  keys,
  masterKey,
  users,
  distributionCenters,
  bins,
  shippingMethods,
  stores,
  suppliers,
  packageTypes,
  products,
  stock,
  { ...orders, commands: [...orders.commands, importOfOrders] },
  manufactureOrders,
  jobs,
  data,
  { ...events, commands: [...events.commands, ...setAsideCommands] },
  lists,
  history,
  preflight,
  smoke,
];
