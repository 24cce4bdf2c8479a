import { created } from "../../../shared/catalog/products/product.ts";
import { insertProductWithStock } from "../../../shared/stock/product-stock.ts";
import { productList } from "../../../shared/store/lists/definitions.ts";
import { productOf } from "../../support/records/records.ts";
import { accountId, type BenchedList } from "./benched-list.ts";

const center = { distribution_center_id: 1, code: "MAIN" };

export const products: BenchedList = {
  name: "products",
  path: "/inventory/products",
  list: productList,
  writesAt: (product_id, position, at) => {
    const sent = productOf({ sku: `BENCH-${position}`, distribution_center: "MAIN" });
    return insertProductWithStock(created(sent, { account_id: accountId, product_id, at }), center, "bench");
  },
  filters: [{ name: "unfiltered", query: "", matches: () => true }],
};
