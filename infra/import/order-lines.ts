/**
 * Orders in tables, with an order line in each row. If an order were stored without some of its lines,
 * another import could not correct it, so an order whose lines are in two places is rejected.
 */
import { shapesOf } from "../../shared/http/request/schemas.ts";
import { orderInput, orderItemInput } from "../../shared/orders/order-input.ts";
import type { ReadRecord } from "./by-call.ts";
import { type Columns, type Rejection, type Row, typedBy } from "./columns.ts";
import { type FiledRecord, type Name, nameBy, type OnceRule } from "./each-once.ts";

/** Fields without a column: lists, and what only a program that places live orders decides. */
const { items: _items, kits: _kits, if_short: _ifShort, order_number, ...header } = orderInput.shape;
const { ordered_as: _orderedAs, hold_id: _holdId, ...line } = orderItemInput.shape;

/** Each column of an order's line, and the conversion of its texts. */
const lineColumns = new Map(Object.entries(line).map(([name, schema]) => [name, typedBy(schema)]));

/** The columns of the order itself: `customer.city` is the city in the object `customer`. */
const headerColumns = new Map(
  Object.entries(header).flatMap(([name, schema]) => {
    const fields = shapesOf(schema).flatMap((shape) => Object.entries(shape));
    return fields.length === 0
      ? [[name, typedBy(schema)] as const]
      : fields.map(([field, below]) => [`${name}.${field}`, typedBy(below)] as const);
  }),
);

/** The columns of a CSV file. The lines of an order are consecutive, and each repeats the order's number. */
export const orderColumns: Columns = {
  known: ["order_number", ...headerColumns.keys(), ...lineColumns.keys()],
  required: ["order_number", "sku", "quantity"],
};

export const orderOnce: OnceRule = {
  field: "order_number",
  rule: "an order may occur once, with consecutive lines",
};

/** An order's number in a file; undefined if it is invalid. */
export const orderName = ({ row, fields }: Row): Name | undefined =>
  nameBy(order_number, fields["order_number"], row);

/** Consecutive rows of one order. */
interface Lines {
  readonly first: Row;
  readonly name: Name | undefined;
  readonly lines: Row[];
  readonly refused: Rejection[];
}

/** The orders of rows. A row without a number may belong to the order before, which is rejected with it. */
export function* ordersOfLines(rows: Iterable<Row>): Generator<FiledRecord<ReadRecord>, void> {
  let open: Lines | undefined;
  for (const line of rows) {
    const written = line.fields["order_number"];
    const isBlank = typeof written !== "string" || written.trim() === "";
    const name = orderName(line);
    if (open === undefined || (!isBlank && (name === undefined || name.text !== open.name?.text))) {
      if (open !== undefined) yield orderOf(open);
      open = { first: line, name, lines: [], refused: [] };
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
  return [...headerColumns.keys()]
    .filter((name) => (fields[name] ?? "") !== "" && fields[name] !== first.fields[name])
    .map((field) => ({ row, field, message: `differs from row ${first.row}, the first line of the order` }));
}

function orderOf({ first, name, lines, refused }: Lines): FiledRecord<ReadRecord> {
  const { row, fields } = first;
  const whole = { row, field: "", message: "is not imported, because a later line of the order is invalid" };
  if (refused.length > 0) return { name, read: { refused: [whole, ...refused] } };
  const record = { order_number: fields["order_number"], ...headerOf(first), items: lines.map(itemOf) };
  return { name, read: { sound: { row, record, itemRows: lines.map((line) => line.row) } } };
}

const itemOf = ({ fields }: Row): object =>
  Object.fromEntries([...lineColumns].map(([name, typed]) => [name, typed(fields[name])]));

/** The fields of a row that belong to the order itself. */
function headerOf({ fields }: Row): object {
  const order: Record<string, unknown> = {};
  const below = new Map<string, Record<string, unknown>>();
  for (const [column, typed] of headerColumns) {
    if (!(column in fields)) continue;
    const value = typed(fields[column]);
    const [name = column, field] = column.split(".");
    if (field === undefined) order[name] = value;
    else below.set(name, { ...below.get(name), [field]: value });
  }
  return { ...order, ...Object.fromEntries(below) };
}
