import { recordKind } from "../../events/record-kind.ts";
import { statements } from "../../events/types.ts";
import { productList } from "../../store/lists/definitions.ts";
import { product } from "./product.ts";
import { productRecord } from "./product-view.ts";

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
