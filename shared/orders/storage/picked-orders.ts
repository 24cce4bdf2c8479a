/**
 * The orders of all accounts that wait for quality control, page by page, with an exact total. Reading a page
 * costs the same however many there are. Each block of ids has counts of its picked orders, changed in the
 * transactions that change the orders. The counts give the total, and say in which block a page begins. Of
 * the index, only that block's entries up to the page are read: at most 400, and the page. The orders of a
 * day lie in few blocks, and each is counted when it is picked and when it leaves. So a block has eight
 * counts in partitions of their own, which orders of rising ids use in turn.
 *
 * The counters of the block list can't tell this: each owner's count the orders of one account, whose blocks
 * lie between those of others. A page would have to read the counters of all accounts.
 */

import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { logger } from "../../runtime/log.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { type Key, padded } from "../../store/dynamodb/keys.ts";
import { queryRange } from "../../store/dynamodb/reads.ts";
import { Busy, cleanUpBudgetMs, withBudget } from "../../store/dynamodb/retry.ts";
import { commit } from "../../store/dynamodb/transact.ts";
import type { Write } from "../../store/dynamodb/writes.ts";
import { partitionsOf } from "../../store/partitions.ts";
import type { Order } from "../order.ts";
import { awaitsQualityControl } from "../order-status.ts";
import { orderList } from "./order-repository.ts";
import { pickedEntries } from "./order-work.ts";

const { table, blockSize } = orderList;

/** The table of the counts of picked orders, and the prefix of their partition keys. */
export const pickedCounts = { table, kind: "picked-orders" } as const;

const partitions = partitionsOf(pickedCounts.kind, 8);

export const pickedCountKey = (orderId: number): Key => ({
  pk: partitions.of(orderId),
  sk: padded(Math.floor(orderId / blockSize)),
});

export const pickedCount = z.object({ pk: primitive.text, sk: primitive.text, orders: primitive.int });
type PickedCount = z.output<typeof pickedCount>;

/** Counts an order that waits for quality control from now on, or no longer. */
export function countPicked(before: Order, after: Order): readonly Write[] {
  const orders = Number(awaitsQualityControl(after)) - Number(awaitsQualityControl(before));
  if (orders === 0) return [];
  return [{ kind: "count", table, key: pickedCountKey(after.order_id), add: { orders } }];
}

/**
 * The picked orders by their ids: at most `limit` of them after the first `skipped`, and their total number.
 * The index may still show orders that have just left. A page then has fewer orders that wait, and for a
 * moment the order after them may be on no page.
 */
export async function pickedPage(db: Database, skipped: number, limit: number) {
  const items = await Promise.all(partitions.all().map((pk) => queryRange(db, { table, pk })));
  const counts = items.flat().map((item) => z.parse(pickedCount, item));
  const page = await pageOf(db, counts, skipped, limit);
  await forgetEmpty(db, counts);
  return page;
}

async function pageOf(db: Database, counts: readonly PickedCount[], skipped: number, limit: number) {
  const total = sumOf(counts);
  const blocks = [...Map.groupBy(counts, ({ sk }) => sk)].toSorted(([left], [right]) =>
    left < right ? -1 : 1,
  );
  let left = skipped;
  for (const [block, parts] of blocks) {
    const orders = sumOf(parts);
    if (left < orders) {
      const entries = await pickedEntries(db, Number(block) * blockSize, left + limit);
      return { ids: entries.slice(left).map(({ order_id }) => order_id), total };
    }
    left -= orders;
  }
  return { ids: [], total };
}

const sumOf = (counts: readonly PickedCount[]): number => counts.reduce((sum, { orders }) => sum + orders, 0);

/** Maximum counts that a call removes; the next call removes more. */
const maxForgotten = 50;

/**
 * Removes counts of 0, each by itself, so that they do not accumulate. A count that others are changing stays
 * for now, as does one that has counted an order meanwhile. Never throws: the page has been read.
 */
async function forgetEmpty(db: Database, counts: readonly PickedCount[]): Promise<void> {
  const when = [{ attribute: "orders", equals: 0 }] as const;
  const empty = counts.filter(({ orders }) => orders === 0).slice(0, maxForgotten);
  const forget = async ({ pk, sk }: PickedCount): Promise<void> => {
    try {
      await commit(db, [{ kind: "removal", table, key: { pk, sk }, when }]);
    } catch (error) {
      if (!(error instanceof Busy)) logger.warn("count of picked orders not removed", { error });
    }
  };
  await withBudget(() => Promise.all(empty.map(forget)), cleanUpBudgetMs);
}
