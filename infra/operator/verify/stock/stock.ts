/**
 * Compares the stock of an account with its bins, open records and movements (`balance.ts`).
 *
 * Bins and open records determine what is right; stock, movements and their counts follow from them. A
 * recount can verify what is in a bin, and orders are what clients were promised.
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
import { weekAt } from "../../../../shared/stock/movements/movement-repository.ts";
import { getItem, getItems } from "../../../../shared/store/dynamodb/reads.ts";
import { allSagas } from "../../../../shared/store/sagas/orphaned-sagas.ts";
import { isInScope, reportUnclear, type Verification } from "../finding.ts";
import { manual, reportAndRepair, unlessUnreadable, untilDecided } from "../inspection.ts";
import type { Survey } from "../survey.ts";
import { readClaims } from "./open-claims.ts";
import { type ProductBooks, readBooks, readBooksState } from "./stock-books.ts";
import { missingProduct, missingProductAndStock, type Subject, stockFaults } from "./stock-faults.ts";

interface AccountVerification extends Verification {
  readonly accountId: number;
  /** Whether all orders and replenishments are stored under the right facet keys. */
  readonly trustsFacetKeys: boolean;
  readonly orphanedSagas: ReadonlySet<string>;
}

/** What the checks of lists and sagas found out. */
export interface EarlierFindings {
  /** Accounts with records that may be stored under wrong facet keys. */
  readonly misfiled: ReadonlySet<number>;
  /** Accounts with missing or unreadable records that determine their stock. */
  readonly undecidable: ReadonlySet<number>;
  /** Sagas that can't be completed. */
  readonly orphanedSagas: ReadonlySet<string>;
}

/** Verifies the stock that seems wrong by the sums, and repairs it if there is a repairer. */
export async function verifyStock(
  verification: Verification,
  { stock }: Pick<Survey, "stock">,
  { misfiled, undecidable, orphanedSagas }: EarlierFindings,
): Promise<void> {
  for (const accountId of undecidable) reportUnclear(verification, ofAccount(accountId));
  // Orphaned goods have no known owner, so they are reported only with all accounts.
  const orphans = verification.accountId === undefined ? stock.orphans() : [];
  const subjects = await findSubjects(verification, [...stock.suspects(), ...orphans], undecidable);
  for (const [accountId, own] of Map.groupBy(subjects, ({ account_id }) => account_id)) {
    const account = { ...verification, accountId, trustsFacetKeys: !misfiled.has(accountId), orphanedSagas };
    await untilDecided(
      verification,
      own,
      async (left) => {
        const busy = await unlessUnreadable(() => recheck(account, left));
        if (busy !== "unclear") return busy;
        reportUnclear(verification, ofAccount(accountId));
        return [];
      },
      ({ product_id, sku }) => `stock of product ${product_id} (${sku})`,
    );
  }
}

const ofAccount = (accountId: number): string => `stock of account ${accountId}`;

const batchSize = 100;

type OwnSubject = Subject & { readonly account_id: number };

/**
 * The products that exist, are in scope, and do not belong to an undecidable account. Missing and unreadable
 * ones are reported.
 */
async function findSubjects(
  verification: Verification,
  ids: readonly number[],
  undecidable: ReadonlySet<number>,
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
      if (typeof account === "number" && (undecidable.has(account) || !isInScope(verification, account)))
        continue;
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
  await reportAndRepair(verification, [manual(difference)]);
}

/** Reads suspects again, and reports and repairs those that did not change. Returns the others. */
async function recheck(
  verification: AccountVerification,
  suspects: readonly OwnSubject[],
): Promise<readonly OwnSubject[]> {
  const { db, accountId, settleMs, orphanedSagas } = verification;
  const states = new Map<OwnSubject, string>();
  await forEachConcurrently(suspects, async (one) => {
    states.set(one, await readBooksState(db, one.product_id));
  });
  await sleep(settleMs);
  // A saga that changed stock before it was read is still in progress here, or its record is visible to the
  // reads below.
  if ((await allSagas(db)).some((name) => !orphanedSagas.has(name))) return suspects;
  const { sums, areMoving } = await readClaims(db, accountId, verification);
  if (areMoving) return suspects;
  await sleep(settleMs);
  const until = weekAt(new Date().toISOString());
  const books = new Map<OwnSubject, ProductBooks>();
  await forEachConcurrently(suspects, async (one) => {
    books.set(one, await readBooks(db, one.product_id, { since: weekAt(one.created_at), until }));
  });
  await sleep(settleMs);
  const left: OwnSubject[] = [];
  await forEachConcurrently(suspects, async (one) => {
    const own = books.get(one);
    const isQuiet =
      own !== undefined &&
      own.state === states.get(one) &&
      own.state === (await readBooksState(db, one.product_id));
    if (
      !isQuiet ||
      !(await reportAndRepair(verification, stockFaults(one, own, sums, verification.repairer)))
    )
      left.push(one);
  });
  return left;
}
