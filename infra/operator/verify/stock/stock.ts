/**
 * Holds the stock of an account against its bins, its open records and its movements (`balance.ts`).
 *
 * Writers may go on. A first pass reads each product once. What looks wrong there may have changed while it was read, so
 * it is read again: stock and bins, then open records, then the books with their movements, then stock and bins. What
 * is found counts only where stock and bins stayed as they were. For whatever claims a product or moves it also changes its
 * stock or a bin, in the same transaction. All of such a transaction shows before the next reads. A large record is stored
 * in steps, and its stock shows earlier than itself. So nothing counts while sagas are in progress.
 *
 * Bins and open records are what counts; stock, movements and their counts follow them. What lies in a bin, a recount can
 * tell, and orders are what clients were promised.
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
import { goneProduct, goneStock, type Subject, stockFaults } from "./stock-faults.ts";

/** What is verified of one account. */
interface AccountVerification extends Verification {
  readonly accountId: number;
  /** Whether each order and replenishment is in its cell. */
  readonly trustsFacetKeys: boolean;
  readonly orphanedSagas: ReadonlySet<string>;
}

/** What is known of an account's records. */
export interface Doubts {
  /** Accounts of which records may be in wrong cells. */
  readonly astray: ReadonlySet<number>;
  /** Accounts of which records that decide about stock can't be found or read. */
  readonly unclear: ReadonlySet<number>;
  /** Steps that nobody will carry out. */
  readonly orphanedSagas: ReadonlySet<string>;
}

/** Verifies the stock that sums tell of, and repairs what can be repaired where that is asked for. */
export async function verifyStock(
  verification: Verification,
  { stock }: Pick<Survey, "stock">,
  { astray, unclear, orphanedSagas }: Doubts,
): Promise<void> {
  for (const accountId of unclear) reportUnclear(verification, ofAccount(accountId));
  // Whose goods without product and stock are, nothing tells. So they are looked for with all accounts.
  const lost = verification.accountId === undefined ? stock.lost() : [];
  const subjects = await subjectsAmong(verification, [...stock.suspects(), ...lost], unclear);
  for (const [accountId, own] of Map.groupBy(subjects, ({ account_id }) => account_id)) {
    const account = { ...verification, accountId, trustsFacetKeys: !astray.has(accountId), orphanedSagas };
    await untilDecided(
      verification,
      own,
      async (left) => {
        const busy = await unlessUnreadable(() => lookAgain(account, left));
        if (busy !== "unclear") return busy;
        reportUnclear(verification, ofAccount(accountId));
        return [];
      },
      ({ product_id, sku }) => `stock of product ${product_id} (${sku})`,
    );
  }
}

const ofAccount = (accountId: number): string => `stock of account ${accountId}`;

/** Products looked up at a time. */
const together = 100;

/** A product to be looked at again, and whose it is. */
type OwnSubject = Subject & { readonly account_id: number };

/**
 * Those of these products that are meant, there and not of an `unclear` account. What is not there, or can't be read, is
 * reported.
 */
async function subjectsAmong(
  verification: Verification,
  ids: readonly number[],
  unclear: ReadonlySet<number>,
): Promise<readonly OwnSubject[]> {
  const { db, settle } = verification;
  const subjects: OwnSubject[] = [];
  for (let start = 0; start < ids.length; start += together) {
    const some = ids.slice(start, start + together);
    const find = await getItems(db, some.map(productLookup));
    const gone: number[] = [];
    for (const id of some) {
      const item = await unlessUnreadable(() => find(productLookup(id)));
      if (item === undefined) gone.push(id);
      const account = item === "unclear" ? undefined : item?.["account_id"];
      if (typeof account === "number" && (unclear.has(account) || !isInScope(verification, account)))
        continue;
      const subject = item === "unclear" ? item : await unlessUnreadable(() => item && products.parse(item));
      if (subject === "unclear") reportUnclear(verification, `stock of product ${id}`);
      else if (subject !== undefined) subjects.push(subject);
    }
    if (gone.length > 0) await sleep(settle);
    await forEachConcurrently(gone, async (id) => {
      const outcome = await unlessUnreadable(() => reportGone(verification, id));
      if (outcome === "unclear") reportUnclear(verification, `stock of product ${id}`);
    });
  }
  return subjects;
}

/** A product is stored together with its stock. So stock alone is of a product that is gone, and so are goods without both. */
async function reportGone(verification: Verification, productId: number): Promise<void> {
  const { db } = verification;
  const { centers } = await readBooks(db, productId);
  const [own] = centers;
  if (!isInScope(verification, own?.place.account_id)) return;
  if ((await getItem(db, productLookup(productId))) !== undefined) return;
  const difference = own === undefined ? goneStock(productId) : goneProduct(own.place);
  await reportAndRepair(verification, [manual(difference)]);
}

/** Reads suspects again, and judges those that nobody writes to. Answers the others. */
async function lookAgain(
  verification: AccountVerification,
  suspects: readonly OwnSubject[],
): Promise<readonly OwnSubject[]> {
  const { db, accountId, settle, orphanedSagas } = verification;
  const states = new Map<OwnSubject, string>();
  await forEachConcurrently(suspects, async (one) => {
    states.set(one, await readBooksState(db, one.product_id));
  });
  await sleep(settle);
  // Steps that changed stock before it was read are still in progress here, unless their record shows to all that follows.
  if ((await allSagas(db)).some((name) => !orphanedSagas.has(name))) return suspects;
  const { sums, areMoving } = await readClaims(db, accountId, verification);
  if (areMoving) return suspects;
  await sleep(settle);
  const until = weekAt(new Date().toISOString());
  const books = new Map<OwnSubject, ProductBooks>();
  await forEachConcurrently(suspects, async (one) => {
    books.set(one, await readBooks(db, one.product_id, { since: weekAt(one.created_at), until }));
  });
  await sleep(settle);
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
