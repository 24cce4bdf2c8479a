/** Counts initial stock into bins that have never held the product: the stock of a new account. */

import type { AccountContext } from "../../../shared/lambda/context.ts";
import { changeBin } from "../../../shared/stock/bins/bin-repository.ts";
import { nothingHeld } from "../../../shared/stock/bins/layers.ts";
import type { BinEntries } from "../../../shared/stock/recount/plan-recount.ts";
import { quantityAfter } from "../../../shared/stock/recount/recount.ts";
import type { Cause } from "../../../shared/stock/stock.ts";
import { keptStock, moveStock } from "../../../shared/stock/stock-repository.ts";
import { type Outcome, storeEach } from "../../../shared/store/bulk/bulk.ts";
import { getItems } from "../../../shared/store/dynamodb/reads.ts";

/**
 * The outcome for a bin: it now holds what was counted, or it has held the product before and is unchanged.
 */
export type Opened = "opened" | "known";

/**
 * Sets each bin to the count of its first entry, immediately and without a job, with the movement of a
 * recount. A bin that has held the product, or expects some, is unchanged: goods may have left it since. Each
 * bin is stored on its own.
 * @returns the outcomes in the order of the bins
 * @throws as `storeEach`
 */
export async function openBins(
  { db, actor: by, now: at }: Pick<AccountContext, "db" | "actor" | "now">,
  bins: readonly BinEntries[],
): Promise<readonly Outcome<Opened>[]> {
  const cause: Cause = { reason: "recount", reference: {}, by, at };
  return storeEach(db, bins, async (open) => {
    const places = open.flatMap(({ entries: [first] }) => (first === undefined ? [] : [first.value]));
    const [find, isKept] = await Promise.all([
      getItems(
        db,
        open.map(({ lookup }) => lookup),
      ),
      keptStock(db, places),
    ]);
    return open.map(({ lookup, entries: [first] }) => {
      if (first === undefined || find(lookup) !== undefined) return { writes: [], result: "known" };
      const { value: entry } = first;
      const quantity = quantityAfter(0, entry.change);
      return {
        writes: [
          ...changeBin(entry, undefined, { ...nothingHeld, quantity }, at),
          ...moveStock(entry, quantity, cause, isKept(entry)),
        ],
        result: "opened",
      };
    });
  });
}
