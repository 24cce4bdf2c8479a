/** All nouns of the command line, in the order of the help. */
import type { CommandGroup } from "../cli/command.ts";
import { accounts, keys, masterKey } from "./accounts.ts";
import { setAsideCommands } from "./events.ts";
import { importOfOrders, products, stock } from "./imports.ts";
import { jobs } from "./jobs.ts";
import { archive, archivingOrders } from "./keeping/archive.ts";
import { customers } from "./keeping/customers.ts";
import { history } from "./keeping/history.ts";
import { restoringRecords } from "./keeping/restore-record.ts";
import { lists } from "./lists.ts";
import { manufactureOrders } from "./manufacture-orders.ts";
import { orders } from "./orders.ts";
import { preflight } from "./preflight.ts";
import { audit } from "./reading/audit.ts";
import { backlog } from "./reading/backlog.ts";
import { lookingAtOrders } from "./reading/orders.ts";
import { lookingAtBins, lookingAtStock } from "./reading/stock.ts";
import { queues, tables } from "./reading/stored.ts";
import { trace } from "./reading/trace.ts";
import { lookingAtEvents, webhooks } from "./reading/webhooks.ts";
import { bins, distributionCenters, packageTypes, shippingMethods, stores, suppliers } from "./registries.ts";
import { smoke } from "./smoke.ts";
import { users } from "./users.ts";
import { data, events } from "./verify.ts";

export const nouns: readonly CommandGroup[] = [
  accounts,
  keys,
  masterKey,
  users,
  distributionCenters,
  { ...bins, commands: [...bins.commands, ...lookingAtBins] },
  shippingMethods,
  stores,
  suppliers,
  packageTypes,
  products,
  { ...stock, commands: [...lookingAtStock, ...stock.commands] },
  { ...orders, commands: [...lookingAtOrders, ...orders.commands, importOfOrders, archivingOrders] },
  archive,
  customers,
  manufactureOrders,
  jobs,
  { ...data, commands: [...data.commands, restoringRecords] },
  { ...events, commands: [...lookingAtEvents, ...events.commands, ...setAsideCommands] },
  webhooks,
  backlog,
  trace,
  tables,
  queues,
  lists,
  history,
  audit,
  preflight,
  smoke,
];
