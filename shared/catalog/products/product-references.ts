import { isPresent } from "../../common/fields.ts";
import { type Placed, resolveEach } from "../../common/placed.ts";
import { duplicateErrors, type FieldError } from "../../common/problem.ts";
import { type Registered, registryErrors, unregisteredError } from "../../registries/registry.ts";
import {
  defaultDistributionCenter,
  distributionCenterIn,
  distributionCenterLookup,
  type Reference,
  readRegistered,
  referenceLookups,
} from "../../registries/registry-repository.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { getItems } from "../../store/dynamodb/reads.ts";
import { nameLookup, ownerOf } from "../name-repository.ts";
import { nameErrors } from "../names.ts";
import type { ProductInput, ProductPatch } from "./product.ts";

/** A distribution center that a product is kept in. */
export interface Center {
  readonly distribution_center_id: number;
  readonly code: string;
}

/**
 * Reads everything that the products of a call refer to, and which names are taken. One round trip, and one
 * more if a reference is unknown.
 */
export async function readProductReferences(
  db: Database,
  accountId: number,
  products: readonly ProductPatch[],
) {
  const references = products.flatMap((sent): readonly Reference[] => [
    ["supplier", sent.supplier],
    ["package_type", sent.package_type],
    ["distribution_center", sent.distribution_center],
  ]);
  const find = await getItems(db, [
    distributionCenterLookup(defaultDistributionCenter),
    ...referenceLookups(accountId, references),
    ...products.map(({ sku }) => nameLookup(accountId, sku)),
  ]);
  return {
    registered: await readRegistered(db, accountId, references, find),
    ownerOf: (name: string) => ownerOf(find(nameLookup(accountId, name))),
    /** The center with this code; by default the default center. */
    center: (code: string | null | undefined): Center | undefined =>
      distributionCenterIn(find, code ?? defaultDistributionCenter),
  };
}
type ProductReferences = Awaited<ReturnType<typeof readProductReferences>>;

/** An error for each repeated SKU of a call, at its second and later occurrences. */
const repeatedSkus = (records: readonly Placed<ProductInput>[]): readonly FieldError[] =>
  duplicateErrors(records.map(({ value: { sku }, path }) => ({ name: sku, path: `${path}.sku` })));

/** The errors of a record's unknown references. Names are case-sensitive. */
export const referenceErrors = (
  { supplier, package_type, distribution_center }: ProductPatch,
  { registered, center }: Omit<ProductReferences, "ownerOf">,
  path: string,
): readonly FieldError[] => [
  ...registryErrors("supplier", supplier, registered, `${path}.supplier`),
  ...registryErrors("package_type", package_type, registered, `${path}.package_type`),
  // Null resets the product to the default center.
  ...(distribution_center !== undefined && center(distribution_center) === undefined
    ? [centerError(distribution_center, path, registered)]
    : []),
];

/** The error of an unknown distribution center. Without a code, the default center is missing. */
export const centerError = (
  code: string | null | undefined,
  path: string,
  { accepted }: Registered,
): FieldError => {
  const centerPath = `${path}.distribution_center`;
  return isPresent(code)
    ? unregisteredError("distribution_center", code, accepted, centerPath)
    : { path: centerPath, message: "is required, as the warehouse has no default" };
};

/**
 * Finds the center of each product of a create call.
 * @throws Problem `invalid` with everything that is wrong in any of them
 */
export function resolveNewProducts(
  inputs: readonly Placed<ProductInput>[],
  references: ProductReferences,
): readonly Placed<{ readonly input: ProductInput; readonly center: Center }>[] {
  const resolve = (input: ProductInput, path: string, errors: FieldError[]) => {
    errors.push(...nameErrors(input.sku, `${path}.sku`, "product", references));
    errors.push(...referenceErrors(input, references, path));
    const center = references.center(input.distribution_center);
    // If a center was sent, the reference errors include it.
    if (center === undefined && input.distribution_center === undefined)
      errors.push(centerError(undefined, path, references.registered));
    return center && { input, center };
  };
  return resolveEach(inputs, resolve, repeatedSkus(inputs));
}
