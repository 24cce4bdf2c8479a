/**
 * Records of a file that may occur only once. The file is read twice: first to find those that occur in two
 * places, then to import all others.
 */
import type { ReadRecord } from "./by-call.ts";
import { type Read, type Rejection, refusedRow } from "./columns.ts";

/** A record of a file, with its order number or SKU if that is valid, and the errors of its rows. */
export interface FiledRecord extends ReadRecord {
  readonly name: string | undefined;
  readonly refused: readonly Rejection[];
}

/** The records of a file. One whose name occurs in two places is refused in both. */
export function* eachOnce(
  read: () => Iterable<FiledRecord>,
  field = "order_number",
  rule = "an order may occur once, with consecutive lines",
): Generator<Read<ReadRecord>, void> {
  const places = repeatedNames(read());
  for (const { name, refused, ...record } of read()) {
    const [first, second] = places.get(name ?? "") ?? [];
    const other = record.row === first ? second : first;
    if (other !== undefined) yield refusedRow(record.row, `is also in row ${other}: ${rule}`, field);
    else yield refused.length > 0 ? { refused } : { sound: record };
  }
}

/** The first two rows in which a record of each name begins, of names that have two. */
function repeatedNames(records: Iterable<FiledRecord>): ReadonlyMap<string, readonly [number, number]> {
  const rows = new Map<string, number>();
  const repeated = new Map<string, readonly [number, number]>();
  for (const { row, name } of records) {
    if (name === undefined) continue;
    const first = rows.get(name);
    if (first === undefined) rows.set(name, row);
    else if (!repeated.has(name)) repeated.set(name, [first, row]);
  }
  return repeated;
}

/** A row that makes no record. */
export const unreadable = (refused: readonly Rejection[]): FiledRecord => ({
  row: refused[0]?.row ?? 0,
  record: {},
  name: undefined,
  refused,
});
