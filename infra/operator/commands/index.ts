/** All commands, in the order of the help. */
import type { Command } from "commander";
import type { CommandGroup, Execute } from "../cli/command.ts";
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

const commands: readonly CommandGroup[] = [
  accounts,
  keys,
  masterKey,
  users,
  distributionCenters,
  { ...bins, subcommands: [...bins.subcommands, ...lookingAtBins] },
  shippingMethods,
  stores,
  suppliers,
  packageTypes,
  products,
  { ...stock, subcommands: [...lookingAtStock, ...stock.subcommands] },
  { ...orders, subcommands: [...lookingAtOrders, ...orders.subcommands, importOfOrders, archivingOrders] },
  archive,
  customers,
  manufactureOrders,
  jobs,
  { ...data, subcommands: [...data.subcommands, restoringRecords] },
  { ...events, subcommands: [...lookingAtEvents, ...events.subcommands, ...setAsideCommands] },
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

/** Adds all commands to a program. `execute` runs what is called. */
export function addCommands(program: Command, execute: Execute): void {
  for (const { name, summary, subcommands } of commands) {
    const command = program.command(name).description(summary);
    for (const add of subcommands) add(command, execute);
  }
}
