/** Files of records, as operators bring them in and take them out: CSV with a header, a JSON list, or JSON lines. */
import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parse } from "csv-parse";
import { stringify } from "csv-stringify/sync";
import { parse as parseJson } from "secure-json-parse";
import * as z from "zod/mini";
import { Usage } from "../cli/failures.ts";

/** A record of a file, and where it begins: its line, or in a JSON list its position from 1. */
export interface Row {
  readonly row: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

const fieldsOf = z.record(z.string(), z.unknown());
const csvRecord = z.object({ info: z.object({ lines: z.int() }), record: z.record(z.string(), z.string()) });

/** Reads a file row by row; only a JSON list is read whole. @throws Usage where the file is not what its name says */
export async function* readRows(file: string): AsyncGenerator<Row, void> {
  try {
    yield* rowsIn(file);
  } catch (error) {
    throw new Usage(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function rowsIn(file: string): AsyncGenerator<Row, void> {
  if (file.endsWith(".csv")) return csvRows(file);
  if (file.endsWith(".jsonl")) return jsonLines(file);
  if (file.endsWith(".json")) return jsonList(file);
  throw new Error("its name must end with .csv, .json or .jsonl");
}

async function* csvRows(file: string): AsyncGenerator<Row, void> {
  const parser = parse({ columns: true, bom: true, info: true, skip_empty_lines: true });
  const source = createReadStream(file);
  source.on("error", (error) => parser.destroy(error));
  for await (const found of source.pipe(parser)) {
    const { info, record } = z.parse(csvRecord, found);
    yield { row: info.lines, fields: record };
  }
}

async function* jsonLines(file: string): AsyncGenerator<Row, void> {
  let row = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    row += 1;
    if (line.trim() !== "") yield { row, fields: z.parse(fieldsOf, parseJson(line)) };
  }
}

async function* jsonList(file: string): AsyncGenerator<Row, void> {
  const list = z.parse(z.array(fieldsOf), parseJson(readFileSync(file, "utf8")));
  for (const [position, fields] of list.entries()) yield { row: position + 1, fields };
}

/** Writes records to a new file, as its name says. @throws where there is such a file */
export function writeRows(file: string, columns: readonly string[], records: readonly object[]): void {
  const isCsv = file.endsWith(".csv");
  if (!isCsv && !file.endsWith(".json")) throw new Usage("FILE must end with .csv or .json");
  const text = isCsv
    ? stringify([...records], { header: true, columns: [...columns] })
    : `${JSON.stringify(records, null, 2)}\n`;
  writeFileSync(file, text, { flag: "wx" });
}

/**
 * Takes the texts of a CSV file for numbers where a schema takes numbers alone. Blank texts stay: a schema says what they
 * mean.
 */
export function typedBy(schema: z.ZodMiniType<unknown>, value: unknown): unknown {
  if (typeof value !== "string" || value.trim() === "") return value;
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  return z.safeParse(schema, value).success || !takesNumbers(schema) ? value : number;
}

const takesNumbers = (schema: z.ZodMiniType<unknown>): boolean =>
  [1, 2, 10].some((number) => z.safeParse(schema, number).success);
