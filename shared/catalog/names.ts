import type { FieldError } from "../common/problem.ts";

/** What has a name of an account. Products and synsets share the names: docs/decisions.md, Names. */
export type NameOwner = "product" | "synset";

/** Who has the names that a call wants to give. */
export interface NameReferences {
  readonly ownerOf: (name: string) => NameOwner | undefined;
}

/** The error of a name that another call took meanwhile, be it for a product or for a synset. */
export const takenName = (name: string, path: string): FieldError => ({
  path,
  message: `already exists (${name})`,
});

/** The error of the name of a new `kind`, if something has that name. */
export function nameErrors(
  name: string,
  path: string,
  kind: NameOwner,
  { ownerOf }: NameReferences,
): readonly FieldError[] {
  const owner = ownerOf(name);
  if (owner === undefined) return [];
  if (owner === kind) return [takenName(name, path)];
  switch (owner) {
    case "product":
      return [{ path, message: `is the SKU of a product already (${name})` }];
    case "synset":
      return [{ path, message: `is the name of a synset already (${name})` }];
  }
}
