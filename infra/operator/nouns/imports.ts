/** Moving in: a merchant's catalogue, stock and open orders, from files. */
import * as z from "zod/mini";
import { type AccountContext, noForesight } from "../../../shared/operations/context.ts";
import type { TableName } from "../../../shared/store/tables.ts";
import { accountOf } from "../accounts.ts";
import type { Answer } from "../cli/answer.ts";
import { type Attach, defineCommand, type Noun } from "../cli/command.ts";
import { file as fileName, id } from "../cli/fields.ts";
import { operator, type Session } from "../cli/session.ts";
import { bringIn } from "../import/importing.ts";
import { importOrders, orderColumns, ordersIn } from "../import/orders.ts";
import { importProducts, productColumns } from "../import/products.ts";
import { readRows } from "../import/rows.ts";
import { importStock, stockColumns } from "../import/stock.ts";

const tables: readonly TableName[] = ["identity", "orders", "inventory", "tallies", "directory", "jobs"];

type Bring = (session: Session, file: string, context: () => AccountContext) => Promise<Answer>;

const rerun = [
  "Rows are checked as the API checks them. What is refused is listed with its row and field, and the status is 1; all",
  "other rows are stored. Run it again after an end or a correction: nothing is created twice.",
];

const importing = (summary: string, example: string, about: readonly string[], bring: Bring): Attach =>
  defineCommand({
    words: "import <account> <file>",
    summary,
    about: [...about, ...rerun],
    examples: [example],
    tables,
    values: z.object({ account: id, file: fileName }),
    run: async (session, { account: account_id, file }) => {
      const { db } = session;
      await accountOf(db, account_id);
      const context = (): AccountContext => ({
        db,
        account_id,
        actor: operator,
        now: new Date().toISOString(),
        foresee: noForesight,
      });
      return bring(session, file, context);
    },
  });

const columns = (names: readonly string[]): readonly string[] => [`The columns are ${names.join(", ")}.`, ""];

export const importOfOrders: Attach = importing(
  "Brings open orders in from a .csv, .json or .jsonl file",
  "orders import 100 orders.csv",
  [
    ...columns(orderColumns),
    "A row of a CSV file is a line of an order; the lines of one order follow one another. A record of a JSON file is an",
    "order as the API takes it. An order whose number is taken is left alone.",
  ],
  (session, file, context) => bringIn(session, ordersIn(readRows(file)), importOrders(context)),
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
      (session, file, context) => bringIn(session, readRows(file), importProducts(context)),
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
        "A bin that has been counted for its product is left alone: goods may have left it since.",
      ],
      (session, file, context) => bringIn(session, readRows(file), importStock(context)),
    ),
  ],
};
