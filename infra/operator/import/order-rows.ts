/**
 * Orders in files: a record of a JSON file is an order, a row of a CSV file one of its lines. An order that
 * was stored without some of its lines could not be corrected by another import. A file is therefore read
 * twice: first to find orders that occur in two places, then to import all others.
 */

import * as z from "zod/mini";
import { unreadFields } from "../../../shared/http/request/unread-fields.ts";
import { orderInput } from "../../../shared/orders/order-input.ts";
import { Usage } from "../cli/outcome.ts";
import type { ReadRecord } from "./by-call.ts";
import {
  columnsOf,
  decimalIn,
  isCsv,
  type Read,
  type Rejection,
  type Row,
  readRows,
  refusedRow,
} from "./rows.ts";

/** The columns of an order's line. All others belong to the order. */
const lineColumns = ["sku", "quantity", "sold_price"] as const;

const customerColumns = Object.keys(orderInput.shape.customer.shape).map((name) => `customer.${name}`);

const headerColumns: readonly string[] = [
  "order_reference",
  "shipping_method",
  "order_type_id",
  "cart.store_name",
  "cart.id",
  ...customerColumns,
];

/** The columns of a CSV file. Lines of one order follow one another, and each repeats the order's number. */
export const orderColumns: readonly string[] = ["order_number", ...headerColumns, ...lineColumns];

const csvColumns = { known: orderColumns, required: ["order_number", "sku", "quantity"] };

/** Columns that hold numbers. */
const numeric: ReadonlySet<string> = new Set(["order_type_id", "cart.id", "quantity", "sold_price"]);

/** An order of a file, with its number if that is valid, and the errors of its rows. */
interface FiledOrder extends ReadRecord {
  readonly number: string | undefined;
  readonly refused: readonly Rejection[];
}

/**
 * The orders of a file. An order that occurs in two places is refused in both.
 * @throws as `readRows`; Usage if a CSV file has a row with more or fewer fields than columns
 */
export async function* ordersIn(file: string): AsyncGenerator<Read<ReadRecord>, void> {
  const places = await repeatedNumbers(file);
  for await (const { row, record, number, refused } of filedOrders(file)) {
    const [first, second] = places.get(number ?? "") ?? [];
    const other = row === first ? second : first;
    if (other !== undefined)
      yield refusedRow(
        row,
        `is also in row ${other}: an order may occur once, with consecutive lines`,
        "order_number",
      );
    else yield refused.length > 0 ? { refused } : { sound: { row, record } };
  }
}

/** The first two rows in which an order of each number begins, of numbers that have two. */
async function repeatedNumbers(file: string): Promise<ReadonlyMap<string, readonly [number, number]>> {
  const rows = new Map<string, number>();
  const repeated = new Map<string, readonly [number, number]>();
  for await (const { row, number } of filedOrders(file)) {
    if (number === undefined) continue;
    const first = rows.get(number);
    if (first === undefined) rows.set(number, row);
    else if (!repeated.has(number)) repeated.set(number, [first, row]);
  }
  return repeated;
}

const filedOrders = (file: string): AsyncGenerator<FiledOrder, void> =>
  isCsv(file)
    ? ordersOfLines(readRows(file, csvColumns))
    : ordersOfRecords(readRows(file, columnsOf(orderInput)));

const numberIn = (value: unknown): string | undefined =>
  z.safeParse(orderInput.shape.order_number, value).data;

async function* ordersOfRecords(rows: AsyncIterable<Read<Row>>): AsyncGenerator<FiledOrder, void> {
  for await (const one of rows) {
    if ("refused" in one) {
      for (const rejection of one.refused)
        yield { row: rejection.row, record: {}, number: undefined, refused: [rejection] };
      continue;
    }
    const { row, fields } = one.sound;
    const refused = unreadFields(fields, orderInput, []).warnings.map(({ path, message }) => ({
      row,
      field: path,
      message,
    }));
    yield { row, record: fields, number: numberIn(fields["order_number"]), refused };
  }
}

/** Consecutive rows of one order. */
interface Lines {
  readonly first: Row;
  readonly number: string | undefined;
  readonly items: object[];
  readonly refused: Rejection[];
}

/** A row without a number may be of the order before it, so that order is refused with it. */
async function* ordersOfLines(rows: AsyncIterable<Read<Row>>): AsyncGenerator<FiledOrder, void> {
  let open: Lines | undefined;
  for await (const one of rows) {
    const line = lineIn(one);
    const written = line.fields["order_number"];
    const isBlank = typeof written !== "string" || written.trim() === "";
    const number = numberIn(written);
    if (open === undefined || (!isBlank && (number === undefined || number !== open.number))) {
      if (open !== undefined) yield orderOf(open);
      open = { first: line, number, items: [], refused: [] };
    }
    open.items.push(itemOf(line));
    open.refused.push(...wrongIn(line, open, isBlank));
  }
  if (open !== undefined) yield orderOf(open);
}

/** @throws Usage if a row cannot be assigned to an order */
function lineIn(one: Read<Row>): Row {
  if ("refused" in one) {
    const wrong = one.refused.map(({ row, message }) => `row ${row} ${message}`).join("; ");
    throw new Usage(`Nothing was stored, because a row can't be assigned to an order: ${wrong}`);
  }
  return one.sound;
}

/** The errors of a later line of an order. Blank fields take the values of the first line. */
function wrongIn({ row, fields }: Row, { first }: Lines, isBlank: boolean): readonly Rejection[] {
  if (row === first.row) return [];
  if (isBlank) return [{ row, field: "order_number", message: "is required" }];
  return headerColumns
    .filter((name) => (fields[name] ?? "") !== "" && fields[name] !== first.fields[name])
    .map((field) => ({ row, field, message: `differs from row ${first.row}, the first line of the order` }));
}

function orderOf({ first, number, items, refused }: Lines): FiledOrder {
  const { row } = first;
  const whole = { row, field: "", message: "is not imported, because a later line of the order is invalid" };
  return {
    row,
    record: { ...headerOf(first), items },
    number,
    refused: refused.length > 0 ? [whole, ...refused] : [],
  };
}

const itemOf = ({ fields }: Row): object =>
  Object.fromEntries(lineColumns.map((name) => [name, cellValue(name, fields[name])]));

/** The order of a line, with columns such as `customer.city` nested below `customer`. */
function headerOf({ fields }: Row): Record<string, unknown> {
  const order: Record<string, unknown> = {};
  const below = new Map<string, Record<string, unknown>>();
  for (const [name, value] of Object.entries(fields)) {
    if (lineColumns.some((column) => column === name)) continue;
    const [first = name, second] = name.split(".");
    if (second === undefined) order[first] = cellValue(name, value);
    else below.set(first, { ...below.get(first), [second]: cellValue(name, value) });
  }
  return { ...order, ...Object.fromEntries(below) };
}

function cellValue(name: string, value: unknown): unknown {
  return numeric.has(name) ? (decimalIn(value) ?? value) : value;
}
