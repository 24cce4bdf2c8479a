import { duplicateErrors, type FieldError, resolveEach } from "../../common/problem.ts";
import { type NameReferences, nameErrors, skuError } from "../names.ts";
import type { Synset, SynsetInput, SynsetTerms } from "./synset.ts";

/** What the kits of one call refer to. */
export interface SynsetReferences {
  /** The product with a SKU or, if there is none, with an alias for every channel. */
  readonly product: (name: string) => { readonly product_id: number; readonly sku: string } | undefined;
}

/** An error for each repeated kit of a call, at its second and later places. */
export const repeatedSynsets = (records: readonly { readonly synset: string }[]): readonly FieldError[] =>
  duplicateErrors(
    records.map(({ synset }) => synset),
    (position) => `data.${position}.synset`,
  );

/**
 * Resolves the components of a kit. Each product may occur once, by its SKU or by an alias. Errors are added
 * to `errors`. `path` is the kit's place in the request (`data.0`).
 */
export function resolveComponents(
  items: SynsetInput["items"],
  { product }: SynsetReferences,
  path: string,
  errors: FieldError[],
): Synset["items"] {
  const pathOf = (position: number) => `${path}.items.${position}.sku`;
  const skus = items.map(({ sku }) => product(sku)?.sku ?? sku);
  errors.push(...duplicateErrors(skus, pathOf, "this synset"));
  return items.flatMap(({ sku, quantity }, position) => {
    const found = product(sku);
    if (found !== undefined) return [{ sku: found.sku, product_id: found.product_id, quantity }];
    errors.push(skuError(sku, `${path}.items.${position}`));
    return [];
  });
}

/**
 * Finds the components of each kit of a create call.
 * @throws Problem `invalid` with everything that is wrong in any of them
 */
export function resolveNewSynsets(
  inputs: readonly SynsetInput[],
  references: SynsetReferences & NameReferences,
): readonly SynsetTerms[] {
  const resolve = ({ synset, items }: SynsetInput, path: string, errors: FieldError[]) => {
    errors.push(...nameErrors(synset, `${path}.synset`, "synset", references));
    return { synset, items: resolveComponents(items, references, path, errors) };
  };
  return resolveEach(inputs, resolve, repeatedSynsets(inputs));
}
