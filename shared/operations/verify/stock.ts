/**
 * Holds the stock of an account against its bins, its open records and its movements (`domain/stock/balance.ts`).
 *
 * Writers may go on. A first pass reads each product once. What looks wrong there may have changed while it was read, so
 * it is read again: stock and bins, then open records, then the books with their movements, then stock and bins. It counts
 * only where stock and bins stayed as they were, since whatever changes the claims on a product or moves it also changes
 * its stock or a bin, in the same transaction. All of such a transaction shows before the next reads. A large record is
 * stored in steps, and its stock shows earlier than itself. So nothing counts while steps are underway.
 *
 * Bins and open records are what counts; stock, movements and their counts follow them. What lies in a bin, a recount can
 * tell, and orders are what clients were promised.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { readClaims } from "../../data/claims.ts";
import type { MovementSums } from "../../data/movement-sums.ts";
import { weekAt } from "../../data/movements.ts";
import { products } from "../../data/products.ts";
import { type ProductBooks, readBlockBooks, readBooks, readBooksState } from "../../data/stock-books.ts";
import type { ClaimSums } from "../../domain/stock/balance.ts";
import { itemsOf } from "../../store/lists/block-list.ts";
import { productList } from "../../store/lists/definitions.ts";
import { blockTallies } from "../../store/lists/tally-tree.ts";
import { queryPages } from "../../store/reads.ts";
import { forEach } from "../../store/side-by-side.ts";
import { stepsLeftBehind } from "../../store/steps.ts";
import { transact, unlessStale } from "../../store/transact.ts";
import { untilDecided, type Verification } from "./finding.ts";
import { type Subject, stockFaults } from "./stock-faults.ts";

const pageSize = 100;

/** What is verified of one account. */
interface AccountVerification extends Verification {
  readonly accountId: number;
  /** Whether each order and replenishment is in its cell. */
  readonly trustsCells: boolean;
  /** The sums of all movements, read some time before. */
  readonly moved: MovementSums;
}

/** Books of a product that was created after they were read. It is looked at again. */
const noBooks: ProductBooks = { centers: [], bins: [], unreadable: [], state: "" };

/** Verifies the stock of all products of an account, and repairs what can be repaired where that is asked for. */
export async function verifyStock(verification: AccountVerification): Promise<void> {
  const { db, accountId, moved } = verification;
  const { sums } = await readClaims(db, accountId, verification);
  const suspects: Subject[] = [];
  await forEach(blockTallies(db, productList, String(accountId)), async ({ block }) => {
    const books = await readBlockBooks(db, block, moved);
    for await (const items of queryPages(db, itemsOf(productList, block), pageSize))
      for (const item of items.filter(({ cell }) => cell !== undefined)) {
        const product = products.parse(item);
        const own = books.get(product.product_id) ?? noBooks;
        if (stockFaults(product, own, sums).length > 0) suspects.push(product);
      }
  });
  await untilDecided(
    verification,
    suspects,
    (left) => lookAgain(verification, left),
    ({ product_id, sku }) => `stock of product ${product_id} (${sku})`,
  );
}

/** Reads suspects again, and judges those that nobody writes to. Answers the others. */
async function lookAgain(
  verification: AccountVerification,
  suspects: readonly Subject[],
): Promise<readonly Subject[]> {
  const { db, accountId, settle } = verification;
  const states = new Map<Subject, string>();
  await forEach(suspects, async (one) => {
    states.set(one, await readBooksState(db, one.product_id));
  });
  await sleep(settle);
  // Steps that changed stock before it was read are still underway here, unless their record shows to all that follows.
  if ((await stepsLeftBehind(db, "9999", 1)).length > 0) return suspects;
  const { sums, areMoving } = await readClaims(db, accountId, verification);
  if (areMoving) return suspects;
  await sleep(settle);
  const until = weekAt(new Date().toISOString());
  const books = new Map<Subject, ProductBooks>();
  await forEach(suspects, async (one) => {
    books.set(one, await readBooks(db, one.product_id, { since: weekAt(one.created_at), until }));
  });
  await sleep(settle);
  const left: Subject[] = [];
  await forEach(suspects, async (one) => {
    const own = books.get(one);
    const isQuiet =
      own !== undefined &&
      own.state === states.get(one) &&
      own.state === (await readBooksState(db, one.product_id));
    if (!isQuiet || !(await judge(verification, one, own, sums))) left.push(one);
  });
  return left;
}

/** Reports what is wrong with a product, and repairs it. Answers false where someone changed it meanwhile. */
async function judge(
  { db, repairer, report }: Verification,
  subject: Subject,
  books: ProductBooks,
  claims: ClaimSums,
): Promise<boolean> {
  for (const { differences, writes } of stockFaults(subject, books, claims, repairer)) {
    const isRepairing = repairer !== undefined && writes !== undefined;
    if (isRepairing && !(await unlessStale(() => transact(db, writes)))) return false;
    const state = isRepairing ? "repaired" : writes === undefined ? "by_hand" : "found";
    for (const one of differences) report({ kind: "difference", ...one, state });
  }
  return true;
}
