import {
  defaultDistributionCenter,
  distributionCenterIn,
  distributionCenterLookup,
  packageTypes,
  readAccepted,
  referencesTo,
  suppliers,
  unknownIn,
} from "../../registries/registry-repository.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { getItems } from "../../store/dynamodb/reads.ts";
import { nameLookup, ownerOf } from "../name-repository.ts";
import type { NameReferences } from "../names.ts";
import type { ProductPatch } from "./product.ts";
import type { ProductReferences } from "./product-references.ts";

/**
 * Reads everything that the products of a call refer to, and which names are taken. One round trip, and one
 * more if a reference is unknown.
 */
export async function readProductReferences(
  db: Database,
  accountId: number,
  products: readonly ProductPatch[],
): Promise<ProductReferences & NameReferences> {
  const references = products.flatMap(({ supplier, package_type, distribution_center }) => [
    ...referencesTo.supplier(accountId, supplier),
    ...referencesTo.packageType(accountId, package_type),
    ...referencesTo.distributionCenter(distribution_center),
  ]);
  const find = await getItems(db, [
    distributionCenterLookup(defaultDistributionCenter),
    ...references.map(({ lookup }) => lookup),
    ...products.map(({ sku }) => nameLookup(accountId, sku)),
  ]);
  return {
    ownerOf: (name) => ownerOf(find(nameLookup(accountId, name))),
    hasSupplier: (name) => find(suppliers.lookup(accountId, name)) !== undefined,
    hasPackageType: (code) => find(packageTypes.lookup(accountId, code)) !== undefined,
    center: (code) => distributionCenterIn(find, code ?? defaultDistributionCenter),
    accepted: await readAccepted(db, accountId, unknownIn(references, find)),
  };
}
