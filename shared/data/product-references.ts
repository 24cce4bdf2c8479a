import type { NameReferences } from "../domain/catalog/names.ts";
import type { ProductPatch } from "../domain/catalog/product.ts";
import type { ProductReferences } from "../domain/catalog/product-references.ts";
import type { Database } from "../store/database.ts";
import { getItems } from "../store/reads.ts";
import { nameLookup, ownerOf } from "./names.ts";
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
): Promise<ProductReferences & NameReferences> {
  const find = await getItems(db, [
    distributionCenterLookup(defaultDistributionCenter),
    ...products.flatMap(({ sku, supplier, package_type, distribution_center }) => [
      nameLookup(accountId, sku),
      ...(supplier ? [supplierLookup(accountId, supplier)] : []),
      ...(package_type ? [packageTypeLookup(accountId, package_type)] : []),
      ...(distribution_center ? [distributionCenterLookup(distribution_center)] : []),
    ]),
  ]);
  return {
    ownerOf: (name) => ownerOf(find(nameLookup(accountId, name))),
    hasSupplier: (name) => find(supplierLookup(accountId, name)) !== undefined,
    hasPackageType: (code) => find(packageTypeLookup(accountId, code)) !== undefined,
    center: (code) =>
      parsed(distributionCenter, find(distributionCenterLookup(code ?? defaultDistributionCenter))),
  };
}
