import type { NameReferences } from "../domain/catalog/names.ts";
import type { SynsetInput } from "../domain/catalog/synset.ts";
import type { SynsetReferences } from "../domain/catalog/synset-references.ts";
import type { Database } from "../store/database.ts";
import { getItems } from "../store/reads.ts";
import { findNamed } from "./aliases.ts";
import { nameLookup, ownerOf } from "./names.ts";

/** The products that the synsets of one call take, and the names that are taken: as many round trips as `findNamed`. */
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
