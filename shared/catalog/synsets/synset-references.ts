import { type Placed, placed, resolveEach } from "../../common/placed.ts";
import { duplicateErrors, type FieldError } from "../../common/problem.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { getItems } from "../../store/dynamodb/reads.ts";
import { findNamed } from "../aliases/alias-names.ts";
import { nameLookup, ownerOf } from "../name-repository.ts";
import { nameErrors, skuError } from "../names.ts";
import type { Synset, SynsetInput, SynsetTerms } from "./synset.ts";

/**
 * Reads the products that the synsets of a call contain, and which names are taken. As many round trips as
 * `findNamed`.
 */
export async function readSynsetReferences(
  db: Database,
  accountId: number,
  synsets: readonly { readonly synset: string; readonly items?: SynsetInput["items"] | undefined }[],
) {
  const names = synsets.map(({ synset }) => nameLookup(accountId, synset));
  const skus = synsets.flatMap(({ items = [] }) => items.map(({ sku }) => sku));
  const [find, product] = await Promise.all([getItems(db, names), findNamed(db, accountId, skus)]);
  return { ownerOf: (name: string) => ownerOf(find(nameLookup(accountId, name))), product };
}
type SynsetReferences = Awaited<ReturnType<typeof readSynsetReferences>>;

/** An error for each repeated kit of a call, at its second and later occurrences. */
const repeatedSynsets = (records: readonly Placed<SynsetInput>[]): readonly FieldError[] =>
  duplicateErrors(records.map(({ value: { synset }, path }) => ({ name: synset, path: `${path}.synset` })));

/**
 * Resolves the components of a kit. Each product may occur once, by its SKU or by an alias. Errors are added
 * to `errors`. `path` is where the kit is in the request (`data.0`).
 */
export function resolveComponents(
  items: SynsetInput["items"],
  { product }: Pick<SynsetReferences, "product">,
  path: string,
  errors: FieldError[],
): Synset["items"] {
  const lines = placed(items, `${path}.items`);
  const named = lines.map(({ value: { sku }, path }) => ({
    name: product(sku)?.sku ?? sku,
    path: `${path}.sku`,
  }));
  errors.push(...duplicateErrors(named, "this synset"));
  return lines.flatMap(({ value: { sku, quantity }, path }) => {
    const found = product(sku);
    if (found !== undefined) return [{ sku: found.sku, product_id: found.product_id, quantity }];
    errors.push(skuError(sku, path));
    return [];
  });
}

/**
 * Finds the components of each kit of a create call.
 * @throws Problem `invalid` with everything that is wrong in any of them
 */
export function resolveNewSynsets(
  inputs: readonly Placed<SynsetInput>[],
  references: SynsetReferences,
): readonly Placed<SynsetTerms>[] {
  const resolve = ({ synset, items }: SynsetInput, path: string, errors: FieldError[]) => {
    errors.push(...nameErrors(synset, `${path}.synset`, "synset", references));
    return { synset, items: resolveComponents(items, references, path, errors) };
  };
  return resolveEach(inputs, resolve, repeatedSynsets(inputs));
}
