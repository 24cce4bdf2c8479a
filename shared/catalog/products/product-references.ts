import { duplicateErrors, type FieldError, resolveEach } from "../../common/problem.ts";
import { isPresent } from "../../common/versioned.ts";
import { type Accepted, unregistered } from "../../registries/registry.ts";
import { type NameReferences, nameErrors } from "../names.ts";
import type { ProductInput, ProductPatch } from "./product.ts";

/** A distribution center that a product is kept in. */
export interface Center {
  readonly distribution_center_id: number;
  readonly code: string;
}

/** What the products of one call refer to. */
export interface ProductReferences {
  readonly hasSupplier: (name: string) => boolean;
  readonly hasPackageType: (code: string) => boolean;
  /** The center with this code; by default the default center. */
  readonly center: (code: string | null | undefined) => Center | undefined;
  readonly accepted: Accepted;
}

/** An error for each repeated SKU of a call, at its second and later places. */
export const repeatedSkus = (records: readonly { readonly sku: string }[]): readonly FieldError[] =>
  duplicateErrors(
    records.map(({ sku }) => sku),
    (position) => `data.${position}.sku`,
  );

/** The errors of a record's unknown references. Names are case-sensitive. */
export function referenceErrors(
  sent: ProductPatch,
  { hasSupplier, hasPackageType, center, accepted }: ProductReferences,
  path: string,
): readonly FieldError[] {
  const { supplier, package_type, distribution_center } = sent;
  const errors: FieldError[] = [];
  if (isPresent(supplier) && !hasSupplier(supplier)) {
    errors.push(unregistered("supplier", supplier, accepted, `${path}.supplier`));
  }
  if (isPresent(package_type) && !hasPackageType(package_type)) {
    errors.push(unregistered("package_type", package_type, accepted, `${path}.package_type`));
  }
  // Null resets the product to the default center.
  if (distribution_center !== undefined && center(distribution_center) === undefined) {
    errors.push(centerError(distribution_center, path, accepted));
  }
  return errors;
}

/** The error of an unknown distribution center. Without a code, the default center is missing. */
export const centerError = (
  code: string | null | undefined,
  path: string,
  accepted: Accepted,
): FieldError => {
  const place = `${path}.distribution_center`;
  return isPresent(code)
    ? unregistered("distribution_center", code, accepted, place)
    : { path: place, message: "is required, as the warehouse has no default" };
};

/**
 * Finds the center of each product of a create call.
 * @throws Problem `invalid` with everything that is wrong in any of them
 */
export function resolveNewProducts(
  inputs: readonly ProductInput[],
  references: ProductReferences & NameReferences,
): readonly { readonly input: ProductInput; readonly center: Center }[] {
  const resolve = (input: ProductInput, path: string, errors: FieldError[]) => {
    errors.push(...nameErrors(input.sku, `${path}.sku`, "product", references));
    errors.push(...referenceErrors(input, references, path));
    const center = references.center(input.distribution_center);
    // If a center was sent, the reference errors include it.
    if (center === undefined && input.distribution_center === undefined)
      errors.push(centerError(undefined, path, references.accepted));
    return center && { input, center };
  };
  return resolveEach(inputs, resolve, repeatedSkus(inputs));
}
