import { productList } from "../../../shared/catalog/products/product-lists.ts";
import { orderList } from "../../../shared/orders/storage/order-repository.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { joined, type Key } from "../../../shared/store/dynamodb/keys.ts";
import { queryRange } from "../../../shared/store/dynamodb/reads.ts";
import { type BlockList, blockOf } from "../../../shared/store/lists/block-list.ts";
import { readBlocks } from "../../../shared/store/lists/counters/counter-tree.ts";
import { nodePartition } from "../../../shared/store/lists/counters/read-nodes.ts";
import { webhookLookup } from "../../../shared/webhooks/webhook-repository.ts";
import { lists } from "../../data-model/lists.ts";
import { unlessUnreadable } from "../unreadable.ts";
import { accountIn, type Verification } from "./finding.ts";

/** What belongs to the account that is verified: for items that do not name it, or can't be read. */
export interface Scope {
  readonly hasProduct: (productId: number) => boolean;
  readonly hasOrder: (orderId: number) => boolean;
  readonly hasWebhook: (webhookId: number) => boolean;
  /** By the key of an item of a list: its partition names the block. */
  readonly hasRecord: (key: Pick<Key, "pk">) => boolean;
  /** By the key of a list's counter. Nodes below others may be anyone's, and what all share is no one's. */
  readonly hasCounter: (key: Pick<Key, "pk">) => boolean;
}

/** Blocks of ids belong to one account. Without an account, everything is in scope. */
export async function scopeOf({ db, accountId }: Pick<Verification, "db" | "accountId">): Promise<Scope> {
  const isAll = accountId === undefined;
  const blocks = new Set<string>();
  const webhookIds = new Set<number>();
  if (!isAll) {
    await Promise.all([...lists.keys()].map((list) => addBlocks(db, list, accountId, blocks)));
    const { table, key } = webhookLookup(accountId, 0);
    for (const { sk } of await queryRange(db, { table, pk: key.pk })) webhookIds.add(Number(sk));
  }
  const hasId = (list: BlockList, id: number): boolean =>
    isAll || blocks.has(joined(list.name, blockOf(list, id)));
  return {
    hasProduct: (productId) => hasId(productList, productId),
    hasOrder: (orderId) => hasId(orderList, orderId),
    hasWebhook: (webhookId) => isAll || webhookIds.has(webhookId),
    hasRecord: ({ pk }) => isAll || blocks.has(pk),
    hasCounter: ({ pk }) => {
      const owner = isAll ? undefined : nodePartition(pk).owner;
      return owner === undefined || accountIn(owner) === accountId;
    },
  };
}

async function addBlocks(db: Database, name: string, accountId: number, found: Set<string>): Promise<void> {
  await unlessUnreadable(async () => {
    for await (const { block } of readBlocks({ db, list: { name }, owner: String(accountId) }))
      found.add(joined(name, block));
  });
}
