/**
 * Compares the stock of an account with its bins, open records and movements (`balance.ts`).
 *
 * Bins and open records determine what is right; stock, movements and their counts follow from them. A
 * recount can verify what is in a bin, and orders are what clients were promised. But if a bin or a record is
 * lost, stock and movements are what is left of it, so a repair keeps them (`isConfirmed` in `balance.ts`).
 * An unreadable record only makes its own claims unknown: everything else is still checked.
 *
 * Writers may be active. Products that look wrong in the first pass are read again: stock and bins, then open
 * records, then all books with movements, then stock and bins. Faults count only if stock and bins did not
 * change, because every transaction that claims or moves goods changes stock or a bin, and is fully visible
 * before the next read. A saga stores a large record in several transactions, and its stock becomes visible
 * before the record. So nothing counts while sagas are in progress.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { productLookup, products } from "../../../../shared/catalog/products/product-repository.ts";
import { forEachConcurrently } from "../../../../shared/common/concurrency.ts";
import { orderLookup } from "../../../../shared/orders/storage/order-repository.ts";
import { weekAt } from "../../../../shared/stock/movements/movement-repository.ts";
import { getItem, getItems } from "../../../../shared/store/dynamodb/reads.ts";
import { allSagas } from "../../../../shared/store/sagas/orphaned-sagas.ts";
import { isInScope, reportUnclear, restoreOrCancel, type Verification } from "../finding.ts";
import { manual, reportAndRepair, unlessUnreadable, untilDecided } from "../inspection.ts";
import type { Survey } from "../survey.ts";
import { readClaims } from "./open-claims.ts";
import { type ProductBooks, readBooks, readBooksState } from "./stock-books.ts";
import { missingProduct, missingProductAndStock, type Subject, stockFaults } from "./stock-faults.ts";

interface AccountVerification extends Verification {
  readonly accountId: number;
  /** Whether all orders and replenishments are stored under the right facet keys. */
  readonly trustsFacetKeys: boolean;
  /** Whether there are records in no list. */
  readonly isHidden: boolean;
  readonly orphanedSagas: ReadonlySet<string>;
}

/** What the checks of lists and sagas found out. */
export interface EarlierFindings {
  /** Accounts with records that may be stored under wrong facet keys. */
  readonly misfiled: ReadonlySet<number>;
  /** Accounts with records that are in no list, so that not all claims on their stock are known. */
  readonly hidden: ReadonlySet<number>;
  /** Sagas that can't be completed. */
  readonly orphanedSagas: ReadonlySet<string>;
}

/** Verifies the stock that seems wrong by the sums, and repairs it if there is a repairer. */
export async function verifyStock(
  verification: Verification,
  { stock }: Pick<Survey, "stock">,
  { misfiled, hidden, orphanedSagas }: EarlierFindings,
): Promise<void> {
  for (const accountId of hidden) reportUnclear(verification, `stock of account ${accountId}`);
  // Orphaned goods have no known owner, so they are reported only with all accounts.
  const orphans = verification.accountId === undefined ? stock.orphans() : [];
  const subjects = await findSubjects(verification, [...stock.suspects(), ...orphans]);
  for (const [accountId, own] of Map.groupBy(subjects, ({ account_id }) => account_id)) {
    const account = {
      ...verification,
      accountId,
      trustsFacetKeys: !misfiled.has(accountId),
      isHidden: hidden.has(accountId),
      orphanedSagas,
    };
    await untilDecided(verification, own, (left) => recheck(account, left), titleOf);
  }
}

const titleOf = ({ product_id, sku }: OwnSubject): string => `stock of product ${product_id} (${sku})`;

const batchSize = 100;

type OwnSubject = Subject & { readonly account_id: number };

/** The products that exist and are in scope. Missing and unreadable ones are reported. */
async function findSubjects(
  verification: Verification,
  ids: readonly number[],
): Promise<readonly OwnSubject[]> {
  const { db, settleMs } = verification;
  const subjects: OwnSubject[] = [];
  for (let start = 0; start < ids.length; start += batchSize) {
    const some = ids.slice(start, start + batchSize);
    const find = await getItems(db, some.map(productLookup));
    const gone: number[] = [];
    for (const id of some) {
      const item = await unlessUnreadable(() => find(productLookup(id)));
      if (item === undefined) gone.push(id);
      const account = item === "unclear" ? undefined : item?.["account_id"];
      if (typeof account === "number" && !isInScope(verification, account)) continue;
      const subject = item === "unclear" ? item : await unlessUnreadable(() => item && products.parse(item));
      if (subject === "unclear") reportUnclear(verification, `stock of product ${id}`);
      else if (subject !== undefined) subjects.push(subject);
    }
    if (gone.length > 0) await sleep(settleMs);
    await forEachConcurrently(gone, async (id) => {
      const outcome = await unlessUnreadable(() => reportGone(verification, id));
      if (outcome === "unclear") reportUnclear(verification, `stock of product ${id}`);
    });
  }
  return subjects;
}

/**
 * A product is created with its stock in one transaction, so stock or goods without a product are a fault.
 */
async function reportGone(verification: Verification, productId: number): Promise<void> {
  const { db } = verification;
  const { centers } = await readBooks(db, productId);
  const [own] = centers;
  if (!isInScope(verification, own?.place.account_id)) return;
  if ((await getItem(db, productLookup(productId))) !== undefined) return;
  const difference = own === undefined ? missingProductAndStock(productId) : missingProduct(own.place);
  await reportAndRepair(verification, [manual(difference, restoreOrCancel)]);
}

/** Every figure, if not all records that claim stock are known. */
const allFigures = new Set(["on_hand", "reserved", "incoming"] as const);

/**
 * Reads suspects again, and reports and repairs those that did not change. One with an unreadable item is
 * reported as unclear. Returns those that changed.
 */
async function recheck(
  verification: AccountVerification,
  suspects: readonly OwnSubject[],
): Promise<readonly OwnSubject[]> {
  const { db, accountId, settleMs, orphanedSagas, isHidden } = verification;
  /** Reads each of these, except unreadable ones. */
  const readEach = async <T>(
    some: Iterable<OwnSubject>,
    read: (one: OwnSubject) => Promise<T>,
  ): Promise<ReadonlyMap<OwnSubject, T>> => {
    const found = new Map<OwnSubject, T>();
    await forEachConcurrently(some, async (one) => {
      const outcome = await unlessUnreadable(() => read(one));
      if (outcome === "unclear") reportUnclear(verification, titleOf(one));
      else found.set(one, outcome);
    });
    return found;
  };
  const states = await readEach(suspects, ({ product_id }) => readBooksState(db, product_id));
  await sleep(settleMs);
  // A saga that changed stock before it was read is still in progress here, or its record is visible to the
  // reads below.
  if ((await allSagas(db)).some((name) => !orphanedSagas.has(name))) return [...states.keys()];
  const claims = await readClaims(db, accountId, verification);
  if (claims.areMoving) return [...states.keys()];
  await sleep(settleMs);
  const until = weekAt(new Date().toISOString());
  const books = await readEach(states.keys(), ({ product_id, created_at }) =>
    readBooks(db, product_id, { since: weekAt(created_at), until }),
  );
  await sleep(settleMs);
  const context = { by: verification.repairer, openEnded: isHidden ? allFigures : claims.openEnded };
  const left: OwnSubject[] = [];
  await readEach(books.keys(), async (one) => {
    const own = books.get(one);
    if (own === undefined || own.state !== states.get(one)) return left.push(one);
    const lostOrders = await lostOrdersIn(db, own);
    if (own.state !== (await readBooksState(db, one.product_id))) return left.push(one);
    const { faults, isUnclear } = stockFaults(one, own, claims.sums, { ...context, lostOrders });
    if (!(await reportAndRepair(verification, faults))) return left.push(one);
    if (isUnclear) reportUnclear(verification, titleOf(one));
    return 0;
  });
  return left;
}

/** The orders that movements name and that are not there, with the units reserved for them. */
async function lostOrdersIn(
  db: Verification["db"],
  { reserved }: ProductBooks,
): Promise<ReadonlyMap<number, number>> {
  const find = await getItems(db, [...reserved.keys()].map(orderLookup), ["cell"]);
  const isGone = async (orderId: number) =>
    (await unlessUnreadable(() => find(orderLookup(orderId)))) === undefined;
  const lost = new Map<number, number>();
  for (const [orderId, units] of reserved) if (await isGone(orderId)) lost.set(orderId, units);
  return lost;
}
