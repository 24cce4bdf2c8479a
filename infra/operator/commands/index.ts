/**
 * All commands, in the order of the help. A command is in the file of its first word, here, in `records` or
 * in `deployment`. There are exceptions: imports of records are in `imports.ts`, `orders archive` in
 * `archive.ts`, `keys` and `master-key` in `accounts.ts`, and `bins show` in `stock.ts`. `registries.ts` has
 * all registries, and `stored.ts` has `tables` and `queues`.
 */
import type { Command } from "commander";
import { defaultDistributionCenter } from "../../../shared/registries/registry-repository.ts";
import type { Commands, Execute } from "../cli/command.ts";
import { accounts, keys, masterKey } from "./accounts.ts";
import { audit } from "./deployment/audit.ts";
import { backlog } from "./deployment/backlog.ts";
import { data } from "./deployment/data.ts";
import { jobs } from "./deployment/jobs.ts";
import { lists } from "./deployment/lists.ts";
import { preflight } from "./deployment/preflight.ts";
import { smoke } from "./deployment/smoke.ts";
import { queues, tables } from "./deployment/stored.ts";
import { archive, archivingOrders } from "./records/archive.ts";
import { customers } from "./records/customers.ts";
import { events } from "./records/events.ts";
import { history } from "./records/history.ts";
import { importOfOrders, importOfProducts, importOfStock } from "./records/imports.ts";
import { manufactureOrders } from "./records/manufacture-orders.ts";
import { orders } from "./records/orders.ts";
import { lookingAtBins, lookingAtStock } from "./records/stock.ts";
import { trace } from "./records/trace.ts";
import { webhooks } from "./records/webhooks.ts";
import { bins, distributionCenters, packageTypes, shippingMethods, stores, suppliers } from "./registries.ts";
import { users } from "./users.ts";

const summaries: ReadonlyMap<string, string> = new Map([
  ["accounts", "Online stores and ERPs that call the service"],
  ["keys", "API keys of accounts. Each account has one key"],
  ["master-key", "The key that all warehouse users send"],
  ["users", "Warehouse users and their credentials"],
  ["distribution-centers", `Sites where goods are kept. The default is ${defaultDistributionCenter}`],
  ["bins", "Places that hold goods. Location names are unique in the warehouse"],
  ["shipping-methods", "Shipping methods of an account's orders"],
  ["stores", "Stores that an account's orders come from. Channels of aliases are stores"],
  ["suppliers", "Suppliers of an account's products"],
  ["package-types", "Packaging of an account's products"],
  ["products", "The catalog of an account"],
  ["stock", "The stock of an account"],
  ["orders", "Orders of any account, released and shipped manually"],
  ["archive", "Archived orders"],
  ["customers", "Personal data of orders"],
  ["manufacture-orders", "Orders of an account to manufacture products"],
  ["jobs", "Changes that the service accepts and applies later"],
  ["data", "All stored data: verify, repair and migrate"],
  ["events", "The feeds of accounts"],
  ["webhooks", "Webhooks of accounts, and their deliveries"],
  ["lists", "The API's lists, with totals and filters"],
  ["history", "Old stock movements and order histories"],
  ["audit", "The log of operators' changes"],
]);

const commands: Commands = [
  ...[...accounts, ...keys, ...masterKey, ...users, ...distributionCenters, ...bins, ...lookingAtBins],
  ...[...shippingMethods, ...stores, ...suppliers, ...packageTypes, importOfProducts],
  ...[...lookingAtStock, importOfStock, ...orders, importOfOrders, archivingOrders],
  ...[...archive, ...customers, ...manufactureOrders, ...jobs, ...data],
  ...[...events, ...webhooks, ...backlog, ...trace],
  ...[...tables, ...queues, ...lists, ...history, ...audit, ...preflight, ...smoke],
];

export function addCommands(program: Command, execute: Execute): void {
  const parentOf = (name: string): Command =>
    program.commands.find((one) => one.name() === name) ??
    program.command(name).description(summaries.get(name) ?? "");
  for (const add of commands) add(parentOf, execute);
}
