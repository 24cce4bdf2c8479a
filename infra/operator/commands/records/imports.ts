/** Imports a merchant's catalog, stock and open orders from files. */

import * as z from "zod/mini";
import type { AccountContext } from "../../../../shared/runtime/context.ts";
import { dryRunOf } from "../../../../shared/store/dynamodb/dry-run.ts";
import type { Columns } from "../../../import/columns.ts";
import { orderColumns } from "../../../import/order-lines.ts";
import { productColumns } from "../../../import/product-rows.ts";
import { type Attach, defineCommand } from "../../cli/command.ts";
import { operatorContext } from "../../cli/context.ts";
import { file as fileName, flag, id } from "../../cli/fields.ts";
import { type Importing, importRecords } from "../../import/importing.ts";
import { importOrders } from "../../import/orders.ts";
import { importProducts } from "../../import/products.ts";
import { importStock, stockColumns } from "../../import/stock.ts";
import { readAccount } from "../../set-up/accounts.ts";
import { updateOption } from "../registry-commands.ts";

const rerun = [
  "Rows are validated like requests to the API. Refused rows are listed with their row and field, and so are rows whose",
  "records exist with other values: --update stores them. If any row was not stored, the exit status is 4. All others are",
  "stored. The import can be repeated, also with a corrected file: nothing is created twice.",
];

const importing = <T>(
  name: string,
  summary: string,
  example: string,
  about: readonly string[],
  importer: (context: () => AccountContext, update: boolean) => Importing<T>,
): Attach =>
  defineCommand({
    words: `${name} import <account> <file>`,
    summary,
    about: [...about, ...rerun],
    options: updateOption,
    examples: [example, `${example} --update`],
    values: z.object({ account: id, file: fileName, update: flag }),
    changes: {
      warning: ({ account, file }) => `The contents of ${file} will be stored for account ${account}.`,
    },
    run: async (command, { account: account_id, file, update }) => {
      const { db } = command;
      await readAccount(db, account_id);
      // The writes of a dry run are kept in memory, so each batch has its own.
      const store = () => (db.dryRun === undefined ? db : dryRunOf(db));
      const context = (): AccountContext => ({ ...operatorContext(store()), account_id });
      return importRecords(command, file, importer(context, update));
    },
  });

const columns = ({ known, required }: Columns): readonly string[] => [
  `The columns are ${known.join(", ")}.`,
  `A .csv file must have ${required.length === known.length ? "all of them" : required.join(", ")}.`,
  "",
];

export const importOfOrders: Attach = importing(
  "orders",
  "Imports open orders from a .csv or .json file",
  "orders import 100 orders.csv",
  [
    ...columns(orderColumns),
    "A row of a CSV file is an order line. The lines of an order must be consecutive, and each must have the order number.",
    "The other columns of the order must have the same values as in the first line, or be blank. A record of a JSON file is",
    "an order in the format of the API. An order that occurs in two places is refused. Only Pending orders can be updated.",
  ],
  importOrders,
);

export const importOfProducts: Attach = importing(
  "products",
  "Imports products from a .csv or .json file",
  "products import 100 catalogue.csv",
  columns(productColumns),
  importProducts,
);

export const importOfStock: Attach = importing(
  "stock",
  "Sets the initial stock of bins from a .csv or .json file",
  "stock import 100 stock.csv",
  [
    ...columns(stockColumns),
    "A bin that has held the product is left as it is, because goods may have left it since. --update recounts it: workers",
    "apply that within two minutes. If two rows have the same bin and product, both are refused.",
  ],
  importStock,
);
