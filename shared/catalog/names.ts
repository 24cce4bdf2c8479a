import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { alreadyExists, type FieldError } from "../common/problem.ts";

/** The products that a kit is built from. */
export const kitItems = z.array(
  z.object({ sku: primitive.text, product_id: primitive.int, quantity: primitive.int }),
);

/** The kind of record that has a name. Products and synsets share their names (docs/decisions.md, Names). */
export type NameOwner = "product" | "synset";

/** The current owners of the names in a call. */
interface NameReferences {
  readonly ownerOf: (name: string) => NameOwner | undefined;
}

/**
 * The error of a new record's name if the name is taken. It has a code only if a record of the same kind has
 * the name: a program that creates what is missing would take the other kind for its record.
 */
export function nameErrors(
  name: string,
  path: string,
  kind: NameOwner,
  { ownerOf }: NameReferences,
): readonly FieldError[] {
  const owner = ownerOf(name);
  if (owner === undefined) return [];
  if (owner === kind) return [alreadyExists(name, path)];
  switch (owner) {
    case "product":
      return [{ path, message: `is the SKU of a product already (${name})` }];
    case "synset":
      return [{ path, message: `is the name of a synset already (${name})` }];
  }
}

/** The error of a SKU that names no product. `path` is where the record is, if it is one of a list. */
export const skuError = (sku: string, path?: string): FieldError => ({
  path: path === undefined ? "sku" : `${path}.sku`,
  message: `is not a known SKU (${sku})`,
  code: "unknown_reference",
});
