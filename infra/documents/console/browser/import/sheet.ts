/** What is imported: a CSV file, read as the operator's import reads it, and its records. */
import type { ReadRecord } from "../../../../import/by-call.ts";
import {
  type Columns,
  checkedHeader,
  namedRow,
  type Rejection,
  type Row,
} from "../../../../import/columns.ts";
import { csvRows } from "../../../../import/csv.ts";
import { eachOnce, type FiledRecord, type OnceRule } from "../../../../import/each-once.ts";
import { orderColumns, orderOnce, ordersOfLines } from "../../../../import/order-lines.ts";
import { productColumns, productOfRow, productOnce } from "../../../../import/product-rows.ts";
import { utf8Text } from "../../../../import/utf8.ts";
import type { Client } from "../parts/service.ts";

export interface Kind {
  readonly noun: string;
  readonly columns: Columns;
  readonly path: "/orders" | "/inventory/products";
  readonly once: OnceRule;
  readonly read: (rows: readonly Row[]) => Iterable<FiledRecord<ReadRecord>>;
}

export const kinds = {
  orders: { noun: "order", columns: orderColumns, path: "/orders", once: orderOnce, read: ordersOfLines },
  products: {
    noun: "product",
    columns: productColumns,
    path: "/inventory/products",
    once: productOnce,
    read: (rows) => rows.map(productOfRow),
  },
} satisfies Readonly<Record<string, Kind>>;

/** Bulk calls whose body is already text: the service checks the records instead of a type. */
export const post = (client: Client, { path }: Kind, dry_run: boolean, text: string, key: string) =>
  client.POST(path, {
    params: { query: { dry_run } },
    headers: { "Idempotency-Key": key },
    body: { data: [] },
    bodySerializer: () => text,
  });

export type Sheet = Awaited<ReturnType<typeof readSheet>>;

/**
 * The columns and rows of a file, and its records; `refused` are rows without a valid record.
 * @throws Error that says why a file can't be imported as a whole
 */
export async function readSheet(file: File, { columns, once, read }: Kind) {
  const tooLarge = "The file is larger than 10 MB. Split it, or have an operator import it";
  if (file.size > 10_000_000) throw new Error(tooLarge);
  const [header, ...rows] = csvRows(utf8Text(new Uint8Array(await file.arrayBuffer())));
  if (header === undefined || rows.length === 0) throw new Error("The file has no rows");
  const names = checkedHeader(header.fields, columns);
  const named = rows.map((row) => namedRow(names, row));
  const refused: Rejection[] = named.flatMap((one) => ("refused" in one ? one.refused : []));
  const sound = named.flatMap((one) => ("sound" in one ? one.sound : []));
  const records: ReadRecord[] = [];
  for (const one of eachOnce(() => read(sound), once).records)
    if ("sound" in one) records.push(one.sound);
    else refused.push(...one.refused);
  return { columns: names, rows, records, refused };
}
