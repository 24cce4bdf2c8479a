import { expect } from "vitest";
import { at } from "./client.ts";
import { productOf } from "./records.ts";
import type { Service } from "./service.ts";

/** New products of account 100, of which so many units lie in A1/03; their SKUs in this order. */
export async function stockedProducts(
  { oms, wms, settled }: Service,
  quantities: readonly number[],
): Promise<readonly string[]> {
  const products = quantities.map(() => productOf());
  const created = await oms.post("/inventory/products", { data: products });
  expect(created.status).toBe(200);
  const skus = products.map(({ sku }) => sku);
  const counts = quantities.flatMap((qty_in_bin, position) =>
    qty_in_bin === 0 ? [] : [{ sku: skus[position], bins: [{ location: "A1", bin: "03", qty_in_bin }] }],
  );
  if (counts.length > 0) {
    const counted = await wms.post("/recount", [{ account_id: 100, skus: counts }]);
    expect(at(counted.body, "success")).toBe(true);
    await settled();
  }
  return skus;
}
