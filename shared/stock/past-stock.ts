/**
 * Stock of a past moment, from movements (docs/decisions.md, Stock of a past moment). It takes one or two
 * read units a product, however long ago the moment is and however many movements have been stored since.
 */
import * as z from "zod/mini";
import { forEachConcurrently } from "../common/concurrency.ts";
import { dayOf, isTwoYearsBefore } from "../common/days.ts";
import { invalidAt } from "../common/problem.ts";
import type { AccountContext } from "../lambda/context.ts";
import type { Database } from "../store/dynamodb/database.ts";
import type { RawItem } from "../store/dynamodb/reads.ts";
import { stockList } from "../store/lists/definitions.ts";
import type { Page } from "../store/lists/pages.ts";
import { type ListRequest, readList } from "../store/lists/read-list.ts";
import { isShard, readShards } from "../store/sharded-counter.ts";
import { levelsAt, type Moment, type PastLevel, withShards } from "./past-levels.ts";
import { stockLevel, stockPlaceKey } from "./stock.ts";
import { stockItemsOf, wasOpen } from "./stock-repository.ts";

/** @throws Problem unless the movements since `at` are kept, and `at` is not in the future */
export function expectKept(at: string, now: string): void {
  const path = "as_of";
  if (at > now) throw invalidAt([{ path, message: `is in the future: it is ${now} now` }]);
  if (isTwoYearsBefore(at.slice(0, 10), now.slice(0, 10)))
    throw invalidAt([
      { path, message: "must be less than two years ago: earlier movements need not be kept" },
    ]);
}

type Reader = Pick<AccountContext, "db" | "account_id" | "now">;

/** The stock of a product at a moment, in each center that kept it then. @throws Busy, as `levelsAt` */
export async function pastStockOf(
  { db, now }: Reader,
  productId: number,
  at: string,
): Promise<readonly PastLevel[]> {
  const stock = await stockItemsOf(db, productId);
  const open = stock.filter((item) => !isShard(item) && wasOpen(item, at));
  return levelsAt(db, productId, withShards(open, stock), { at, now });
}

/** Products of a page that are read at once. */
const maxParallelProducts = 25;

/**
 * One page of an account's stock levels at a moment: those opened before its day, and then those opened on
 * it.
 * @throws Problem if too many were opened on its day; Busy, as `levelsAt`
 */
export async function readPastStock(
  { db, account_id, now }: Reader,
  request: ListRequest,
  at: string,
): Promise<Page<PastLevel>> {
  const day = dayOf(at);
  const read = (asked: ListRequest) => readList({ list: stockList, parse: asItem }, db, account_id, asked);
  const before = await read({ ...request, toDay: isEndOfDay(at) ? day : day - 1 });
  const opened = isStartOfDay(at) || isEndOfDay(at) ? [] : await openedOn(day, request, at, read);
  const first = (request.page - 1) * request.per_page - before.total;
  const records = [
    ...before.records,
    ...opened.slice(Math.max(first, 0), Math.max(first + request.per_page, 0)),
  ];
  const levels = await levelsOfRecords(db, records, { at, now });
  return { records: levels, total: before.total + opened.length };
}

const asItem = (item: RawItem) => item;

const isStartOfDay = (at: string): boolean => at.endsWith("T00:00:00.000Z");
const isEndOfDay = (at: string): boolean => at.endsWith("T23:59:59.999Z");

/** The stock records of one day are read to see which were opened by a moment of it. */
const maxOpenedOnDay = 5_000;
const openedPerPage = 1_000;

/** The stock records that were opened on the day of a moment, up to the moment. */
async function openedOn(
  day: number,
  request: ListRequest,
  at: string,
  read: (request: ListRequest) => Promise<Page<RawItem>>,
): Promise<readonly RawItem[]> {
  const found: RawItem[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const asked = { ...request, page, per_page: openedPerPage, fromDay: day, toDay: day };
    const { records, total } = await read(asked);
    if (total > maxOpenedOnDay) {
      const message = `must be the start of a day, such as ${at.slice(0, 10)}T00:00:00Z: too many products were created on this day`;
      throw invalidAt([{ path: "as_of", message }]);
    }
    pages = Math.ceil(total / openedPerPage);
    found.push(...records);
  }
  return found.filter((record) => wasOpen(record, at));
}

/** The levels of these stock records at a moment, in their order. */
async function levelsOfRecords(
  db: Database,
  records: readonly RawItem[],
  moment: Moment,
): Promise<readonly PastLevel[]> {
  const shardsOf = await readShards(db, stockList.table, records);
  const levels = new Map<string, PastLevel>();
  const products = Map.groupBy(records, ({ product_id }) => Number(product_id));
  await forEachConcurrently(
    products,
    async ([productId, ofProduct]) => {
      const stock = ofProduct.flatMap((record) => [record, ...shardsOf(record)]);
      for (const level of await levelsAt(db, productId, stock, moment))
        levels.set(stockPlaceKey(level), level);
    },
    maxParallelProducts,
  );
  return records.flatMap((record) => levels.get(stockPlaceKey(z.parse(stockLevel, record))) ?? []);
}
