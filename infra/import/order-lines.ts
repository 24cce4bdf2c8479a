/**
 * Orders in tables, each row one of their lines. An order that was stored without some of its lines could not
 * be corrected by another import, so one whose lines are in two places is refused (`each-once.ts`).
 */
import * as z from "zod/mini";
import { orderInput } from "../../shared/orders/order-input.ts";
import { type Columns, decimalIn, type Rejection, type Row } from "./columns.ts";
import type { FiledRecord } from "./each-once.ts";

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
export const orderColumns: Columns = {
  known: ["order_number", ...headerColumns, ...lineColumns],
  required: ["order_number", "sku", "quantity"],
};

/** Columns that hold numbers. */
const numeric: ReadonlySet<string> = new Set(["order_type_id", "cart.id", "quantity", "sold_price"]);

/** The number of an order, if it is one. */
export const numberIn = (value: unknown): string | undefined =>
  z.safeParse(orderInput.shape.order_number, value).data;

/** Consecutive rows of one order. */
interface Lines {
  readonly first: Row;
  readonly number: string | undefined;
  readonly lines: Row[];
  readonly refused: Rejection[];
}

/** The orders of rows. One without a number may be of the order before it, which is refused with it. */
export function* ordersOfLines(rows: Iterable<Row>): Generator<FiledRecord, void> {
  let open: Lines | undefined;
  for (const line of rows) {
    const written = line.fields["order_number"];
    const isBlank = typeof written !== "string" || written.trim() === "";
    const number = numberIn(written);
    if (open === undefined || (!isBlank && (number === undefined || number !== open.number))) {
      if (open !== undefined) yield orderOf(open);
      open = { first: line, number, lines: [], refused: [] };
    }
    open.lines.push(line);
    open.refused.push(...wrongIn(line, open, isBlank));
  }
  if (open !== undefined) yield orderOf(open);
}

/** The errors of a later line of an order. Blank fields take the values of the first line. */
function wrongIn({ row, fields }: Row, { first }: Lines, isBlank: boolean): readonly Rejection[] {
  if (row === first.row) return [];
  if (isBlank) return [{ row, field: "order_number", message: "is required" }];
  return headerColumns
    .filter((name) => (fields[name] ?? "") !== "" && fields[name] !== first.fields[name])
    .map((field) => ({ row, field, message: `differs from row ${first.row}, the first line of the order` }));
}

function orderOf({ first, number, lines, refused }: Lines): FiledRecord {
  const { row } = first;
  const whole = { row, field: "", message: "is not imported, because a later line of the order is invalid" };
  return {
    row,
    record: { ...headerOf(first), items: lines.map(itemOf) },
    itemRows: lines.map((line) => line.row),
    name: number,
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
