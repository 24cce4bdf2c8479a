/** Open orders of a merchant, brought in as the API's create call would take them. */
import { endpoint } from "../../../functions/oms/orders/create-orders.ts";
import { orderNumbers } from "../../../shared/data/orders.ts";
import { orderInput } from "../../../shared/domain/orders/order-input.ts";
import { parseRequest } from "../../../shared/http/validation.ts";
import type { AccountContext } from "../../../shared/operations/context.ts";
import { getItems } from "../../../shared/store/reads.ts";
import { Usage } from "../cli/failures.ts";
import { type Importing, type ReadRecord, type Refusal, storedByCall } from "./importing.ts";
import type { Row } from "./rows.ts";

/** The columns of an order's line. All others are of the order. */
const lineColumns = ["sku", "quantity", "sold_price"] as const;

const customerColumns = Object.keys(orderInput.shape.customer.shape).map((name) => `customer.${name}`);

/** The columns of a CSV file. Lines of one order follow one another, and each repeats the order's number. */
export const orderColumns: readonly string[] = [
  "order_number",
  "order_reference",
  "shipping_method",
  "order_type_id",
  "cart.store_name",
  "cart.id",
  ...customerColumns,
  ...lineColumns,
];

/** Columns whose texts are numbers. */
const numeric: ReadonlySet<string> = new Set(["order_type_id", "cart.id", "quantity", "sold_price"]);

const cellOf = (name: string, value: unknown): unknown => {
  if (!numeric.has(name) || typeof value !== "string" || value.trim() === "") return value;
  const number = Number(value);
  return Number.isNaN(number) ? value : number;
};

/**
 * Makes orders of rows: a row of a JSON file is an order, one of a CSV file a line of one.
 * @throws Usage where a CSV file has a column that nothing reads
 */
export async function* ordersIn(rows: AsyncIterable<Row>): AsyncGenerator<ReadRecord, void> {
  let open: { row: number; number: unknown; record: Record<string, unknown>; items: object[] } | undefined;
  for await (const { row, fields } of rows) {
    if ("items" in fields) {
      yield { row, record: fields };
      continue;
    }
    const [unknown] = Object.keys(fields).filter((name) => !orderColumns.includes(name));
    if (unknown !== undefined)
      throw new Usage(`The column ${unknown} is not known; the columns are ${orderColumns.join(", ")}`);
    const number = fields["order_number"];
    if (open === undefined || open.number !== number) {
      if (open !== undefined) yield { row: open.row, record: { ...open.record, items: open.items } };
      open = { row, number, record: orderOf(fields), items: [] };
    }
    open.items.push(lineOf(fields));
  }
  if (open !== undefined) yield { row: open.row, record: { ...open.record, items: open.items } };
}

const lineOf = (fields: Row["fields"]): object =>
  Object.fromEntries(lineColumns.map((name) => [name, cellOf(name, fields[name])]));

/** The order of a line, with what is in columns such as `customer.city` below `customer`. */
function orderOf(fields: Row["fields"]): Record<string, unknown> {
  const order: Record<string, unknown> = {};
  const below = new Map<string, Record<string, unknown>>();
  for (const [name, value] of Object.entries(fields)) {
    if (lineColumns.some((column) => column === name)) continue;
    const [first = name, second] = name.split(".");
    if (second === undefined) order[first] = cellOf(name, value);
    else below.set(first, { ...below.get(first), [second]: cellOf(name, value) });
  }
  return { ...order, ...Object.fromEntries(below) };
}

/** Brings orders in. One whose number is taken is there already, and left alone. */
export const importOrders = (context: () => AccountContext): Importing<ReadRecord> => ({
  title: "orders",
  batchSize: 100,
  atOnce: 4,
  store: async (records) => {
    const { db, account_id } = context();
    const refused: Refusal[] = records.flatMap(({ row, record }) =>
      Object.keys(record)
        .filter((name) => !(name in orderInput.shape))
        .map((field) => ({
          row,
          field,
          message: `is not known; the columns are ${orderColumns.join(", ")}`,
        })),
    );
    const wrong = new Set(refused.map(({ row }) => row));
    const lookupOf = ({ record }: ReadRecord) =>
      orderNumbers.lookup(account_id, "order_number" in record ? String(record.order_number).trim() : "");
    const sound = records.filter(({ row }) => !wrong.has(row));
    const find = await getItems(db, sound.map(lookupOf));
    const fresh = sound.filter((one) => find(lookupOf(one)) === undefined);
    const stored = await storedByCall(fresh, (body) =>
      endpoint.flow(parseRequest(endpoint.request, { body }), context()),
    );
    return {
      created: stored.created,
      unchanged: sound.length - fresh.length,
      refused: [...refused, ...stored.refused],
    };
  },
});
