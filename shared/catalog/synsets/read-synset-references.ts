import type { Database } from "../../store/dynamodb/database.ts";
import { getItems } from "../../store/dynamodb/reads.ts";
import { findNamed } from "../aliases/alias-names.ts";
import { nameLookup, ownerOf } from "../name-repository.ts";
import type { NameReferences } from "../names.ts";
import type { SynsetInput } from "./synset.ts";
import type { SynsetReferences } from "./synset-references.ts";

/**
 * Reads the products that the synsets of a call contain, and which names are taken. As many round trips as
 * `findNamed`.
 */
export async function readSynsetReferences(
  db: Database,
  accountId: number,
  synsets: readonly { readonly synset: string; readonly items?: SynsetInput["items"] | undefined }[],
): Promise<SynsetReferences & NameReferences> {
  const [find, product] = await Promise.all([
    getItems(
      db,
      synsets.map(({ synset }) => nameLookup(accountId, synset)),
    ),
    findNamed(
      db,
      accountId,
      synsets.flatMap(({ items = [] }) => items.map(({ sku }) => sku)),
    ),
  ]);
  return { ownerOf: (name) => ownerOf(find(nameLookup(accountId, name))), product };
}
