import type { ProductPatch } from "../domain/catalog/product.ts";
import type { ProductReferences } from "../domain/catalog/product-references.ts";
import type { Database } from "../store/database.ts";
import { getItems } from "../store/reads.ts";
import { skuLookup } from "./products.ts";
import {
  defaultDistributionCenter,
  distributionCenter,
  distributionCenterLookup,
  packageTypeLookup,
  parsed,
  supplierLookup,
} from "./registries.ts";

/** Everything that the products of one call refer to, and the SKUs that are taken: one round trip. */
export async function readProductReferences(
  db: Database,
  accountId: number,
  products: readonly ProductPatch[],
): Promise<ProductReferences & { readonly isTaken: (sku: string) => boolean }> {
  const find = await getItems(db, [
    distributionCenterLookup(defaultDistributionCenter),
    ...products.flatMap(({ sku, supplier, package_type, distribution_center }) => [
      skuLookup(accountId, sku),
      ...(supplier ? [supplierLookup(accountId, supplier)] : []),
      ...(package_type ? [packageTypeLookup(accountId, package_type)] : []),
      ...(distribution_center ? [distributionCenterLookup(distribution_center)] : []),
    ]),
  ]);
  return {
    isTaken: (sku) => find(skuLookup(accountId, sku)) !== undefined,
    hasSupplier: (name) => find(supplierLookup(accountId, name)) !== undefined,
    hasPackageType: (code) => find(packageTypeLookup(accountId, code)) !== undefined,
    center: (code) =>
      parsed(distributionCenter, find(distributionCenterLookup(code ?? defaultDistributionCenter))),
  };
}
