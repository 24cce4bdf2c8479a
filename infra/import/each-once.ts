/**
 * Records of a file that may occur only once: only the merchant knows which of two is right. The file is read
 * twice: first to find records that occur in two places, then to import the rest.
 */
import * as z from "zod/mini";
import { type Read, type Row, refusedRow } from "./columns.ts";

/** What identifies a record of a file, and the row in which the record begins. */
export interface Name {
  readonly text: string;
  readonly row: number;
}

/** A record of a file. Its name is undefined if the record has no valid one. */
export interface FiledRecord<T> {
  readonly read: Read<T>;
  readonly name: Name | undefined;
}

/** The name that a value is; undefined if the schema rejects it. */
export function nameBy(schema: z.ZodMiniType<string>, value: unknown, row: number): Name | undefined {
  const { data: text } = z.safeParse(schema, value);
  return text === undefined ? undefined : { text, row };
}

/** How a record that occurs twice is rejected: the field that names it, and the reason. */
export interface OnceRule {
  readonly field: string;
  readonly rule: string;
}

/**
 * The records of a file, and their number. If a name occurs in two places, both records are rejected.
 * @throws as `read` does, before the first record
 */
export function eachOnce<T>(
  read: () => Iterable<FiledRecord<T>>,
  rule: OnceRule,
): { readonly count: number; readonly records: Iterable<Read<T>> } {
  const { count, places } = repeatedNames(read());
  return { count, records: unlessRepeated(read(), places, rule) };
}

type Places = readonly [number, number];

/** The number of records, and the places of each name that occurs twice. */
function repeatedNames(records: Iterable<FiledRecord<unknown>>) {
  const rows = new Map<string, number>();
  const places = new Map<string, Places>();
  let count = 0;
  for (const { name } of records) {
    count += 1;
    if (name === undefined) continue;
    const first = rows.get(name.text);
    if (first === undefined) rows.set(name.text, name.row);
    else if (!places.has(name.text)) places.set(name.text, [first, name.row]);
  }
  return { count, places };
}

function* unlessRepeated<T>(
  records: Iterable<FiledRecord<T>>,
  places: ReadonlyMap<string, Places>,
  { field, rule }: OnceRule,
): Generator<Read<T>, void> {
  for (const { read, name } of records) {
    const [first, second] = (name && places.get(name.text)) ?? [];
    const other = name?.row === first ? second : first;
    if (name === undefined || other === undefined) yield read;
    else yield refusedRow(name.row, `is also in row ${other}: ${rule}`, field);
  }
}

export const recordPerRow = <T>(
  rows: () => Iterable<Read<Row>>,
  recordOf: (row: Row) => FiledRecord<T>,
): (() => Iterable<FiledRecord<T>>) =>
  function* () {
    for (const one of rows()) yield "sound" in one ? recordOf(one.sound) : { read: one, name: undefined };
  };
