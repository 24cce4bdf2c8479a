/** Products in tables: each row is one. */
import * as z from "zod/mini";
import { productInput } from "../../shared/catalog/products/product.ts";
import type { ReadRecord } from "./by-call.ts";
import { columnsOf, type Read, type Row, typedBy } from "./columns.ts";
import { eachOnce, type FiledRecord, unreadable } from "./each-once.ts";

export const productColumns = columnsOf(productInput);

const typers = Object.entries(productInput.shape).map(([name, schema]) => [name, typedBy(schema)] as const);

/** The product of a row, with numbers where a product has numbers. */
const productOf = ({ row, fields }: Row): ReadRecord => ({
  row,
  record: Object.fromEntries(
    typers.flatMap(([name, typed]) => (name in fields ? [[name, typed(fields[name])]] : [])),
  ),
});

/** The products of rows. One that occurs in two rows is refused in both: which of them holds is not known. */
export const productsOfRows = (read: () => Iterable<Read<Row>>): Generator<Read<ReadRecord>, void> =>
  eachOnce(() => filedProducts(read()), "sku", "a product may occur once");

function* filedProducts(rows: Iterable<Read<Row>>): Generator<FiledRecord, void> {
  for (const one of rows) {
    if ("refused" in one) yield unreadable(one.refused);
    else {
      const { data: name } = z.safeParse(productInput.shape.sku, one.sound.fields["sku"]);
      yield { ...productOf(one.sound), name, refused: [] };
    }
  }
}
