import * as z from "zod/mini";
import { products } from "../../../../shared/catalog/products/product-repository.ts";
import { mapConcurrently } from "../../../../shared/common/concurrency.ts";
import { moment } from "../../../../shared/common/fields.ts";
import { invalidAt } from "../../../../shared/common/problem.ts";
import type { ChangedRecords } from "../../../../shared/events/changes-since.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { defineChangeList } from "../../../../shared/http/lists/define-read.ts";
import { pageOfAll, pageQuery } from "../../../../shared/http/lists/pagination.ts";
import { severalIds, severalTexts } from "../../../../shared/http/lists/searches.ts";
import { updatedSince } from "../../../../shared/http/lists/times.ts";
import {
  findDistributionCenter,
  registryReadAccess,
} from "../../../../shared/registries/registry-repository.ts";
import type { AccountContext } from "../../../../shared/runtime/context.ts";
import {
  changedStockSince,
  type ListedStock,
  stockNamed,
  stockNameOf,
} from "../../../../shared/stock/changed-stock.ts";
import { findStock, type NamedStock, readStock } from "../../../../shared/stock/find-stock.ts";
import { currentStock, currentStockAt } from "../../../../shared/stock/holds/current-stock.ts";
import { heldAccess } from "../../../../shared/stock/holds/hold-repository.ts";
import { expectKept, pastStockOf, readPastStock } from "../../../../shared/stock/past-stock.ts";
import { stockOf } from "../../../../shared/stock/stock-levels.ts";
import { stockFacets } from "../../../../shared/stock/stock-repository.ts";
import {
  presentKit,
  presentPast,
  presentStock,
  type StockRecord,
  stockRecord,
} from "../../../../shared/stock/stock-view.ts";
import { noFacet } from "../../../../shared/store/lists/facets.ts";
import { mapPage, type Page } from "../../../../shared/store/lists/pages.ts";
import { listAccess } from "../../../../shared/store/lists/read-list.ts";
import { lookupReadAccess } from "../../../../shared/store/lookup-index.ts";

const wrongNames = "must be 1 to 100 names of at most 100 characters with commas between";

const query = z.object({
  ...pageQuery(1000, 1000),
  sku: z.optional(severalTexts({ problem: wrongNames })),
  product_id: z.optional(severalIds),
  updated_since: updatedSince,
  distribution_center: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
  as_of: z.optional(moment),
});
type Query = z.output<typeof query>;

export const endpoint = defineChangeList(
  {
    path: "/apirest/v4/oms/inventory/stock",
    summary: "List stock levels",
    request: z.object({ query }),
    record: stockRecord,
    access: {
      ...listAccess("inventory"),
      ...lookupReadAccess,
      ...heldAccess,
      ...registryReadAccess("distributionCenters"),
    },
  },
  async ({ query }, context) => {
    const { as_of, updated_since } = query;
    if (as_of !== undefined) expectKept(as_of, context.now);
    if (as_of !== undefined && updated_since !== undefined)
      throw notTogether("as_of, which answers a moment");
    const changes = await changedStockSince(context, updated_since);
    return { ...(await pageOf(query, changes, context)), complete_until: changes?.complete_until };
  },
);

type Changes = ChangedRecords<string>;
type StockPage = Promise<Page<StockRecord>>;

/** A page of named stock, of what changed, or of all stock. */
function pageOf(query: Query, changes: Changes | undefined, context: AccountContext): StockPage {
  if (query.sku !== undefined || query.product_id !== undefined) return namedPage(query, changes, context);
  return changes === undefined ? wholePage(query, context) : changedPage(query, changes, context);
}

async function namedPage(query: Query, changes: Changes | undefined, context: AccountContext): StockPage {
  const all = await namedStock(query, context);
  const listed = all.filter(isIn(query));
  return pageOfAll(changes === undefined ? listed : listed.filter(isAmong(changes)), query);
}

async function changedPage(query: Query, changes: Changes, { db }: AccountContext): StockPage {
  const changed = await stockNamed(db, [...changes.changed]);
  const { records, total } = pageOfAll(changed.filter(isIn(query)), query);
  return { records: (await currentStockAt(db, records)).map(presentStock), total };
}

async function wholePage(query: Query, context: AccountContext): StockPage {
  const { distribution_center: code, as_of, page, per_page } = query;
  const registered = code === undefined ? undefined : await findDistributionCenter(context.db, code);
  const center = code === undefined ? undefined : (registered?.distribution_center_id ?? noFacet);
  const request = { page, per_page, direction: "asc" as const, ...stockFacets.matching({ center }) };
  return as_of === undefined
    ? mapPage(await readStock(context.db, context.account_id, request), presentStock)
    : mapPage(await readPastStock(context, request, as_of), presentPast(as_of));
}

/** Whether stock is in the center that the call names. */
const isIn =
  ({ distribution_center: code }: Query) =>
  (stock: ListedStock): boolean =>
    code === undefined || stock.distribution_center === code;

const isAmong =
  ({ changed }: Changes) =>
  (stock: ListedStock): boolean =>
    changed.has(stockNameOf(stock));

const notTogether = (other: string) =>
  invalidAt([{ path: "updated_since", message: `can't be combined with ${other}` }]);

/** Names whose stock is read at the same time: a prefix can mean 1,000 products. */
const namesAtOnce = 25;

/** The stock of names, of products by their ids, or of what both mean, in the order of the call. */
async function namedStock(query: Query, context: AccountContext): Promise<readonly StockRecord[]> {
  const meant = await meantBy(query, context);
  const records = await mapConcurrently(meant, (named) => stockOfOne(named, query, context), namesAtOnce);
  return records.flat();
}

async function stockOfOne(
  named: NamedStock,
  { updated_since, as_of }: Query,
  context: AccountContext,
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

/** The products and kits that a call names. One that names both products and ids means what is in both. */
async function meantBy(
  { sku, product_id: ids }: Query,
  context: AccountContext,
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

export const handler = lambda(endpoint);
