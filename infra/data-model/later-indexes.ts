/**
 * Lookup indexes that were added after release 1.0.0. Each later release writes the entries of the records
 * that it stores. `operator data migrate` adds the entries of records that earlier releases stored, and then
 * marks the index as complete in the deployment's record. Until then, the index is not searched.
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

/** The later indexes that lack entries of an earlier release's records. */
export async function incompleteIndexes({
  layouts,
}: Pick<Database, "layouts">): Promise<readonly LaterIndex[]> {
  const isComplete = await Promise.all(laterIndexes.map(({ name }) => layouts.hasIndex(name)));
  return laterIndexes.filter((_, position) => isComplete[position] !== true);
}
