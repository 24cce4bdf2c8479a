/**
 * Repairs published stock levels after the publisher has dead-lettered a change.
 *
 * A difference between a published level and the stock is either late or lost. A stream delivers a change for
 * 24 hours, so the units of a movement are late as long as the movement is unpublished and younger than that.
 * The rest of the difference is lost, and is published as one event. A hold that is given back more than a
 * day after its end leaves a movement of that end, so its units count as lost until they are published.
 * Incoming units have no movements: their difference counts as lost if the stock record shows no change
 * within the same time.
 *
 * The publisher may be active. The event is stored on the condition that no other event of the account was
 * stored meanwhile, and the stock must not have changed until after the feed's head was read. So every
 * published change is part of the stock that was read, and a difference was never published.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { productList } from "../../../shared/catalog/products/product-lists.ts";
import { forEachConcurrently } from "../../../shared/common/concurrency.ts";
import { readFeedState, readPublishedLevels } from "../../../shared/publishing/feed-state.ts";
import { storeEvents } from "../../../shared/publishing/publish.ts";
import { emitsEvents, movementSource, stockEventsOf } from "../../../shared/stock/events.ts";
import { hasIncomingChanged } from "../../../shared/stock/incoming-stock.ts";
import { movementsSince, weeksOf } from "../../../shared/stock/movements/read-movements.ts";
import type { StockLevel, StockUnits } from "../../../shared/stock/stock.ts";
import { levelsIn, stockItemsBetween, stockItemsOf } from "../../../shared/stock/stock-levels.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { joined } from "../../../shared/store/dynamodb/keys.ts";
import { queryPages } from "../../../shared/store/dynamodb/reads.ts";
import { Busy, unattendedBudgetMs, withBudget } from "../../../shared/store/dynamodb/retry.ts";
import { untilFresh } from "../../../shared/store/dynamodb/transact.ts";
import { stale } from "../../../shared/store/dynamodb/writes.ts";
import { blockItems } from "../../../shared/store/lists/block-list.ts";
import { readBlocks } from "../../../shared/store/lists/counters/counter-tree.ts";
import { isListedRecord } from "../../../shared/store/lists/facets.ts";

/**
 * How long a change may still be delivered: the retention of a stream, and an hour for clock skew and
 * retries.
 */
export const deliveryLimitMs = 25 * 60 * 60 * 1000;

const pageSize = 100;

interface Alignment {
  readonly db: Database;
  readonly accountId: number;
  readonly by: string;
  readonly now: string;
  /** How long a transaction may take to become visible to every reader. */
  readonly settleMs?: number;
  /** Called for each aligned level with the units that were lost. */
  readonly report: (level: StockLevel, lost: StockUnits) => void;
}

async function outcomeOf(align: () => Promise<boolean>) {
  try {
    return (await withBudget(align, unattendedBudgetMs)) ? "aligned" : "late";
  } catch (error) {
    if (error instanceof Busy) return "busy";
    throw error;
  }
}

/**
 * Publishes an event `stock.changed`, with the reason `aligned`, for each level of the account that lost
 * changes.
 * @returns how many levels were `aligned`, how many have a difference that may still be published (`late`),
 * and how many are of products whose stock changed without a pause (`busy`)
 */
export async function alignLevels(alignment: Alignment) {
  const { db, accountId } = alignment;
  const result = { aligned: 0, late: 0, busy: 0 };
  for await (const { block } of readBlocks({ db, list: productList, owner: String(accountId) }))
    for await (const items of queryPages(db, blockItems(productList, block), pageSize)) {
      const ids = items.filter(isListedRecord).map(({ sk }) => Number(sk));
      await forEachConcurrently(await levelsOff(db, ids), async (level) => {
        const outcome = await outcomeOf(() => alignLevel(alignment, level));
        result[outcome] += 1;
      });
    }
  return result;
}

const oldestDeliverable = (now: string): string => new Date(Date.parse(now) - deliveryLimitMs).toISOString();

/**
 * The levels that differ from what was published, of products of one block by rising id. One query reads
 * their stock.
 */
async function levelsOff(db: Database, productIds: readonly number[]): Promise<readonly StockLevel[]> {
  const [first, last] = [productIds[0], productIds.at(-1)];
  if (first === undefined || last === undefined) return [];
  const wanted = new Set(productIds);
  const items = await stockItemsBetween(db, first, last);
  const levels = levelsIn(items).filter(({ product_id }) => wanted.has(product_id));
  const levelAt = await readPublishedLevels(db, levels);
  return levels.filter((level) => !isZero(difference(level, levelAt(level))));
}

const difference = (left: StockUnits, right: StockUnits): StockUnits => ({
  on_hand: left.on_hand - right.on_hand,
  reserved: left.reserved - right.reserved,
  incoming: left.incoming - right.incoming,
});

const isZero = ({ on_hand, reserved, incoming }: StockUnits): boolean =>
  on_hand === 0 && reserved === 0 && incoming === 0;

/** Publishes what was lost of a level. Returns whether anything was. */
const alignLevel = (alignment: Alignment, published: StockLevel): Promise<boolean> =>
  untilFresh(alignment.db, async () => {
    const { db, accountId, by, now, settleMs = 100, report } = alignment;
    const { product_id, distribution_center_id } = published;
    const stock = await stockItemsOf(db, product_id);
    await sleep(settleMs);
    // The stock names the weeks of its movements, whatever the time is by now.
    const [lastWeek] = weeksOf(stock).at(-1) ?? [0];
    const movements = (await movementsSince(db, product_id, oldestDeliverable(now), lastWeek)).filter(
      (one) => one.distribution_center_id === distribution_center_id && emitsEvents(one),
    );
    const subject = { kind: "product", id: String(product_id) };
    const drafts = [{ type: "stock.changed" }] as const;
    const sought = movements.map((one) => ({
      source: movementSource(one),
      subject,
      drafts,
      changed_at: one.at,
    }));
    const feed = await readFeedState(db, accountId, sought, [published]);
    if (JSON.stringify(stock) !== JSON.stringify(await stockItemsOf(db, product_id))) throw stale();
    const level = levelsIn(stock).find((one) => one.distribution_center_id === distribution_center_id);
    if (level === undefined) throw new Error(`product ${product_id} has no stock in its center`);
    const late = movements.filter((one) => !feed.has(movementSource(one)));
    const sum = (name: "on_hand" | "reserved"): number =>
      late.reduce((total, { [name]: units }) => total + units, 0);
    const off = difference(level, feed.levelAt(published));
    const lost = {
      on_hand: off.on_hand - sum("on_hand"),
      reserved: off.reserved - sum("reserved"),
      incoming: hasIncomingChanged(stock, distribution_center_id, oldestDeliverable(now)) ? 0 : off.incoming,
    };
    if (isZero(lost)) return false;
    const source = joined("aligned", accountId, feed.head.sequence);
    const change = { source, occurred_at: now, by, request_id: db.requestId ?? null };
    const step = { ...change, stock: published, units: lost, why: { reason: "aligned" } };
    await storeEvents(db, accountId, [{ ...stockEventsOf(step, level), changed_at: now }], feed);
    report(level, lost);
    return true;
  });
