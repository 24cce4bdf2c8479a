/** Orders in files: a record of a JSON file is an order, a row of a CSV file one of its lines. */
import { unreadFields } from "../../../shared/http/request/unread-fields.ts";
import { orderInput } from "../../../shared/orders/order-input.ts";
import { Usage } from "../cli/outcome.ts";
import type { ReadRecord } from "./by-call.ts";
import { columnsOf, type Read, type Row } from "./columns.ts";
import { eachOnce, type FiledOrder, numberIn, orderColumns, ordersOfLines } from "./order-lines.ts";
import { isCsv, readRows } from "./rows.ts";

/**
 * The orders of a file. An order that occurs in two places is refused in both.
 * @throws as `readRows`; Usage if a CSV file has a row with more or fewer fields than columns
 */
export const ordersIn = (file: string): AsyncGenerator<Read<ReadRecord>, void> =>
  eachOnce(() =>
    isCsv(file)
      ? ordersOfLines(soundRows(readRows(file, orderColumns)))
      : ordersOfRecords(readRows(file, columnsOf(orderInput))),
  );

/** @throws Usage if a row cannot be assigned to an order */
async function* soundRows(rows: AsyncIterable<Read<Row>>): AsyncGenerator<Row, void> {
  for await (const one of rows) {
    if ("sound" in one) yield one.sound;
    else {
      const wrong = one.refused.map(({ row, message }) => `row ${row} ${message}`).join("; ");
      throw new Usage(`Nothing was stored, because a row can't be assigned to an order: ${wrong}`);
    }
  }
}

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
