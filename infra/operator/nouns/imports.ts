/** Moving in: a merchant's catalogue, stock and open orders, from files. */

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
  "Rows are checked as the API checks them. What is refused is listed with its row and field, and the status is 1; all",
  "other rows are stored. It can be run again, also with a file that was corrected: nothing is created twice.",
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
    confirms: ({ account, file }) => `What ${file} holds will be stored for account ${account}. Go on?`,
    run: async (session, { account: account_id, file }) => {
      const { db } = session;
      await accountOf(db, account_id);
      const context = (): AccountContext => ({ ...operatorContext(db), account_id });
      return importRecords(session, file, importer(context));
    },
  });

const columns = (names: readonly string[]): readonly string[] => [`The columns are ${names.join(", ")}.`, ""];

export const importOfOrders: Attach = importing(
  "Brings open orders in from a .csv, .json or .jsonl file",
  "orders import 100 orders.csv",
  [
    ...columns(orderColumns),
    "A row of a CSV file is a line of an order. The lines of one order follow one another, and each states the number of",
    "the order. What else a line states of the order is as in the first line, or blank. A record of a JSON file is an order",
    "as the API takes it. An order that the file states in two places is refused. One whose number is taken is left alone.",
  ],
  importOrders,
);

export const products: Noun = {
  name: "products",
  summary: "The catalogue of an account",
  commands: [
    importing(
      "Brings products in from a .csv, .json or .jsonl file",
      "products import 100 catalogue.csv",
      [
        ...columns(productColumns),
        "A product that is there with other values is refused: the API's PATCH changes it.",
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
      "Counts goods into bins, from a .csv, .json or .jsonl file",
      "stock import 100 stock.csv",
      [
        ...columns(stockColumns),
        "A bin that has been counted for its product is left alone: goods may have left it since. Of two rows about one",
        "bin and product, the second is refused.",
      ],
      importStock,
    ),
  ],
};
