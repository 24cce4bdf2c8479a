/** Files of records for imports and exports: CSV with a header, or a JSON list. */

import { readFileSync, statSync, writeFileSync } from "node:fs";
import { stringify } from "csv-stringify/sync";
import { parse as parseJson } from "secure-json-parse";
import * as z from "zod/mini";
import {
  type Columns,
  checkedHeader,
  namedRow,
  type Read,
  type Row,
  refusedRow,
} from "../../import/columns.ts";
import { csvRows } from "../../import/csv.ts";
import { utf8Text } from "../../import/utf8.ts";
import { fileProblemOf, Usage } from "../cli/outcome.ts";

const fieldsOf = z.record(z.string(), z.unknown());

/** The most bytes of a file: Node's texts have at most 2^29 characters. */
const maxFile = 500_000_000;

/** Whether a file is a table of texts, by its name. */
export const isCsv = (file: string): boolean => file.endsWith(".csv");

/**
 * What parses the rows of a file, as often as it is called: the file is read once, into a text in memory. A
 * row that is wrong by itself is refused alone.
 * @throws Usage if the file is too large, not what its name says or no UTF-8; while it is parsed, if it is
 * not CSV or JSON, has other columns, or no rows
 */
export function readRows(file: string, columns: Columns): () => Generator<Read<Row>, void> {
  const text = textOf(file);
  return function* () {
    try {
      let isEmpty = true;
      for (const row of isCsv(file) ? tableRows(text, columns) : listedRows(text, columns)) {
        isEmpty = false;
        yield row;
      }
      if (isEmpty) throw new Error("it has no rows");
    } catch (error) {
      throw unreadable(file, error);
    }
  };
}

function textOf(file: string): string {
  try {
    if (!isCsv(file) && !file.endsWith(".json")) throw new Error("its name must end with .csv or .json");
    const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (size > maxFile) throw new Error("it is larger than 500 MB: split it");
    return utf8Text(readFileSync(file));
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): Usage {
  const reason = error instanceof Error ? error.message : String(error);
  return new Usage(fileProblemOf(error) ?? `${file} can't be read: ${reason}`);
}

function* tableRows(text: string, columns: Columns): Generator<Read<Row>, void> {
  let names: readonly string[] | undefined;
  for (const row of csvRows(text))
    if (names === undefined) names = checkedHeader(row.fields, columns);
    else yield namedRow(names, row);
}

/** The records of a JSON list, of which none has the number -0. One with unknown fields is refused. */
function* listedRows(text: string, { known }: Columns): Generator<Read<Row>, void> {
  const list: unknown = parseJson(text, (_name: string, value: unknown) => {
    if (Object.is(value, -0)) throw new RangeError("has -0, which is no number of a record");
    return value;
  });
  if (!Array.isArray(list)) throw new Error("it is not a JSON list");
  for (const [position, element] of list.entries()) {
    const { data: fields } = z.safeParse(fieldsOf, element);
    const row = position + 1;
    const unknown = Object.keys(fields ?? {}).filter((name) => !known.includes(name));
    const message = `is not known; the fields are ${known.join(", ")}`;
    if (fields === undefined) yield refusedRow(row, "is not a JSON object");
    else if (unknown.length > 0) yield { refused: unknown.map((field) => ({ row, field, message })) };
    else yield { sound: { row, fields } };
  }
}

export const escapeOption = {
  "--escape-formulas": "put ' before texts of a .csv file that a spreadsheet would compute",
};

/**
 * Writes records to a new file, as its name says. With `escapesFormulas`, texts of a CSV file that a
 * spreadsheet would compute (`=…`, `+…`, `-…`, `@…`) begin with an apostrophe. @throws if the file exists
 */
export function writeRows(
  file: string,
  columns: readonly string[],
  records: readonly object[],
  escapesFormulas: boolean,
): void {
  const isTable = isCsv(file);
  if (!isTable && !file.endsWith(".json")) throw new Usage("FILE must end with .csv or .json");
  const text = isTable
    ? stringify([...records], { header: true, columns: [...columns], escape_formulas: escapesFormulas })
    : `${JSON.stringify(records, null, 2)}\n`;
  writeFileSync(file, text, { flag: "wx" });
}
