/** Imports the initial stock of bins. Rows are validated like the entries of a recount. */

import type { AccountContext } from "../../../shared/lambda/context.ts";
import { changeBin } from "../../../shared/stock/bins/bin-repository.ts";
import { nothingHeld } from "../../../shared/stock/bins/layers.ts";
import { type BinEntries, resolveRecount } from "../../../shared/stock/recount/plan-recount.ts";
import { quantityAfter } from "../../../shared/stock/recount/recount.ts";
import { type ReadEntry, readRecount } from "../../../shared/stock/recount/recount-request.ts";
import type { Cause } from "../../../shared/stock/stock.ts";
import { keptStock, moveStock } from "../../../shared/stock/stock-repository.ts";
import { type Outcome, storeEach } from "../../../shared/store/bulk/bulk.ts";
import { getItems } from "../../../shared/store/dynamodb/reads.ts";
import { type Importing, knownColumns } from "./importing.ts";
import { type Read, type Rejection, type Row, readRows, refusedRow } from "./rows.ts";

export const stockColumns = ["sku", "location", "bin", "quantity"] as const;

interface Counted {
  readonly row: number;
  readonly entry: ReadEntry;
}

/** A row as the API's recount reads it: a count of one bin. */
function countOf({ row, fields }: Row, account_id: number): Counted {
  const { sku, location, bin, quantity } = fields;
  const qty_in_bin = typeof quantity === "string" && quantity.trim() !== "" ? Number(quantity) : quantity;
  const skus = [{ sku, bins: [{ location, bin, qty_in_bin }] }];
  const entries = readRecount([{ account_id, comment: "Opening stock", skus }]);
  const [entry] = typeof entries === "string" ? [] : entries;
  if (entry === undefined) throw new Error("a row resulted in no entry of a recount");
  return { row, entry };
}

/** The counts of a file. If several rows have the same bin and product, only the first is accepted. */
async function* countsIn(file: string, account_id: number): AsyncGenerator<Read<Counted>, void> {
  const rows = new Map<string, number>();
  for await (const one of knownColumns(readRows(file), stockColumns)) {
    if ("refused" in one) {
      yield one;
      continue;
    }
    const counted = countOf(one.sound, account_id);
    const { row, entry } = counted;
    const place = JSON.stringify([entry.sku, entry.location, entry.bin]);
    const earlier = rows.get(place);
    if (earlier !== undefined) {
      yield refusedRow(row, `counts a bin that row ${earlier} counts`);
      continue;
    }
    if (!("message" in entry)) rows.set(place, row);
    yield { sound: counted };
  }
}

/** Sets the stock of bins that have never held the product. `openBins` skips all others. */
export const importStock = (context: () => AccountContext): Importing<Counted> => ({
  title: "bins",
  read: (file) => countsIn(file, context().account_id),
  store: async (counts) => {
    const { bins, failures } = await resolveRecount(
      context().db,
      counts.map(({ entry }) => entry),
    );
    const opened = await openBins(context(), bins);
    const refused = [
      ...failures.map(({ value, position }) => ({ position, message: value.message })),
      ...bins.flatMap(({ entries }, index) => {
        const outcome = opened[index];
        return outcome !== undefined && "problem" in outcome
          ? entries.map(({ position }) => ({ position, message: outcome.problem.message }))
          : [];
      }),
    ].flatMap(({ position, message }): readonly Rejection[] => {
      const counted = counts[position];
      return counted === undefined ? [] : [{ row: counted.row, field: "", message }];
    });
    const count = (what: Opened): number =>
      opened.filter((outcome) => "result" in outcome && outcome.result === what).length;
    return { created: count("opened"), unchanged: count("known"), refused };
  },
});

/**
 * The outcome for a bin: it now holds what was counted, or it has held the product before and is unchanged.
 */
type Opened = "opened" | "known";

/**
 * Sets each bin to the count of its first entry, immediately and without a job, with the movement of a
 * recount. A bin that has held the product, or expects some, is unchanged: goods may have left it since. Each
 * bin is stored on its own.
 * @returns the outcomes in the order of the bins
 * @throws as `storeEach`
 */
async function openBins(
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
