import type { SynsetInput } from "../domain/catalog/synset.ts";
import type { SynsetReferences } from "../domain/catalog/synset-references.ts";
import type { Database } from "../store/database.ts";
import { getItems } from "../store/reads.ts";
import { skuEntry, skuLookup } from "./products.ts";
import { parsed } from "./registries.ts";
import { synsetEntryLookup } from "./synsets.ts";

/** The products that the synsets of one call take, and the names that are taken: one round trip. */
export async function readSynsetReferences(
  db: Database,
  accountId: number,
  synsets: readonly { readonly synset: string; readonly items?: SynsetInput["items"] | undefined }[],
): Promise<SynsetReferences & { readonly isTaken: (synset: string) => boolean }> {
  const find = await getItems(
    db,
    synsets.flatMap(({ synset, items = [] }) => [
      synsetEntryLookup(accountId, synset),
      ...items.map(({ sku }) => skuLookup(accountId, sku)),
    ]),
  );
  return {
    isTaken: (synset) => find(synsetEntryLookup(accountId, synset)) !== undefined,
    product: (sku) => parsed(skuEntry, find(skuLookup(accountId, sku))),
  };
}
