/** What is imported: a CSV file, read as the operator's import reads it, and its records. */
import * as z from "zod/mini";
import { productInput } from "../../../../../shared/catalog/products/product.ts";
import type { ReadRecord } from "../../../../operator/import/by-call.ts";
import {
  type Columns,
  checkedHeader,
  csvRow,
  type Read,
  type Rejection,
  type Row,
} from "../../../../operator/import/columns.ts";
import { eachOnce, orderColumns, ordersOfLines } from "../../../../operator/import/order-lines.ts";
import { productColumns, productOf } from "../../../../operator/import/product-rows.ts";
import type { Client } from "../parts/session.ts";
import { count } from "../parts/ui.tsx";
import { type CsvRow, csvRows } from "./csv.ts";

/** A bulk call, whose body is a text already: the service checks the records, and not a type. */
type Post = (client: Client, dry_run: boolean, text: string, key: string) => Promise<unknown>;

const body = (text: string, key: string) => ({
  body: { data: [] },
  bodySerializer: () => text,
  headers: { "Idempotency-Key": key },
});

/** A kind of record that can be imported. */
export interface Kind {
  readonly noun: string;
  readonly columns: Columns;
  /** The column with the record's name, which exists once in an account. */
  readonly name: string;
  readonly read: (rows: readonly Row[]) => AsyncIterable<Read<ReadRecord>>;
  readonly post: Post;
}

export const kinds = {
  orders: {
    noun: "order",
    columns: orderColumns,
    name: "order_number",
    read: (rows) => eachOnce(() => ordersOfLines(rows)),
    post: (client, dry_run, text, key) =>
      client.POST("/orders", { params: { query: { dry_run } }, ...body(text, key) }),
  },
  products: {
    noun: "product",
    columns: productColumns,
    name: "sku",
    read: (rows) => eachOnce(() => rows.map(filedProduct), "sku", "a product may occur once"),
    post: (client, dry_run, text, key) =>
      client.POST("/inventory/products", { params: { query: { dry_run } }, ...body(text, key) }),
  },
} satisfies Readonly<Record<string, Kind>>;

const filedProduct = (row: Row) => {
  const { data: number } = z.safeParse(productInput.shape.sku, row.fields["sku"]);
  return { ...productOf(row), number, refused: [] };
};

/** A file that was read. */
export interface Sheet {
  readonly columns: readonly string[];
  readonly rows: readonly CsvRow[];
  readonly records: readonly ReadRecord[];
  /** Rows that make no record. */
  readonly refused: readonly Rejection[];
}

const [maxMegabytes, maxRows] = [10, 20_000];

/** @throws Error that says why a file can't be imported as a whole */
export async function readSheet(file: File, { columns, read }: Kind): Promise<Sheet> {
  if (file.size > maxMegabytes * 1_000_000)
    throw new Error(`The file is larger than ${maxMegabytes} MB. Split it, or have an operator import it`);
  const [header, ...rows] = csvRows(utf8(await file.arrayBuffer()));
  if (header === undefined || rows.length === 0) throw new Error("The file has no rows");
  if (rows.length > maxRows)
    throw new Error(
      `The file has ${count.format(rows.length)} rows, and an import at most ${count.format(maxRows)}`,
    );
  const names = checkedHeader(header.fields, columns);
  const refused: Rejection[] = [];
  const soundOf = <T>(one: Read<T>): readonly T[] => {
    if ("sound" in one) return [one.sound];
    refused.push(...one.refused);
    return [];
  };
  const sound = rows.flatMap(({ line, fields }) => {
    const named = names.map((name, position) => [name, fields[position] ?? ""]);
    return soundOf(csvRow(line, Object.fromEntries(named), fields.length !== names.length));
  });
  const records: ReadRecord[] = [];
  for await (const one of read(sound)) records.push(...soundOf(one));
  return { columns: names, rows, records, refused };
}

/** Without the check, invalid bytes would be read as other characters. */
function utf8(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("The file is not UTF-8. Save it as UTF-8");
  }
}
