import { dayEnds, dayOf } from "../../shared/common/times.ts";
import { statusIds } from "../../shared/orders/order.ts";
import { orderFacets, orderList } from "../../shared/orders/storage/order-repository.ts";
import type { Database } from "../../shared/store/dynamodb/database.ts";
import { queryPages } from "../../shared/store/dynamodb/reads.ts";
import { indexEntriesOf } from "../../shared/store/lists/block-list.ts";
import { toEntry } from "../../shared/store/lists/page-request.ts";
import { allBlocks } from "./list-repair/all-blocks.ts";

const pageSize = 1000;

const finished = orderFacets.matching({ status: [statusIds.Shipped, statusIds.Cancelled] });

/**
 * The orders that are Shipped or Cancelled and were created before a time (ISO 8601), or on its day: those of
 * an account, or all.
 */
export async function* finishedOrders(
  db: Database,
  before: string,
  accountId?: number,
): AsyncGenerator<number, void> {
  const last = dayOf(before);
  const isMeant = (owner: string) => accountId === undefined || owner === String(accountId);
  for await (const { block, firstAt } of allBlocks(db, orderList, isMeant)) {
    if (firstAt > before.slice(0, 10) + dayEnds) continue;
    for await (const entries of queryPages(db, indexEntriesOf(orderList, block), pageSize))
      for (const { sk, facetKey, day } of entries.map(toEntry))
        if (finished.matches?.(facetKey) === true && day <= last) yield Number(sk);
  }
}
