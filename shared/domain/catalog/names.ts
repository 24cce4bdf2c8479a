import type { FieldError } from "../problem.ts";

/** What has a name of an account. Products and synsets share the names: docs/decisions.md, Names. */
export type NameOwner = "product" | "synset";

/**
 * The error of a name that a new `kind` may not take. `owner` has it; undefined where that is not known, since another
 * call took the name just now.
 */
export function nameTaken(
  name: string,
  path: string,
  { kind, owner }: { readonly kind: NameOwner; readonly owner?: NameOwner },
): FieldError {
  switch (owner) {
    case kind:
      return { path, message: `already exists (${name})` };
    case "product":
      return { path, message: `is the SKU of a product already (${name})` };
    case "synset":
      return { path, message: `is the name of a synset already (${name})` };
    default:
      return { path, message: `already exists, as a SKU or as the name of a synset (${name})` };
  }
}

/** Who has the names that a call wants to give. */
export interface NameReferences {
  readonly ownerOf: (name: string) => NameOwner | undefined;
}

/** The error of the name of a new `kind`, if something has that name. */
export function nameErrors(
  name: string,
  path: string,
  kind: NameOwner,
  { ownerOf }: NameReferences,
): readonly FieldError[] {
  const owner = ownerOf(name);
  return owner === undefined ? [] : [nameTaken(name, path, { kind, owner })];
}
