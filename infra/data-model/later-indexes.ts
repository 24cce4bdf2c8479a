/**
 * Lookup indexes that were added after release 1.0.0. Each release since writes the entries of the records
 * that it stores; `operator data migrate` adds those of the records that earlier releases stored, and then
 * the deployment's record says that the index is complete. Until then nothing is searched by it.
 */
import { productSkus, products } from "../../shared/catalog/products/product-repository.ts";
import type { Database } from "../../shared/store/dynamodb/database.ts";
import type { RawItem } from "../../shared/store/dynamodb/reads.ts";
import { type Insert, stale } from "../../shared/store/dynamodb/writes.ts";
import type { BlockList } from "../../shared/store/lists/block-list.ts";

export interface LaterIndex {
  readonly name: string;
  readonly list: BlockList;
  /** The entry of a record. @throws if the item is unreadable */
  readonly entryOf: (item: RawItem) => Insert;
}

export const laterIndexes: readonly LaterIndex[] = [
  {
    name: productSkus.kind,
    list: products.list,
    entryOf: (item) => {
      const { account_id: owner, sku: text, product_id: id } = products.parse(item);
      return productSkus.insert({ owner, text, id }, stale);
    },
  },
];

/** The later indexes without the entries of records of an earlier release. */
export async function incompleteIndexes({
  layouts,
}: Pick<Database, "layouts">): Promise<readonly LaterIndex[]> {
  const isComplete = await Promise.all(laterIndexes.map(({ name }) => layouts.hasIndex(name)));
  return laterIndexes.filter((_, position) => isComplete[position] !== true);
}
