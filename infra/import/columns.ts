/** Rows of tables and their columns, wherever the table comes from. */
import * as z from "zod/mini";
import type { FieldError } from "../../shared/common/problem.ts";
import type { CsvRow } from "./csv.ts";

/** A record of a file, and where it begins: its line, or in a JSON list its position from 1. */
export interface Row {
  readonly row: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Why a row was not taken. It has the code of the call's error, if that has one. */
export interface Rejection extends Pick<FieldError, "message" | "code"> {
  readonly row: number;
  readonly field: string;
}

export type Read<T> = { readonly sound: T } | { readonly refused: readonly Rejection[] };

export const refusedRow = (row: number, message: string, field = ""): Read<never> => ({
  refused: [{ row, field, message }],
});

/** The columns of a file. A CSV file must have the required ones; JSON files state fields by record. */
export interface Columns {
  readonly known: readonly string[];
  readonly required: readonly string[];
}

export const columnsOf = ({ shape }: z.ZodMiniObject): Columns => ({
  known: Object.keys(shape),
  required: Object.entries(shape).flatMap(([name, field]) =>
    z.safeParse(field, undefined).success ? [] : [name],
  ),
});

const maxField = 64 * 1024;

/**
 * A row of a CSV table with these columns. If its fields are more or fewer, any of them may stand in
 * another's place, so it is refused, and so are texts that are too long for any field.
 */
export function namedRow(names: readonly string[], { line, fields }: CsvRow): Read<Row> {
  if (fields.length !== names.length)
    return refusedRow(line, "has more or fewer fields than the file has columns");
  const long = names.find((_, position) => (fields[position] ?? "").length > maxField);
  return long === undefined
    ? { sound: { row: line, fields: Object.fromEntries(names.map((name, at) => [name, fields[at]])) } }
    : refusedRow(line, `has more than ${maxField} characters`, long);
}

/** @throws Error that says all that is wrong with the columns, so that no row needs to be refused for it */
export function checkedHeader(header: readonly string[], { known, required }: Columns): string[] {
  const names = header.map((name) => name.trim());
  const wrong = [
    [...new Set(names.filter((name, position) => names.indexOf(name) !== position))].map(
      (name) => `the column ${name} is there twice`,
    ),
    names
      .filter((name) => !known.includes(name))
      .map((name) => `the column ${JSON.stringify(name)} is not known`),
    required.filter((name) => !names.includes(name)).map((name) => `the column ${name} is missing`),
  ].flat();
  // Spreadsheets in some languages save tables so.
  if (names.length === 1 && names[0]?.includes(";"))
    throw new Error("its columns are separated by semicolons: separate them by commas");
  if (wrong.length > 0) throw new Error(`${wrong.join(", ")}; the columns are ${known.join(", ")}`);
  return names;
}

/**
 * What takes the texts of a column for numbers, if its schema takes numbers alone. Blank texts stay: the
 * schema says what they mean.
 */
export const typedBy = (schema: z.core.$ZodType): ((value: unknown) => unknown) =>
  takesNumbersAlone(schema) ? (value) => decimalIn(value) ?? value : (value) => value;

/** The decimal number that a text is; undefined for any other, such as `0x10` and `-0`. */
export function decimalIn(value: unknown): number | undefined {
  if (typeof value !== "string" || !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value.trim()))
    return undefined;
  const number = Number(value);
  return Number.isFinite(number) && !Object.is(number, -0) ? number : undefined;
}

const takesNumbersAlone = (schema: z.core.$ZodType): boolean =>
  [1, 2, 10].some(
    (number) => z.safeParse(schema, number).success && !z.safeParse(schema, String(number)).success,
  );
