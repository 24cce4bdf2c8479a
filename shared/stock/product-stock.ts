/** Writes that change a product and its stock together. */
import type { Product } from "../catalog/products/product.ts";
import type { Center } from "../catalog/products/product-references.ts";
import { changeCenter, insertProduct } from "../catalog/products/product-repository.ts";
import type { RecordWrites, Write } from "../store/dynamodb/writes.ts";
import { openStock } from "./open-stock.ts";
import type { StockLevel } from "./stock.ts";

/** Empty stock of a product in a distribution center. */
export const emptyStock = (
  { account_id, product_id, sku }: Pick<Product, "account_id" | "product_id" | "sku">,
  center: Center,
): StockLevel => ({
  account_id,
  product_id,
  sku,
  distribution_center_id: center.distribution_center_id,
  distribution_center: center.code,
  on_hand: 0,
  reserved: 0,
  incoming: 0,
});

/** Creates the product with its SKU and empty stock; `path` is where the request names the SKU. */
export const insertProductWithStock = (created: Product, center: Center, path: string): RecordWrites => [
  ...insertProduct(created, center, path),
  ...openStock(emptyStock(created, center), created.created_at),
];

/** Reserves the product's future orders in `center`. Opens its stock there unless it is `opened` already. */
export const moveToCenter = (after: Product, center: Center, opened: boolean): readonly Write[] => [
  changeCenter(after, center),
  ...(opened ? [] : openStock(emptyStock(after, center), after.updated_at)),
];
