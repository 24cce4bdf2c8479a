/** Counting goods into bins that know nothing of their product yet: the stock of an account that moves in. */

import type { AccountContext } from "../../../shared/lambda/context.ts";
import { changeBin } from "../../../shared/stock/bins/bin-repository.ts";
import { nothingHeld } from "../../../shared/stock/bins/layers.ts";
import type { BinEntries } from "../../../shared/stock/recount/plan-recount.ts";
import { quantityAfter } from "../../../shared/stock/recount/recount.ts";
import type { Cause } from "../../../shared/stock/stock.ts";
import { keptStock, moveStock } from "../../../shared/stock/stock-repository.ts";
import { type Outcome, storeEach } from "../../../shared/store/bulk/bulk.ts";
import { getItems } from "../../../shared/store/dynamodb/reads.ts";

/** What became of a bin: it holds what was counted, or knew of its product already and was left alone. */
export type Opened = "opened" | "known";

/**
 * Has each bin hold what its first entry counts, at once and without a job, and with the movement of a recount. A bin that
 * has held its product, or expects some, is left alone: goods may have left it since. Each bin stands for itself.
 * @returns what became of the bins, in their order
 * @throws as `storeEach`
 */
export async function openBins(
  { db, actor: by, now: at }: Pick<AccountContext, "db" | "actor" | "now">,
  bins: readonly BinEntries[],
): Promise<readonly Outcome<Opened>[]> {
  const cause: Cause = { reason: "recount", reference: {}, by, at };
  return storeEach(db, bins, async (open) => {
    const places = open.flatMap(({ entries: [first] }) => (first === undefined ? [] : [first.entry]));
    const [find, isKept] = await Promise.all([
      getItems(
        db,
        open.map(({ lookup }) => lookup),
      ),
      keptStock(db, places),
    ]);
    return open.map(({ lookup, entries: [first] }) => {
      if (first === undefined || find(lookup) !== undefined) return { writes: [], result: "known" };
      const { entry } = first;
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
