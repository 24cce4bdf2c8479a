/**
 * Reads old movements for their export, and drops them. A movement dated at the limit carries the sum of the
 * dropped ones forward for each product and center, so that movements still add up to the stock.
 *
 * Each transaction drops some movements of a week, lowers the counts of that week, and adds the units to the
 * movement that carries them forward. So every state in between is consistent, and an interrupted run is
 * simply repeated. A count of 0 is removed, so that old weeks do not stay on the stock record.
 *
 * Running totals can't tell that movements are gone, or that one carries more units. So before anything is
 * dropped, they are removed from all weeks that change, whose movements are then added up. The caller totals
 * the product again.
 */

import * as z from "zod/mini";
import { stockList } from "../../../shared/catalog/products/product-lists.ts";
import { type Cause, type Movement, storedMovement } from "../../../shared/stock/movements/movement.ts";
import {
  movementCounted,
  movementPartition,
  weekAt,
  weekCounter,
} from "../../../shared/stock/movements/movement-repository.ts";
import { weeksOf } from "../../../shared/stock/movements/read-movements.ts";
import { removeTotals } from "../../../shared/stock/past/store-totals.ts";
import type { StockChange } from "../../../shared/stock/stock.ts";
import { recordsWithShards, stockItemsOf } from "../../../shared/stock/stock-levels.ts";
import { stockLookup } from "../../../shared/stock/stock-repository.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { joined, type Key, keyIn } from "../../../shared/store/dynamodb/keys.ts";
import { getItem, queryPages, queryRange, type RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { unattendedBudgetMs, withBudget } from "../../../shared/store/dynamodb/retry.ts";
import { transact, untilFresh } from "../../../shared/store/dynamodb/transact.ts";
import {
  type Change,
  exists,
  removalOf,
  stale,
  still,
  type Write,
} from "../../../shared/store/dynamodb/writes.ts";
import { blockItems } from "../../../shared/store/lists/block-list.ts";
import { allBlocks } from "../list-repair/all-blocks.ts";

const table = stockList.table;

const pageSize = 100;

/**
 * Movements dropped in one transaction, which also writes the stock record, its shards and the carried
 * movement.
 */
const maxMovements = 80;

/** The products with movements from before a time (ISO 8601) or from its week. */
export const productsMovedBefore = (db: Database, before: string): AsyncGenerator<number, void> =>
  productsWith(db, (item) => weeksBefore([item], before).length > 0);

export const productsWithMovements = (db: Database): AsyncGenerator<number, void> =>
  productsWith(db, (item) => weeksOf([item]).length > 0);

/** The products with a stock record, or a shard of one, for which `isWanted` holds. */
async function* productsWith(
  db: Database,
  isWanted: (item: RawItem) => boolean,
): AsyncGenerator<number, void> {
  for await (const { block } of allBlocks(db, stockList)) {
    const found = new Set<number>();
    for await (const items of queryPages(db, blockItems(stockList, block), pageSize))
      for (const item of items) if (isWanted(item)) found.add(Number.parseInt(String(item["sk"]), 10));
    yield* found;
  }
}

/** The weeks up to that of a time that have movements, by these stock records and shards. */
const weeksBefore = (items: readonly RawItem[], before: string): readonly number[] =>
  weeksOf(items)
    .map(([week]) => week)
    .filter((week) => week <= weekAt(before));

/** The movements of a week from before a time. Their sort keys begin with their own times. */
const rangeBefore = (productId: number, week: number, before: string) =>
  ({ table, pk: movementPartition(productId, week), between: ["0", before] }) as const;

/** A product's movements from before a time (ISO 8601), oldest first. */
export async function* movementsBefore(
  db: Database,
  productId: number,
  before: string,
): AsyncGenerator<Movement, void> {
  for (const week of weeksBefore(await stockItemsOf(db, productId), before))
    for await (const items of queryPages(db, rangeBefore(productId, week, before), pageSize))
      yield* items.map((item) => z.parse(storedMovement, item));
}

/** The limit (ISO 8601), who drops the movements, and which of them may be dropped. */
interface Drop {
  readonly before: string;
  readonly by: string;
  readonly isExported: (movement: Movement) => boolean;
}

/**
 * Drops a product's exported movements from before a time, and carries them forward to it. Returns their
 * number.
 * @throws Busy if the stock changes without a pause
 */
export async function dropMovements(db: Database, productId: number, drop: Drop): Promise<number> {
  const weeks = weeksBefore(await stockItemsOf(db, productId), drop.before);
  for (const week of weeks)
    await withBudget(() => removeTotals(db, { product_id: productId, week }), unattendedBudgetMs);
  let dropped = 0;
  for (const week of weeks) {
    let count: number;
    do {
      count = await withBudget(
        () => untilFresh(db, () => dropBatch(db, productId, week, drop)),
        unattendedBudgetMs,
      );
      dropped += count;
    } while (count > 0);
  }
  return dropped;
}

/**
 * Drops the oldest movements of a week, all of one center. Returns their number. Of old movements only those
 * that carry others forward may be missing in an export. They are few: less than one batch.
 */
async function dropBatch(db: Database, productId: number, week: number, drop: Drop): Promise<number> {
  const items = await queryRange(db, { ...rangeBefore(productId, week, drop.before), limit: maxMovements });
  const exported = items
    .map((item) => ({ key: keyIn(item), movement: z.parse(storedMovement, item) }))
    .filter(({ movement }) => drop.isExported(movement));
  const [oldest] = exported;
  if (oldest === undefined) return 0;
  const { distribution_center_id: center } = oldest.movement;
  const dropped = exported.filter(({ movement }) => movement.distribution_center_id === center);
  const key = carriedKey(productId, center, drop);
  const [stock, carried] = await Promise.all([stockItemsOf(db, productId), getItem(db, { table, key })]);
  const sum = (name: "on_hand" | "reserved"): number =>
    dropped.reduce((total, { movement }) => total + movement[name], 0);
  const units = { on_hand: sum("on_hand"), reserved: sum("reserved") };
  const change = { product_id: productId, distribution_center_id: center, ...units };
  const begins = carried === undefined;
  await transact(db, [
    ...dropped.map(({ key: one }) => removalOf({ table, key: one }, exists)),
    begins ? carry(key, change, causeOf(drop)) : carryMore(key, change),
    ...recounts(countersIn(stock, productId, center), week, dropped.length, begins ? drop : undefined),
  ]);
  return dropped.length;
}

const causeOf = ({ before, by }: Drop): Cause => ({
  reason: "carried_forward",
  reference: {},
  by,
  at: before,
});

/** Sorts before all other movements of its time, whose keys continue with a letter, a digit, `-` or `_`. */
const carriedKey = (productId: number, center: number, { before }: Drop): Key => ({
  pk: movementPartition(productId, weekAt(before)),
  sk: joined(before, "", center),
});

const carry = (key: Key, change: StockChange, cause: Cause): Write => ({
  kind: "insert",
  table,
  item: { ...key, ...change, ...cause },
  traced: true,
});

const carryMore = (key: Key, { on_hand, reserved }: Pick<Movement, "on_hand" | "reserved">): Write => ({
  kind: "change",
  table,
  key,
  add: { on_hand, reserved },
  when: [exists],
});

/** The stock record of a product in a center, and its shards: each counts some of the movements. */
function countersIn(stock: readonly RawItem[], productId: number, center: number): readonly RawItem[] {
  const { sk } = stockLookup(productId, center).key;
  return recordsWithShards(stock)
    .filter(({ record }) => record["sk"] === sk)
    .flatMap(({ record, shards }) => [record, ...shards]);
}

/** Lowers the counts of a week, and counts the movement that `begins` to carry units forward. */
function recounts(
  counters: readonly RawItem[],
  week: number,
  dropped: number,
  begins: Drop | undefined,
): readonly Write[] {
  const name = weekCounter(week);
  let left = dropped;
  const writes = counters.map((item, position) => {
    const taken = Math.min(countIn(item, name), left);
    left -= taken;
    const added = position === 0 && begins !== undefined ? movementCounted(causeOf(begins)) : {};
    return recount(item, { ...added, [name]: (added[name] ?? 0) - taken });
  });
  // Another run has dropped some of them.
  if (left > 0) throw stale();
  return writes.flat();
}

const countIn = (item: RawItem, name: string): number => Number(item[name] ?? 0);

/** Adds to counts that did not change meanwhile, and removes those that come to 0. */
function recount(item: RawItem, by: Readonly<Record<string, number>>): readonly Change[] {
  const changed = Object.entries(by).filter(([, difference]) => difference !== 0);
  if (changed.length === 0) return [];
  const isEmptied = ([name, difference]: readonly [string, number]) => countIn(item, name) + difference === 0;
  const when = changed.map(([name]) => still(name, name in item ? countIn(item, name) : undefined));
  return [
    {
      kind: "change",
      table,
      key: keyIn(item),
      remove: changed.filter(isEmptied).map(([name]) => name),
      add: Object.fromEntries(changed.filter((one) => !isEmptied(one))),
      when,
    },
  ];
}
