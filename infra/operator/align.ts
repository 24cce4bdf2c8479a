/**
 * Sets right the stock levels that the feed tells, where a change was given up by the publisher.
 *
 * The difference between a level that was published and the stock is either late or lost. A stream tells of a change for 24
 * hours. So what a movement moved is late, as long as the movement is not noted as published and is younger than that. All
 * else of the difference is lost for good, and is published as one event. Units that are to come have no movements: their
 * difference counts as lost where the stock record says that they have not changed for as long.
 *
 * The publisher may work at the same time. The event is stored on the condition that nobody has stored any in the account
 * meanwhile, as the publisher's are. What was read of the stock must have stayed as it was until after the feed's head was
 * read. So every published change is in the stock that was read, and what is missing of it was never published.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { forEachConcurrently } from "../../shared/common/concurrency.ts";
import { feedHeadOf } from "../../shared/events/feed-repository.ts";
import { readFeedState, readPublishedLevels } from "../../shared/publishing/feed-state.ts";
import { storeEvents } from "../../shared/publishing/publish.ts";
import { emitsEvents, movementSource, stockEventsOf } from "../../shared/stock/events.ts";
import { movementsSince } from "../../shared/stock/movements/movement-repository.ts";
import type { StockLevel, StockUnits } from "../../shared/stock/stock.ts";
import {
  hasIncomingChanged,
  levelsIn,
  stockItemsBetween,
  stockItemsOf,
} from "../../shared/stock/stock-repository.ts";
import type { Database } from "../../shared/store/dynamodb/database.ts";
import { joined } from "../../shared/store/dynamodb/keys.ts";
import { queryPages } from "../../shared/store/dynamodb/reads.ts";
import { Busy, withBudget } from "../../shared/store/dynamodb/retry.ts";
import { untilFresh } from "../../shared/store/dynamodb/transact.ts";
import { stale } from "../../shared/store/dynamodb/writes.ts";
import { itemsOf } from "../../shared/store/lists/block-list.ts";
import { readBlocks } from "../../shared/store/lists/counters/counter-tree.ts";
import { productList } from "../../shared/store/lists/definitions.ts";

/** Milliseconds for which a change may still be told: those of a stream, and an hour for clocks and for what came late. */
const told = 25 * 60 * 60 * 1000;

const pageSize = 100;

/** An account whose levels are aligned, by whom and when (ISO 8601). */
export interface Alignment {
  readonly db: Database;
  readonly accountId: number;
  readonly by: string;
  readonly now: string;
  /** Milliseconds within which all of a transaction shows to every reader. */
  readonly settle?: number;
  /** Told of each level that was set right, and by how much. */
  readonly report: (level: StockLevel, lost: StockUnits) => void;
}

/** What an alignment came to. */
export interface Aligned {
  /** Levels that were set right. */
  readonly aligned: number;
  /** Levels whose difference may still be told. */
  readonly late: number;
  /** Levels of products whose stock changed without a pause. */
  readonly busy: number;
}

/** How long a product is tried whose stock changes, in milliseconds. */
const retryBudgetMs = 60_000;

async function whenQuiet(align: () => Promise<boolean>): Promise<keyof Aligned> {
  try {
    return (await withBudget(align, retryBudgetMs)) ? "aligned" : "late";
  } catch (error) {
    if (error instanceof Busy) return "busy";
    throw error;
  }
}

/**
 * Publishes an event `stock.changed`, with the reason `aligned`, for each level of the account that is off for good.
 */
export async function alignLevels(alignment: Alignment): Promise<Aligned> {
  const { db, accountId } = alignment;
  const result = { aligned: 0, late: 0, busy: 0 };
  for await (const { block } of readBlocks(db, productList, String(accountId)))
    for await (const items of queryPages(db, itemsOf(productList, block), pageSize)) {
      const ids = items.filter(({ cell }) => cell !== undefined).map(({ sk }) => Number(sk));
      await forEachConcurrently(await levelsOff(db, ids), async (level) => {
        const outcome = await whenQuiet(() => alignLevel(alignment, level));
        result[outcome] += 1;
      });
    }
  return result;
}

const before = (now: string): string => new Date(Date.parse(now) - told).toISOString();

/** Those levels of products of one block, by rising id, that differ from what was published. Their stock is read at once. */
async function levelsOff(db: Database, productIds: readonly number[]): Promise<readonly StockLevel[]> {
  const [first, last] = [productIds[0], productIds.at(-1)];
  if (first === undefined || last === undefined) return [];
  const meant = new Set(productIds);
  const items = await stockItemsBetween(db, first, last);
  const levels = levelsIn(items).filter(({ product_id }) => meant.has(product_id));
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

/** Publishes what was lost of a level; answers whether anything was. */
const alignLevel = (alignment: Alignment, place: StockLevel): Promise<boolean> =>
  untilFresh(async () => {
    const { db, accountId, by, now, settle = 100, report } = alignment;
    const { product_id, distribution_center_id } = place;
    const stock = await stockItemsOf(db, product_id);
    await sleep(settle);
    const movements = (await movementsSince(db, product_id, before(now), now)).filter(
      (one) => one.distribution_center_id === distribution_center_id && emitsEvents(one),
    );
    const subject = { kind: "product", id: String(product_id) };
    const sought = movements.map((one) => ({ source: movementSource(one), subject, changed_at: one.at }));
    const published = await readFeedState(db, accountId, sought, [place]);
    if (JSON.stringify(stock) !== JSON.stringify(await stockItemsOf(db, product_id))) throw stale();
    const level = levelsIn(stock).find((one) => one.distribution_center_id === distribution_center_id);
    if (level === undefined) throw new Error(`product ${product_id} has no stock in its center`);
    const late = movements.filter((one) => !published.has(movementSource(one)));
    const sum = (name: "on_hand" | "reserved"): number =>
      late.reduce((total, { [name]: units }) => total + units, 0);
    const off = difference(level, published.levelAt(place));
    const lost = {
      on_hand: off.on_hand - sum("on_hand"),
      reserved: off.reserved - sum("reserved"),
      incoming: hasIncomingChanged(stock, distribution_center_id, before(now)) ? 0 : off.incoming,
    };
    if (isZero(lost)) return false;
    const source = joined("aligned", accountId, feedHeadOf(published.head, now).sequence);
    const step = { source, occurred_at: now, by, place, units: lost, why: { reason: "aligned" } };
    await storeEvents(db, accountId, [stockEventsOf(step, level)], published);
    report(level, lost);
    return true;
  });
