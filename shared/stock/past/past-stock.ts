/**
 * Stock of a past moment, from movements (docs/decisions.md, Stock of a past moment). It takes one or two
 * read units a product beside its stock records, however long ago the moment is and however many movements
 * have been stored since. It takes one more for a product whose stock changed in the last five minutes.
 */

import { productList, stockList } from "../../catalog/products/product-lists.ts";
import { mapConcurrently } from "../../common/concurrency.ts";
import { invalidAt } from "../../common/problem.ts";
import { isTwoYearsBefore } from "../../common/times.ts";
import type { AccountContext } from "../../runtime/context.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { getItem, type RawItem } from "../../store/dynamodb/reads.ts";
import { readShards } from "../../store/dynamodb/sharded-counter.ts";
import { recordKey } from "../../store/lists/block-list.ts";
import type { Page } from "../../store/lists/pages.ts";
import { type ListRequest, readList } from "../../store/lists/read-list.ts";
import { wasOpen } from "../open-stock.ts";
import { levelsAt, type Moment, type PastLevel } from "./past-levels.ts";

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

/** The stock of a product at a moment; none if it did not exist then. @throws Busy, as `levelsAt` */
export async function pastStockOf(
  { db, now }: Reader,
  productId: number,
  at: string,
): Promise<readonly PastLevel[]> {
  const { stock, levels } = await levelsAt(db, productId, { at, now });
  const wereOpen = stock.map((item) => wasOpen(item, at));
  const existed =
    wereOpen.includes(true) || (wereOpen.includes(undefined) && (await wasCreated(db, productId, at)));
  return existed ? levels : [];
}

/** Whether a product existed at a moment. */
async function wasCreated(db: Database, productId: number, at: string): Promise<boolean> {
  const item = await getItem(db, { table: productList.table, key: recordKey(productList, productId) });
  return item !== undefined && String(item["created_at"]) <= at;
}

/** The number of products of a page that are read concurrently. */
const maxParallelProducts = 25;

/**
 * One page of an account's stock levels at a moment: today's pages up to the product that was the newest
 * then, since products' ids rise with their creation.
 * @throws Busy, as `levelsAt`
 */
export async function readPastStock(
  { db, account_id, now }: Reader,
  request: ListRequest,
  at: string,
): Promise<Page<PastLevel>> {
  const toId = await newestProductAt(db, account_id, at);
  if (toId === undefined) return { records: [], total: 0 };
  const list = { list: stockList, parse: asItem };
  const { records, total } = await readList(list, db, account_id, { ...request, toId });
  return { records: await levelsOfRecords(db, records, { at, now }), total };
}

const asItem = (item: RawItem) => item;

/** The id of the product that was created last at a moment; undefined if there was none. */
async function newestProductAt(db: Database, accountId: number, at: string): Promise<number | undefined> {
  const createdAt = ({ created_at }: RawItem): string => String(created_at);
  const request = { page: 1, per_page: 1, created: { to: at, createdAt } };
  const { records } = await readList({ list: productList, parse: asItem }, db, accountId, request);
  const [newest] = records;
  return newest && Number(newest["product_id"]);
}

/** The levels of these stock records, which are in the order of their products, at a moment. */
async function levelsOfRecords(
  db: Database,
  records: readonly RawItem[],
  moment: Moment,
): Promise<readonly PastLevel[]> {
  const shardsOf = await readShards(db, stockList.table, records);
  const byProduct = [...Map.groupBy(records, ({ product_id }) => Number(product_id))];
  const levels = await mapConcurrently(
    byProduct,
    ([productId, ofProduct]) => {
      const listed = ofProduct.flatMap((record) => [record, ...shardsOf(record)]);
      return levelsAt(db, productId, moment, listed);
    },
    maxParallelProducts,
  );
  return levels.flatMap((one) => one.levels);
}
