/** Products in tables, with a product in each row. */
import { productInput } from "../../shared/catalog/products/product.ts";
import type { ReadRecord } from "./by-call.ts";
import { columnsOf, type Row, typedBy } from "./columns.ts";
import { type FiledRecord, nameBy, type OnceRule } from "./each-once.ts";

export const productColumns = columnsOf(productInput);

export const productOnce: OnceRule = { field: "sku", rule: "a product may occur once" };

const typers = Object.entries(productInput.shape).map(([name, schema]) => [name, typedBy(schema)] as const);

/** The product of a row, with numbers in its numeric fields. */
export const productOfRow = ({ row, fields }: Row): FiledRecord<ReadRecord> => {
  const record = Object.fromEntries(
    typers.flatMap(([name, typed]) => (name in fields ? [[name, typed(fields[name])]] : [])),
  );
  return { name: nameBy(productInput.shape.sku, fields["sku"], row), read: { sound: { row, record } } };
};
