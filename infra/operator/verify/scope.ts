import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { blockOf } from "../../../shared/store/lists/block-list.ts";
import { readBlocks } from "../../../shared/store/lists/counters/counter-tree.ts";
import { type BlockList, orderList, productList } from "../../../shared/store/lists/definitions.ts";
import type { Verification } from "./finding.ts";
import { unlessUnreadable } from "./inspection.ts";

/** The products and orders that are verified: for items that do not name their account. */
export interface Scope {
  readonly hasProduct: (productId: number) => boolean;
  readonly hasOrder: (orderId: number) => boolean;
}

/** The blocks of ids of an account identify its products and orders. */
export async function scopeOf({ db, accountId }: Pick<Verification, "db" | "accountId">): Promise<Scope> {
  if (accountId === undefined) return { hasProduct: () => true, hasOrder: () => true };
  const [products, orders] = await Promise.all([
    blocksOf(db, productList, accountId),
    blocksOf(db, orderList, accountId),
  ]);
  return {
    hasProduct: (productId) => products.has(blockOf(productList, productId)),
    hasOrder: (orderId) => orders.has(blockOf(orderList, orderId)),
  };
}

async function blocksOf(db: Database, list: BlockList, accountId: number): Promise<ReadonlySet<number>> {
  const blocks = new Set<number>();
  await unlessUnreadable(async () => {
    for await (const { block } of readBlocks(db, list, String(accountId))) blocks.add(block);
  });
  return blocks;
}
