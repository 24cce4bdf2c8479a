/** The commands that look at stock and bins. */
import * as z from "zod/mini";
import { endpoint as listMovements } from "../../../../functions/oms/inventory/stock/list-movements.ts";
import { endpoint as listStock } from "../../../../functions/oms/inventory/stock/list-stock.ts";
import { endpoint as listOrders } from "../../../../functions/oms/orders/list-orders.ts";
import { findSku } from "../../../../shared/catalog/name-repository.ts";
import { binContentList } from "../../../../shared/catalog/products/product-lists.ts";
import { notFound } from "../../../../shared/common/problem.ts";
import { statusIds } from "../../../../shared/orders/order.ts";
import { binLookup } from "../../../../shared/registries/registry-repository.ts";
import { binContents, binsOf, pendingCorrections } from "../../../../shared/stock/bins/bin-repository.ts";
import { liveHolds } from "../../../../shared/stock/holds/hold-repository.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { joined, keyIn } from "../../../../shared/store/dynamodb/keys.ts";
import { getItem } from "../../../../shared/store/dynamodb/reads.ts";
import { inLatestLayout } from "../../../../shared/store/layouts/layouts.ts";
import { naming, reasonUnreadable } from "../../../../shared/store/layouts/unreadable.ts";
import { scanStored } from "../../../data-model/scan.ts";
import { type Commands, defineCommand } from "../../cli/command.ts";
import type { CommandContext } from "../../cli/context.ts";
import { asOf, file as fileName, flag, id, limit, name, optional, place } from "../../cli/fields.ts";
import { listed, reply } from "../../cli/result.ts";
import { escapeOption, writeRows } from "../../import/rows.ts";
import { answerOf, recordsOf, unreadableTo } from "./answers.ts";

const product = z.object({ account: id, sku: name });

/** The levels of a product, and what its bins hold now. @throws Problem `not_found` */
async function stockOf(db: Database, account: number, sku: string, as_of?: string) {
  const query = { sku, ...(as_of !== undefined && { as_of }) };
  const { data: levels } = await answerOf(db, account, listStock, { query });
  const found = await findSku(db, account, sku);
  if (found === undefined) throw notFound(`Account ${account} has no product with the SKU ${sku}`);
  const contents = await binsOf(db, found.product_id);
  const bins = contents.map(({ location, bin, quantity, expected }) => ({
    location,
    bin,
    quantity,
    after_corrections: expected,
  }));
  return { product_id: found.product_id, levels, bins };
}

/** Most orders that are searched for those that reserve a product. */
const maxSearched = 1000;

/** The orders that reserve a product: those that have not shipped, the oldest first. */
async function reservingOrders(
  { db, note }: Pick<CommandContext, "db" | "note">,
  account: number,
  productId: number,
) {
  const unreadable = unreadableTo(note);
  const query = { order_direction: "asc", status_id: `${statusIds.Pending},${statusIds.Processing}` };
  const found: object[] = [];
  let searched = 0;
  const asked = { query, onUnreadable: unreadable.leaveOut };
  for await (const one of recordsOf(db, account, listOrders, asked)) {
    searched += 1;
    if (searched > maxSearched) break;
    const { order_id, order_number, status, created_at, items } = one;
    const reserved = items
      .filter(({ product_id }) => product_id === productId)
      .reduce((sum, { quantity }) => sum + quantity, 0);
    if (reserved > 0) found.push({ order_id, order_number, status, created_at, reserved });
  }
  return { orders: found, areSearched: searched <= maxSearched, ends: unreadable.ends() };
}

/** The holds of a product that have not ended, in the order in which they end. */
const holdsOn = async (db: Database, account: number, productId: number): Promise<readonly object[]> =>
  (await liveHolds(db, account)).flatMap(({ hold_id, goods, quantity, reference, check_at: expires_at }) => {
    const held = goods
      .filter(({ product_id }) => product_id === productId)
      .reduce((sum, part) => sum + part.quantity * quantity, 0);
    return held === 0 ? [] : [{ hold_id, held, reference, expires_at }];
  });

const exported = ["sku", "product_id", "distribution_center", "on_hand", "reserved", "available", "as_of"];

const aboutAsOf = "A date is its end in UTC. It may be two years ago at most.";

const section = (title: string, rows: readonly object[], none: string): string =>
  `${title}\n${listed(rows, none).text}`;

export const lookingAtStock: Commands = [
  defineCommand({
    words: "stock show <account> <sku>",
    summary: "Shows a product's stock in all centers and bins",
    about: [`With --as-of, it shows the levels of that moment, without bins. ${aboutAsOf}`],
    options: { "--as-of <date>": "date, or ISO 8601 time" },
    examples: ["stock show 100 DEMO-TEE", "stock show 100 DEMO-TEE --as-of 2026-01-31"],
    values: z.extend(product, { asOf: optional(asOf) }),
    run: async ({ db }, { account, sku, asOf: as_of }) => {
      const { bins, ...stock } = await stockOf(db, account, sku, as_of);
      const shown = section("Levels", stock.levels, "none");
      if (as_of !== undefined) return reply(shown, { account, sku, as_of, ...stock });
      const text = [shown, section("Bins", bins, "none")].join("\n");
      return reply(text, { account, sku, ...stock, bins });
    },
  }),
  defineCommand({
    words: "stock export <account> <file>",
    summary: "Writes an account's stock of a past moment to a new .csv or .json file",
    about: [`For the books at the end of a year, for example. ${aboutAsOf}`],
    options: { "--as-of <date>": "date, or ISO 8601 time (required)", ...escapeOption },
    examples: ["stock export 100 stock.csv --as-of 2025-12-31"],
    values: z.object({ account: id, file: fileName, asOf, escapeFormulas: flag }),
    run: async ({ db }, { account, file, asOf: as_of, escapeFormulas }) => {
      const asked = { query: { as_of }, perPage: 1000 };
      const levels = await Array.fromAsync(recordsOf(db, account, listStock, asked));
      writeRows(file, exported, levels, escapeFormulas);
      const { length: written } = levels;
      return reply(`Levels written: ${written}, as of ${as_of}.`, { file, as_of, levels: written });
    },
  }),
  defineCommand({
    words: "stock explain <account> <sku>",
    summary: "Explains a product's stock: its movements, and the orders and holds that reserve it",
    about: [
      `It searches the account's ${maxSearched} oldest orders that have not shipped.`,
      "An order that can't be read is named and left out, and the status is 5.",
    ],
    options: { "--limit <number>": "maximum number of movements, 1 to 1000 (default: 20)" },
    examples: ["stock explain 100 DEMO-TEE", "stock explain 100 DEMO-TEE --limit 100 --json"],
    values: z.extend(product, { limit: optional(limit) }),
    run: async (context, { account, sku, limit: most = 20 }) => {
      const { db } = context;
      const stock = await stockOf(db, account, sku);
      const newest = { params: { sku }, query: { order_direction: "desc" }, most };
      const movements = await Array.fromAsync(recordsOf(db, account, listMovements, newest));
      const { orders, areSearched, ends } = await reservingOrders(context, account, stock.product_id);
      const holds = await holdsOn(db, account, stock.product_id);
      const title = areSearched
        ? "Orders that reserve it"
        : `Orders that reserve it, of the ${maxSearched} oldest`;
      const text = [
        section("Levels", stock.levels, "none"),
        section("Bins", stock.bins, "none"),
        section(title, orders, "none"),
        section("Holds", holds, "none"),
        section("Movements, the newest first", movements, "none"),
      ].join("\n");
      const orders_complete = areSearched && ends === undefined;
      return { ...reply(text, { account, sku, ...stock, orders, orders_complete, holds, movements }), ends };
    },
  }),
];

export const lookingAtBins: Commands = [
  defineCommand({
    words: "bins show <location> <bin>",
    summary: "Shows what a bin holds, of all accounts, and the corrections that it waits for",
    about: [
      "The command scans the table of stock. It requires dynamodb:Scan. What can't be read of the bin is named and left out, and",
      "the status is 5.",
    ],
    examples: ["bins show A1 01"],
    values: z.object({ location: place, bin: place }),
    run: async ({ db, note }, { location, bin }) => {
      const unreadable = unreadableTo(note);
      const held: object[] = [];
      const { table, name } = binContentList;
      for await (const items of scanStored(db, { table, partitions: [`${name}#`] }))
        for (const stored of items.filter(({ sk }) => String(sk).endsWith(joined("", location, bin))))
          try {
            const item = inLatestLayout(db, table, stored);
            const { pk, sk: key } = keyIn(item);
            const read = () => binContents.parse(item);
            const { account_id, product_id, sku, quantity, expected } = naming(`the item ${pk} ${key}`, read);
            const corrections = pendingCorrections(item).map(({ job_id }) => job_id);
            held.push({ account_id, product_id, sku, quantity, after_corrections: expected, corrections });
          } catch (error) {
            const reason = reasonUnreadable(error);
            if (reason === undefined) throw error;
            unreadable.leaveOut(reason);
          }
      if (held.length === 0 && (await getItem(db, binLookup(location, bin))) === undefined)
        throw notFound(`There is no bin ${location}/${bin}`);
      const ends = unreadable.ends();
      const none = ends ? "can't be read" : "has never held goods";
      return { ...listed(held, `The bin ${location}/${bin} ${none}.`), ends };
    },
  }),
];
