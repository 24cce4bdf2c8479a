import { product } from "../../domain/catalog/product.ts";
import { statements } from "../../domain/events/types.ts";
import { productRecord } from "../../http/records/product.ts";
import { productList } from "../../store/lists/definitions.ts";
import { recordKind } from "../record-kind.ts";

export const productKind = recordKind({
  ...statements.product,
  version: "2026-11-22",
  record: productRecord,
  list: productList,
  stored: product,
  idOf: ({ product_id }) => product_id,
  present: (stored) => stored,
  typesOf: (before) => [before === undefined ? "product.created" : "product.updated"],
});
