/**
 * Imports a merchant's open orders through the API's calls. A record of a JSON file is an order, a row of a
 * CSV file one of its lines.
 */
import * as z from "zod/mini";
import { endpoint as creation } from "../../../functions/oms/orders/create-orders.ts";
import { endpoint as replacement } from "../../../functions/oms/orders/update-orders.ts";
import { isDeepEqual } from "../../../shared/common/deep-equal.ts";
import type { FieldError } from "../../../shared/common/problem.ts";
import { unreadFields } from "../../../shared/http/request/unread-fields.ts";
import type { Order } from "../../../shared/orders/order.ts";
import { type OrderInput, orderInput } from "../../../shared/orders/order-input.ts";
import {
  type OrderReferences,
  readOrderReferences,
  resolveTerms,
} from "../../../shared/orders/order-references.ts";
import { orderNumbers, orders } from "../../../shared/orders/storage/order-repository.ts";
import type { AccountContext } from "../../../shared/runtime/context.ts";
import { getItems } from "../../../shared/store/dynamodb/reads.ts";
import { compareEach, type ReadRecord, storeCompared } from "../../import/by-call.ts";
import { columnsOf, type Read, type Row } from "../../import/columns.ts";
import { type FiledRecord, recordPerRow } from "../../import/each-once.ts";
import { orderColumns, orderName, orderOnce, ordersOfLines } from "../../import/order-lines.ts";
import { Usage } from "../cli/outcome.ts";
import { callOf, dryRunContext, type Importing } from "./importing.ts";
import { isCsv, readRows } from "./rows.ts";

/** Imports orders. Those that exist with other values are replaced with `update` only. */
export const importOrders = (context: () => AccountContext, update: boolean): Importing<ReadRecord> => ({
  title: "orders",
  once: orderOnce,
  read: ordersIn,
  store: async (records) => {
    const change = callOf(replacement, update ? context : dryRunContext(context));
    const calls = { create: callOf(creation, context), change };
    return storeCompared(await compared(context(), records), calls, update);
  },
});

/** Compares orders with those that have their numbers. Invalid ones count as new: the call refuses them. */
async function compared({ db, account_id }: AccountContext, records: readonly ReadRecord[]) {
  const read = records.map((one) => ({ ...one, input: z.safeParse(orderInput, one.record).data }));
  const inputs = read.flatMap(({ input }) => input ?? []);
  const lookupOf = ({ order_number }: OrderInput) => orderNumbers.lookup(account_id, order_number);
  const [find, references] = await Promise.all([
    getItems(db, inputs.map(lookupOf)),
    readOrderReferences(db, account_id, inputs),
  ]);
  const idOf = (input: OrderInput): number => orderNumbers.holderIn(find(lookupOf(input))) ?? 0;
  const existing = await orders.findAll(db, account_id, inputs.map(idOf));
  return compareEach(read, ({ row, input }) => {
    const before = input === undefined ? undefined : existing.get(idOf(input))?.record;
    if (before === undefined || input === undefined) return undefined;
    const wrong = differingFields(input, before, references);
    return wrong.map((field) => ({ row, field, message: "differs from what is stored" }));
  });
}

/** The fields that a replacement would change, without their values: customers' data are not printed. */
function differingFields(input: OrderInput, before: Order, references: OrderReferences): readonly string[] {
  const errors: FieldError[] = [];
  const terms = resolveTerms(input, references, "", errors, before);
  if (terms === undefined) return errors.map(({ path }) => path.slice(1));
  const stored = new Map<string, unknown>(Object.entries(before));
  return Object.entries(terms).flatMap(([name, value]) =>
    isDeepEqual(stored.get(name), value) ? [] : [name],
  );
}

/**
 * What reads the orders of a file, which is read once.
 * @throws as `readRows`; Usage if a CSV file has a row with more or fewer fields than columns
 */
export function ordersIn(file: string): () => Iterable<FiledRecord<ReadRecord>> {
  if (!isCsv(file)) return recordPerRow(readRows(file, columnsOf(orderInput)), orderOfRecord);
  const rows = readRows(file, orderColumns);
  return () => ordersOfLines(soundRows(rows()));
}

/** @throws Usage if a row cannot be assigned to an order */
function* soundRows(rows: Iterable<Read<Row>>): Generator<Row, void> {
  for (const one of rows) {
    if ("sound" in one) yield one.sound;
    else {
      const wrong = one.refused.map(({ row, message }) => `row ${row} ${message}`).join("; ");
      throw new Usage(`Nothing was stored, because a row can't be assigned to an order: ${wrong}`);
    }
  }
}

function orderOfRecord(one: Row): FiledRecord<ReadRecord> {
  const { row, fields } = one;
  const { warnings } = unreadFields(fields, orderInput, [], "is not known");
  const refused = warnings.map(({ path, message }) => ({ row, field: path, message }));
  const read = refused.length > 0 ? { refused } : { sound: { row, record: fields } };
  return { name: orderName(one), read };
}
