/** Imports a merchant's catalog, stock and open orders from files. */

import * as z from "zod/mini";
import type { AccountContext } from "../../../shared/lambda/context.ts";
import type { TableName } from "../../../shared/store/tables.ts";
import { accountOf } from "../accounts.ts";
import { type Attach, defineCommand, type Noun } from "../cli/command.ts";
import { file as fileName, id } from "../cli/fields.ts";
import { operatorContext } from "../cli/session.ts";
import { type Importing, importRecords } from "../import/importing.ts";
import { orderColumns } from "../import/order-rows.ts";
import { importOrders } from "../import/orders.ts";
import { importProducts, productColumns } from "../import/products.ts";
import { importStock, stockColumns } from "../import/stock.ts";

const tables: readonly TableName[] = ["identity", "orders", "inventory", "tallies", "directory", "jobs"];

const rerun = [
  "Rows are validated like requests to the API. Rejected rows are listed with their row and field, and the exit status is",
  "1. All other rows are stored. The import can be repeated, also with a corrected file: nothing is created twice.",
];

const importing = <T>(
  summary: string,
  example: string,
  about: readonly string[],
  importer: (context: () => AccountContext) => Importing<T>,
): Attach =>
  defineCommand({
    words: "import <account> <file>",
    summary,
    about: [...about, ...rerun],
    examples: [example],
    tables,
    values: z.object({ account: id, file: fileName }),
    confirms: ({ account, file }) =>
      `The contents of ${file} will be stored for account ${account}. Continue?`,
    run: async (session, { account: account_id, file }) => {
      const { db } = session;
      await accountOf(db, account_id);
      const context = (): AccountContext => ({ ...operatorContext(db), account_id });
      return importRecords(session, file, importer(context));
    },
  });

const columns = (names: readonly string[]): readonly string[] => [`The columns are ${names.join(", ")}.`, ""];

export const importOfOrders: Attach = importing(
  "Imports open orders from a .csv, .json or .jsonl file",
  "orders import 100 orders.csv",
  [
    ...columns(orderColumns),
    "A row of a CSV file is an order line. The lines of an order must be consecutive, and each must have the order number.",
    "The other columns of the order must have the same values as in the first line, or be blank. A record of a JSON file is",
    "an order in the format of the API. An order that occurs in two places is rejected. An existing number is skipped.",
  ],
  importOrders,
);

export const products: Noun = {
  name: "products",
  summary: "The catalog of an account",
  commands: [
    importing(
      "Imports products from a .csv, .json or .jsonl file",
      "products import 100 catalogue.csv",
      [
        ...columns(productColumns),
        "A product that exists with other values is rejected: use the API's PATCH to change it.",
      ],
      importProducts,
    ),
  ],
};

export const stock: Noun = {
  name: "stock",
  summary: "The stock of an account",
  commands: [
    importing(
      "Sets the initial stock of bins from a .csv, .json or .jsonl file",
      "stock import 100 stock.csv",
      [
        ...columns(stockColumns),
        "A bin that has been counted for the product is skipped, because goods may have left it since. If two rows have the",
        "same bin and product, the second is rejected.",
      ],
      importStock,
    ),
  ],
};
