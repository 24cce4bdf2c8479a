/** Files of records for imports and exports: CSV with a header, a JSON list, or JSON lines. */

import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { CsvError, parse } from "csv-parse";
import { stringify } from "csv-stringify/sync";
import { parse as parseJson } from "secure-json-parse";
import * as z from "zod/mini";
import { fileProblemOf, Usage } from "../cli/outcome.ts";
import {
  type Columns,
  checkedHeader,
  csvRow,
  maxField,
  type Read,
  type Rejection,
  type Row,
  refusedRow,
} from "./columns.ts";
import { utf8Decoder } from "./utf8.ts";

const fieldsOf = z.record(z.string(), z.unknown());
const csvRecord = z.object({
  info: z.object({ lines: z.int(), error: z.optional(z.unknown()) }),
  record: z.record(z.string(), z.string()),
});

/** Whether a file is a table of texts, by its name. */
export const isCsv = (file: string): boolean => file.endsWith(".csv");

/**
 * Reads a file row by row; only a JSON list is read whole. A row that is wrong by itself is refused alone.
 * @throws Usage if the file has no rows, is not what its name says, has other columns, or is no UTF-8: the
 * latter two before the first row
 */
export async function* readRows(file: string, columns: Columns): AsyncGenerator<Read<Row>, void> {
  let isEmpty = true;
  try {
    const rows = rowsIn(file, columns);
    await mustBeUtf8(file);
    for await (const row of rows) {
      isEmpty = false;
      yield row;
    }
    if (isEmpty) throw new Error("it has no rows");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Usage(fileProblemOf(error) ?? `${file} can't be read: ${reason}`);
  }
}

/** @throws Error that names the first line that is not UTF-8 */
async function mustBeUtf8(file: string): Promise<void> {
  const decode = utf8Decoder();
  for await (const chunk of createReadStream(file)) decode(z.parse(z.instanceof(Uint8Array), chunk));
  decode();
}

function rowsIn(file: string, columns: Columns): AsyncGenerator<Read<Row>, void> {
  if (isCsv(file)) return csvRows(file, columns);
  if (file.endsWith(".jsonl")) return knownFields(jsonLines(file), columns);
  if (file.endsWith(".json")) return knownFields(jsonList(file), columns);
  throw new Error("its name must end with .csv, .json or .jsonl");
}

/** The most characters of a row. After a quote that is not closed, the parser reads no further. */
const maxRow = 16 * maxField;

/** A row whose fields are more or fewer than the columns may hold any of them in another's place. */
async function* csvRows(file: string, columns: Columns): AsyncGenerator<Read<Row>, void> {
  let place = "the header";
  const parser = parse({
    columns: (header: readonly string[]) => {
      place = "the row after the header";
      return checkedHeader(header, columns);
    },
    bom: true,
    info: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: maxRow,
  });
  const source = createReadStream(file);
  source.on("error", (error) => parser.destroy(error));
  try {
    for await (const { end, read } of csvRowsOf(source.pipe(parser))) {
      place = `the row after line ${end}`;
      yield read;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const reason = error.code === "CSV_MAX_RECORD_SIZE" ? "It has no end within 1 MB" : error.message;
    throw new Error(`${place} is not CSV; is a quote missing? ${reason}`);
  }
}

/** Rows as the parser finds them, with the lines in which they end. */
async function* csvRowsOf(found: AsyncIterable<unknown>) {
  let countedTwice = 0;
  for await (const one of found) {
    const { info, record } = z.parse(csvRecord, one);
    const text = Object.values(record).join(" ");
    // The parser counts the line that a record ends in, and each CR LF within quotes as two lines.
    countedTwice += text.split("\r\n").length - 1;
    const end = info.lines - countedTwice;
    const row = end - (text.split("\n").length - 1);
    yield { end, read: csvRow(row, record, info.error !== undefined) };
  }
}

/** Refuses records of JSON files with unknown fields. */
async function* knownFields(
  rows: AsyncIterable<Read<Row>>,
  { known }: Columns,
): AsyncGenerator<Read<Row>, void> {
  for await (const one of rows) {
    const refused = "sound" in one ? unknownFields(one.sound, known) : one.refused;
    yield refused.length > 0 ? { refused } : one;
  }
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

async function* jsonLines(file: string): AsyncGenerator<Read<Row>, void> {
  let row = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    row += 1;
    if (line.trim() !== "") yield rowOf(row, line);
  }
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

async function* jsonList(file: string): AsyncGenerator<Read<Row>, void> {
  const list = z.parse(z.array(z.unknown()), parseRecords(readFileSync(file, "utf8")));
  for (const [position, element] of list.entries()) {
    const { data: fields } = z.safeParse(fieldsOf, element);
    const row = position + 1;
    yield fields === undefined ? refusedRow(row, "is not a JSON object") : { sound: { row, fields } };
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
