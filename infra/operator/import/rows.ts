/** Files of records for imports and exports: CSV with a header, a JSON list, or JSON lines. */

import { readFileSync, statSync, writeFileSync } from "node:fs";
import { stringify } from "csv-stringify/sync";
import { parse as parseJson } from "secure-json-parse";
import * as z from "zod/mini";
import { fileProblemOf, Usage } from "../cli/outcome.ts";
import {
  type Columns,
  checkedHeader,
  namedRow,
  type Read,
  type Rejection,
  type Row,
  refusedRow,
} from "./columns.ts";
import { csvRows } from "./csv.ts";
import { utf8Text } from "./utf8.ts";

const fieldsOf = z.record(z.string(), z.unknown());

/** The most bytes of a file: Node's texts have at most 2^29 characters. */
const maxFile = 500_000_000;

/** Whether a file is a table of texts, by its name. */
export const isCsv = (file: string): boolean => file.endsWith(".csv");

/**
 * The rows of a file, which is held in memory as a text. A row that is wrong by itself is refused alone.
 * @throws Usage if the file has no rows, is too large or not what its name says, has other columns, or is no
 * UTF-8: all but the first before the first row
 */
export function* readRows(file: string, columns: Columns): Generator<Read<Row>, void> {
  let isEmpty = true;
  try {
    for (const row of rowsIn(file, columns)) {
      isEmpty = false;
      yield row;
    }
    if (isEmpty) throw new Error("it has no rows");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Usage(fileProblemOf(error) ?? `${file} can't be read: ${reason}`);
  }
}

function rowsIn(file: string, columns: Columns): Iterable<Read<Row>> {
  const read = [
    [".csv", tableRows],
    [".jsonl", jsonLines],
    [".json", jsonList],
  ] as const;
  const [, rowsOf] = read.find(([ending]) => file.endsWith(ending)) ?? [];
  if (rowsOf === undefined) throw new Error("its name must end with .csv, .json or .jsonl");
  const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (size > maxFile) throw new Error("it is larger than 500 MB: split it");
  return rowsOf(utf8Text(readFileSync(file)), columns);
}

function* tableRows(text: string, columns: Columns): Generator<Read<Row>, void> {
  let names: readonly string[] | undefined;
  for (const row of csvRows(text))
    if (names === undefined) names = checkedHeader(row.fields, columns);
    else yield namedRow(names, row);
}

/** A record of a JSON file, which is refused if it has unknown fields. */
function known(one: Read<Row>, { known: names }: Columns): Read<Row> {
  const refused = "sound" in one ? unknownFields(one.sound, names) : one.refused;
  return refused.length > 0 ? { refused } : one;
}

const unknownFields = ({ row, fields }: Row, known: readonly string[]): readonly Rejection[] =>
  Object.keys(fields)
    .filter((name) => !known.includes(name))
    .map((field) => ({ row, field, message: `is not known; the fields are ${known.join(", ")}` }));

/** JSON without the number -0, which no quantity is. */
const parseRecords = (text: string): unknown =>
  parseJson(text, (_name: string, value: unknown) => {
    if (Object.is(value, -0)) throw new RangeError("has -0, which is no number of a record");
    return value;
  });

function* jsonLines(text: string, columns: Columns): Generator<Read<Row>, void> {
  for (const [position, line] of text.split(/\r\n|\n|\r/).entries())
    if (line.trim() !== "") yield known(rowOf(position + 1, line), columns);
}

function rowOf(row: number, line: string): Read<Row> {
  try {
    return { sound: { row, fields: z.parse(fieldsOf, parseRecords(line)) } };
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (error instanceof RangeError) return refusedRow(row, message);
    const isForbidden = message.includes("forbidden prototype property");
    return refusedRow(row, isForbidden ? "has the field __proto__ or constructor" : "is not a JSON object");
  }
}

function* jsonList(text: string, columns: Columns): Generator<Read<Row>, void> {
  const list = parseRecords(text);
  if (!Array.isArray(list)) throw new Error("it is not a JSON list");
  for (const [position, element] of list.entries()) {
    const { data: fields } = z.safeParse(fieldsOf, element);
    const row = position + 1;
    yield fields === undefined
      ? refusedRow(row, "is not a JSON object")
      : known({ sound: { row, fields } }, columns);
  }
}

/** The option of commands that write files. */
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
