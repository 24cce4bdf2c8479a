import { recordEvents } from "../../events/kind.ts";
import { eventCatalog } from "../../events/types.ts";
import { product } from "./product.ts";
import { productList } from "./product-lists.ts";
import { productRecord } from "./product-view.ts";

export const productEvents = recordEvents({
  ...eventCatalog.product,
  version: "2026-11-22",
  record: productRecord,
  list: productList,
  stored: product,
  idOf: ({ product_id }) => product_id,
  typesOf: (before) => [before === undefined ? "product.created" : "product.updated"],
});
