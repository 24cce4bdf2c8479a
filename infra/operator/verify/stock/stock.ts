/**
 * Compares the stock of an account with its bins, open records and movements (`figures.ts`).
 *
 * Bins and open records determine what is right; stock, movements and their counts follow from them. A
 * recount can verify what is in a bin, and orders are what clients were promised. But if a bin or a record is
 * lost, stock and movements are what is left of it, so a repair keeps them (`isConfirmed` in `figures.ts`).
 * An unreadable record only makes its own claims unknown: everything else is still checked.
 *
 * Writers may be active. A transaction that claims or moves goods changes a stock record or a bin. So faults
 * count only if two reads of a product's books and of all claims agree. A saga stores a large record in
 * several transactions, and its stock becomes visible before the record. So nothing counts while sagas are in
 * progress.
 */
import * as z from "zod/mini";
import { binContentList, productList, stockList } from "../../../../shared/catalog/products/product-lists.ts";
import { productLookup, products } from "../../../../shared/catalog/products/product-repository.ts";
import { inBatches } from "../../../../shared/common/concurrency.ts";
import { replenishmentList } from "../../../../shared/inbound/inbound-repository.ts";
import { orderList, orderLookup } from "../../../../shared/orders/storage/order-repository.ts";
import { unitsIn } from "../../../../shared/stock/bins/layers.ts";
import { hold } from "../../../../shared/stock/holds/hold.ts";
import { weekAt } from "../../../../shared/stock/movements/movement-repository.ts";
import { getItem, getItems, type RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import { facetKeyAttribute, isListedRecord } from "../../../../shared/store/lists/facets.ts";
import { allSagas } from "../../../../shared/store/sagas/open-sagas.ts";
import { unlessUnreadable } from "../../unreadable.ts";
import type { Fact, Facts, ListItem } from "../comparator.ts";
import { isInScope, reportUnclear, restoreOrCancel, type Verification } from "../finding.ts";
import { type Inspection, manual, nothingWrong, verifySuspects, verifyTogether } from "../inspection.ts";
import { idInPartition } from "../reading.ts";
import type { Scope } from "../scope.ts";
import { type BookedBin, movementIn, type ProductBooks, readBooks, readClaims } from "./books.ts";
import { expectedIn, missingProduct, missingProductAndStock, type Subject, stockFaults } from "./faults.ts";
import {
  figureNames,
  type Part,
  partsOfBin,
  partsOfMovement,
  partsOfOrder,
  partsOfReplenishment,
  partsOfStock,
  partsOfStoredHold,
  sourcesOf,
} from "./figures.ts";

/** What the checks of lists and sagas found out. */
interface EarlierFindings {
  /** Accounts with records that may be stored under wrong facet keys. */
  readonly misfiled: ReadonlySet<number>;
  /** Accounts with records that are in no list, so that not all claims on their stock are known. */
  readonly hidden: ReadonlySet<number>;
  readonly orphanedSagas: ReadonlySet<string>;
}

/** The facts about products, by id. A product has a stock record, and stock has a product. */
export const stockFacts = ({ hasProduct }: Pick<Scope, "hasProduct">): Facts<number> => ({
  lists: [productList, stockList, binContentList, orderList, replenishmentList],
  ofListItem: (one) => factsOf(one, hasProduct),
  ofItems: [
    {
      table: stockList.table,
      kind: "movement",
      isVerified: (item) => hasProduct(idInPartition(item)),
      facts: factsOfMovement,
    },
    {
      table: "jobs",
      kind: "hold",
      facts: (item) => factsOfHold(item, hasProduct),
    },
  ],
});

const product = (id: number) => ({ kind: "product", id });
const stockRecord = (id: number) => ({ kind: "stock", id });

/** A level adds to a sum for each source that it must agree with, from which that source is subtracted. */
function* factsOfParts(parts: readonly Part[]): Generator<Fact<number>, void> {
  for (const { product_id: subject, distribution_center_id, figure, source, units } of parts)
    for (const other of units === 0 ? [] : sourcesOf(figure)) {
      const sum = `${other} ${subject} ${distribution_center_id} ${figure}`;
      if (source === "level" || source === other)
        yield { sum, by: source === "level" ? units : -units, subject };
    }
}

function* factsOf(
  { list, key, item, bin, record }: ListItem,
  hasProduct: Scope["hasProduct"],
): Generator<Fact<number>, void> {
  const id = Number.parseInt(key.sk, 10);
  if (list === productList) {
    yield { has: product(id) };
    yield { needs: stockRecord(id), subject: id };
  }
  if (list === stockList && isListedRecord(item)) {
    yield { has: stockRecord(id) };
    yield { needs: product(id), subject: id };
  }
  // A shard does not name its account.
  if (list === stockList && (isListedRecord(item) || hasProduct(id))) yield* factsOfParts(partsOfStock(item));
  if (bin !== undefined) yield* factsOfBin(bin);
  if (record?.order !== undefined) yield* factsOfParts(partsOfOrder(record.order));
  if (record?.replenishment !== undefined) yield* factsOfParts(partsOfReplenishment(record.replenishment));
}

function* factsOfBin(bin: BookedBin): Generator<Fact<number>, void> {
  const { product_id, quantity, expected, layers } = bin.content;
  yield* factsOfParts(partsOfBin(bin.content));
  if (quantity < 0 || expected !== expectedIn(bin) || unitsIn(layers) > quantity)
    yield { suspect: product_id };
}

/** The product of an unreadable movement is known from its partition. */
function* factsOfMovement(item: RawItem): Generator<Fact<number>, void> {
  const moved = movementIn(item);
  if (moved === undefined) yield { suspect: idInPartition(item) };
  else yield* factsOfParts(partsOfMovement(moved));
}

/** An unreadable hold is known only by what then seems to be held too much. */
function* factsOfHold(item: RawItem, hasProduct: Scope["hasProduct"]): Generator<Fact<number>, void> {
  const { success, data } = z.safeParse(hold, item);
  if (success && data.goods.some(({ product_id }) => hasProduct(product_id)))
    yield* factsOfParts(partsOfStoredHold(data));
}

/** Decides about the stock of products, which is verified last. */
export async function verifyStock(
  verification: Verification,
  productIds: readonly number[],
  earlier: EarlierFindings,
): Promise<void> {
  for (const accountId of earlier.hidden) reportUnclear(verification, `stock of account ${accountId}`);
  const subjects = await findSubjects(verification, productIds);
  for (const [accountId, own] of Map.groupBy(subjects, ({ account_id }) => account_id))
    await verifyTogether(verification, own, () => productReader(verification, accountId, earlier));
}

const batchSize = 100;

type OwnSubject = Subject & { readonly account_id: number; readonly title: string };

/** The products that exist and are in scope. Missing and unreadable ones are reported. */
async function findSubjects(
  verification: Verification,
  ids: readonly number[],
): Promise<readonly OwnSubject[]> {
  const { db } = verification;
  const subjects: OwnSubject[] = [];
  const gone: number[] = [];
  for (const some of inBatches(ids, batchSize)) {
    const find = await getItems(db, some.map(productLookup));
    for (const id of some) {
      const item = await unlessUnreadable(() => find(productLookup(id)));
      if (item === undefined) gone.push(id);
      const account = item === "unclear" ? undefined : item?.["account_id"];
      if (typeof account === "number" && !isInScope(verification, account)) continue;
      const subject = item === "unclear" ? item : await unlessUnreadable(() => item && products.parse(item));
      if (subject === "unclear") reportUnclear(verification, `stock of product ${id}`);
      else if (subject !== undefined)
        subjects.push({ ...subject, title: `stock of product ${id} (${subject.sku})` });
    }
  }
  const suspects = gone.map((id) => ({
    title: `stock of product ${id}`,
    inspect: () => inspectGone(verification, id),
  }));
  await verifySuspects(verification, suspects);
  return subjects;
}

/**
 * A product is created with its stock in one transaction, so stock or goods without a product are a fault.
 * Goods without stock have no known owner, so they are reported only with all accounts.
 */
async function inspectGone(verification: Verification, productId: number): Promise<Inspection> {
  const { db } = verification;
  const { levels, state } = await readBooks(db, productId);
  const [own] = levels;
  if (!isInScope(verification, own?.account_id)) return nothingWrong;
  if ((await getItem(db, productLookup(productId))) !== undefined) return nothingWrong;
  const difference = own === undefined ? missingProductAndStock(productId) : missingProduct(own);
  return { state, faults: [manual(difference, restoreOrCancel)] };
}

/** Every figure, if not all records that claim stock are known. */
const allFigures = new Set(figureNames);

/** Reads what products of an account share: sagas in progress, and claims. Returns what reads a product. */
async function productReader(
  { db, repairer: by }: Verification,
  accountId: number,
  { misfiled, hidden, orphanedSagas }: EarlierFindings,
): Promise<(subject: OwnSubject) => Promise<Inspection>> {
  const isMoving = (await allSagas(db)).some((name) => !orphanedSagas.has(name));
  const claims = await readClaims(db, accountId, { trustsFacetKeys: !misfiled.has(accountId) });
  const openEnded = hidden.has(accountId) ? allFigures : claims.openEnded;
  const until = weekAt(new Date().toISOString());
  return async (subject) => {
    if (isMoving || claims.areMoving) return "busy";
    const { product_id, created_at } = subject;
    const books = await readBooks(db, product_id, { since: weekAt(created_at), until });
    const lostOrders = await lostOrdersIn(db, books);
    const others = [books.reserved, [...openEnded], lostOrders];
    return {
      state: [books.state, books.sums.of(product_id), claims.sums.of(product_id), books.unreadable, others],
      ...stockFaults(subject, books, claims.sums, { by, openEnded, lostOrders }),
    };
  };
}

/**
 * What movements reserve for orders that are not there. If the earliest movements of an archived order were
 * dropped, the others reserve less than nothing for it.
 */
async function lostOrdersIn(
  db: Verification["db"],
  { reserved }: ProductBooks,
): Promise<ProductBooks["reserved"]> {
  const claiming = reserved.filter(({ units }) => units > 0);
  const lookups = claiming.map(({ order_id }) => orderLookup(order_id));
  const find = await getItems(db, lookups, [facetKeyAttribute]);
  const orders = await Promise.all(lookups.map((lookup) => unlessUnreadable(() => find(lookup))));
  return claiming.filter((_, position) => orders[position] === undefined);
}
