/** Files of records for imports and exports: CSV with a header, a JSON list, or JSON lines. */

import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parse } from "csv-parse";
import { stringify } from "csv-stringify/sync";
import { parse as parseJson } from "secure-json-parse";
import * as z from "zod/mini";
import { Usage } from "../cli/command.ts";

/** A record of a file, and where it begins: its line, or in a JSON list its position from 1. */
export interface Row {
  readonly row: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Why a row was not taken. */
export interface Rejection {
  readonly row: number;
  readonly field: string;
  readonly message: string;
}

/** A record as it was read, or why it was refused. */
export type Read<T> = { readonly sound: T } | { readonly refused: readonly Rejection[] };

export const refusedRow = (row: number, message: string, field = ""): Read<never> => ({
  refused: [{ row, field, message }],
});

const fieldsOf = z.record(z.string(), z.unknown());
const csvRecord = z.object({
  info: z.object({ lines: z.int(), error: z.optional(z.unknown()) }),
  record: z.record(z.string(), z.string()),
});

/** Whether a file is a table of texts, by its name. */
export const isCsv = (file: string): boolean => file.endsWith(".csv");

/**
 * Reads a file row by row; only a JSON list is read whole. A row that is wrong by itself is refused alone.
 * @throws Usage where the file is not what its name says, or no UTF-8: the latter before the first row
 */
export async function* readRows(file: string): AsyncGenerator<Read<Row>, void> {
  try {
    const rows = rowsIn(file);
    await mustBeUtf8(file);
    yield* rows;
  } catch (error) {
    throw new Usage(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const lineFeed = 0x0a;

/**
 * Without this check, invalid bytes would be decoded to other characters.
 * @throws Error that names the first invalid line
 */
async function mustBeUtf8(file: string): Promise<void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  try {
    for await (const chunk of createReadStream(file)) {
      const bytes = z.parse(z.instanceof(Uint8Array), chunk);
      for (let begin = 0; begin < bytes.length; ) {
        const found = bytes.indexOf(lineFeed, begin);
        const end = found === -1 ? bytes.length : found + 1;
        decoder.decode(bytes.subarray(begin, end), { stream: true });
        if (found !== -1) line += 1;
        begin = end;
      }
    }
    decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error(`line ${line} is not UTF-8; nothing of the file was stored. Save the file as UTF-8`);
  }
}

function rowsIn(file: string): AsyncGenerator<Read<Row>, void> {
  if (isCsv(file)) return csvRows(file);
  if (file.endsWith(".jsonl")) return jsonLines(file);
  if (file.endsWith(".json")) return jsonList(file);
  throw new Error("its name must end with .csv, .json or .jsonl");
}

/** A row whose fields are more or fewer than the columns may hold any of them in another's place. */
async function* csvRows(file: string): AsyncGenerator<Read<Row>, void> {
  const parser = parse({
    columns: true,
    bom: true,
    info: true,
    skip_empty_lines: true,
    relax_column_count: true,
  });
  const source = createReadStream(file);
  source.on("error", (error) => parser.destroy(error));
  let countedTwice = 0;
  for await (const found of source.pipe(parser)) {
    const { info, record } = z.parse(csvRecord, found);
    const text = Object.values(record).join(" ");
    // The parser counts the line that a record ends in, and each CR LF within quotes as two lines.
    countedTwice += text.split("\r\n").length - 1;
    const row = info.lines - countedTwice - (text.split("\n").length - 1);
    yield info.error === undefined
      ? { sound: { row, fields: record } }
      : refusedRow(row, "has more or fewer fields than the file has columns");
  }
}

async function* jsonLines(file: string): AsyncGenerator<Read<Row>, void> {
  let row = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    row += 1;
    if (line.trim() !== "") yield rowOf(row, line);
  }
}

function rowOf(row: number, line: string): Read<Row> {
  try {
    return { sound: { row, fields: z.parse(fieldsOf, parseJson(line)) } };
  } catch {
    return refusedRow(row, "is not a JSON object");
  }
}

async function* jsonList(file: string): AsyncGenerator<Read<Row>, void> {
  const list = z.parse(z.array(z.unknown()), parseJson(readFileSync(file, "utf8")));
  for (const [position, element] of list.entries()) {
    const { data: fields } = z.safeParse(fieldsOf, element);
    const row = position + 1;
    yield fields === undefined ? refusedRow(row, "is not a JSON object") : { sound: { row, fields } };
  }
}

/** Writes records to a new file, as its name says. @throws if the file exists */
export function writeRows(file: string, columns: readonly string[], records: readonly object[]): void {
  const isTable = isCsv(file);
  if (!isTable && !file.endsWith(".json")) throw new Usage("FILE must end with .csv or .json");
  const text = isTable
    ? stringify([...records], { header: true, columns: [...columns] })
    : `${JSON.stringify(records, null, 2)}\n`;
  writeFileSync(file, text, { flag: "wx" });
}

/**
 * Takes the texts of a CSV file for numbers where a schema takes numbers alone. Blank texts stay: a schema
 * says what they mean.
 */
export function typedBy(schema: z.ZodMiniType<unknown>, value: unknown): unknown {
  if (typeof value !== "string" || value.trim() === "") return value;
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  return z.safeParse(schema, value).success || !takesNumbers(schema) ? value : number;
}

const takesNumbers = (schema: z.ZodMiniType<unknown>): boolean =>
  [1, 2, 10].some((number) => z.safeParse(schema, number).success);
