/** Lists stock: all of it, of names and ids, or what changed since a time (docs/decisions.md, Stock). */
import * as z from "zod/mini";
import { stockList } from "../../catalog/products/product-lists.ts";
import { products } from "../../catalog/products/product-repository.ts";
import { mapConcurrently } from "../../common/concurrency.ts";
import { moment, text } from "../../common/fields.ts";
import { invalidAt } from "../../common/problem.ts";
import type { ChangedRecords } from "../../events/changes-since.ts";
import { type ChangePage, pageOfAll, pageQuery } from "../../http/lists/pagination.ts";
import { severalIds, severalTexts } from "../../http/lists/searches.ts";
import { updatedSince } from "../../http/lists/times.ts";
import { findDistributionCenter } from "../../registries/registry-repository.ts";
import type { AccountContext } from "../../runtime/context.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import type { RawItem } from "../../store/dynamodb/reads.ts";
import { readShards } from "../../store/dynamodb/sharded-counter.ts";
import { noFacet } from "../../store/lists/facets.ts";
import { mapPage, type Page } from "../../store/lists/pages.ts";
import { type ListRequest, readList } from "../../store/lists/read-list.ts";
import { findStock, type NamedStock } from "../find-stock.ts";
import { currentStock, currentStockAt } from "../holds/current-stock.ts";
import { expectKept, pastStockOf, readPastStock } from "../past/past-stock.ts";
import type { StockLevel } from "../stock.ts";
import { stockOf } from "../stock-levels.ts";
import { levelOf, stockFacets, stockRecords } from "../stock-repository.ts";
import { presentKit, presentPast, presentStock, type StockRecord } from "../stock-view.ts";
import { changedStockSince, type ListedStock, stockNamed, stockNameOf } from "./changed-stock.ts";

const wrongNames = "must be 1 to 100 names of at most 100 characters with commas between";

export const stockQuery = z.object({
  ...pageQuery(1000, 1000),
  sku: z.optional(severalTexts({ problem: wrongNames })),
  product_id: z.optional(severalIds),
  updated_since: updatedSince,
  distribution_center: z.optional(text()),
  as_of: z.optional(moment),
});
type StockQuery = z.output<typeof stockQuery>;

/**
 * One page of an account's stock.
 * @throws Problem `invalid` if filters can't be combined, a name means several products, or the stock of
 * `as_of` is not known any more
 */
export async function listStock(
  context: AccountContext,
  query: StockQuery,
): Promise<ChangePage<StockRecord>> {
  const { as_of, updated_since } = query;
  if (as_of !== undefined) expectKept(as_of, context.now);
  if (as_of !== undefined && updated_since !== undefined) throw notTogether("as_of, which answers a moment");
  const changes = await changedStockSince(context, updated_since);
  return { ...(await pageOf(context, query, changes)), complete_until: changes?.complete_until };
}

/** A page of named stock, of changed stock, or of all stock. */
async function pageOf(
  context: AccountContext,
  query: StockQuery,
  changes: ChangedRecords<string> | undefined,
): Promise<Page<StockRecord>> {
  const { distribution_center: code } = query;
  const isListed = (stock: ListedStock): boolean =>
    (code === undefined || stock.distribution_center === code) &&
    (changes === undefined || changes.changed.has(stockNameOf(stock)));
  if (query.sku !== undefined || query.product_id !== undefined)
    return pageOfAll((await namedStock(context, query)).filter(isListed), query);
  if (changes === undefined) return wholePage(context, query);
  const changed = await stockNamed(context.db, [...changes.changed]);
  const { records, total } = pageOfAll(changed.filter(isListed), query);
  return { records: (await currentStockAt(context.db, records)).map(presentStock), total };
}

async function wholePage(context: AccountContext, query: StockQuery): Promise<Page<StockRecord>> {
  const { distribution_center: code, as_of, page, per_page } = query;
  const registered = code === undefined ? undefined : await findDistributionCenter(context.db, code);
  const center = code === undefined ? undefined : (registered?.distribution_center_id ?? noFacet);
  const request = { page, per_page, direction: "asc" as const, ...stockFacets.matching({ center }) };
  return as_of === undefined
    ? mapPage(await readStock(context.db, context.account_id, request), presentStock)
    : mapPage(await readPastStock(context, request, as_of), presentPast(as_of));
}

/**
 * One page of an account's stock levels. A sharded record and its shards are read one after the other, so a
 * change made in between may show in only one of them.
 */
async function readStock(db: Database, accountId: number, request: ListRequest): Promise<Page<StockLevel>> {
  let total = 0;
  const records = await currentStock(db, async () => {
    const page = await readList(stockRecords, db, accountId, request);
    total = page.total;
    const itemOf = (record: StockLevel): RawItem => ({ ...record, ...stockRecords.keyOf(record) });
    const shardsOf = await readShards(db, stockList.table, page.records.map(itemOf));
    return page.records.map((record) => levelOf(record, shardsOf(itemOf(record))));
  });
  return { records, total };
}

const notTogether = (other: string) =>
  invalidAt([{ path: "updated_since", message: `can't be combined with ${other}` }]);

/** The number of names whose stock is read concurrently: a prefix can match 1,000 products. */
const namesAtOnce = 25;

/** The stock of names, of products by their ids, or of what both match, in the order of the call. */
async function namedStock(context: AccountContext, query: StockQuery): Promise<readonly StockRecord[]> {
  const meant = await meantBy(context, query);
  const records = await mapConcurrently(meant, (named) => stockOfOne(context, query, named), namesAtOnce);
  return records.flat();
}

async function stockOfOne(
  context: AccountContext,
  { updated_since, as_of }: StockQuery,
  named: NamedStock,
): Promise<readonly StockRecord[]> {
  const { db } = context;
  if ("kit" in named) {
    if (updated_since !== undefined) throw notTogether(`the kit ${named.kit.sku}; send its components`);
    if (as_of === undefined) return [presentKit(named.kit)];
    const message = `can't be combined with the kit ${named.kit.sku}: its earlier components are not kept; send SKUs`;
    throw invalidAt([{ path: "as_of", message }]);
  }
  return as_of === undefined
    ? (await currentStock(db, () => stockOf(db, named.product_id))).map(presentStock)
    : (await pastStockOf(context, named.product_id, as_of)).map(presentPast(as_of));
}

/** The products and kits that a call names. A call that names products and ids gets those that match both. */
async function meantBy(
  context: AccountContext,
  { sku, product_id: ids }: StockQuery,
): Promise<readonly NamedStock[]> {
  if (sku !== undefined) {
    const found = await findStock(context, sku);
    return ids === undefined
      ? found
      : found.filter((named) => "product_id" in named && ids.includes(named.product_id));
  }
  const found = await products.findAll(context.db, context.account_id, ids ?? []);
  return [...found.keys()].map((product_id) => ({ product_id }));
}
