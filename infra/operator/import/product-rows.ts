/** Products in tables: each row is one. */
import { productInput } from "../../../shared/catalog/products/product.ts";
import type { ReadRecord } from "./by-call.ts";
import { columnsOf, type Row, typedBy } from "./columns.ts";

export const productColumns = columnsOf(productInput);

/** The product of a row, with numbers where a product has numbers. */
export const productOf = ({ row, fields }: Row): ReadRecord => ({
  row,
  record: Object.fromEntries(
    Object.entries(productInput.shape).flatMap(([name, schema]) =>
      name in fields ? [[name, typedBy(schema, fields[name])]] : [],
    ),
  ),
});
