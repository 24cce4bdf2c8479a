/** Imports the initial stock of bins. Rows are validated like the entries of a recount. */

import type { AccountContext } from "../../../shared/runtime/context.ts";
import { binContent, changeBin } from "../../../shared/stock/bins/bin-repository.ts";
import { nothingHeld } from "../../../shared/stock/bins/layers.ts";
import { moveStock, readStocked } from "../../../shared/stock/open-stock.ts";
import { acceptRecount } from "../../../shared/stock/recount/accept-recount.ts";
import { quantityAfter } from "../../../shared/stock/recount/recount.ts";
import { type ReadEntry, readRecount } from "../../../shared/stock/recount/recount-request.ts";
import { presentQueued } from "../../../shared/stock/recount/recount-view.ts";
import { type BinEntries, resolveRecount } from "../../../shared/stock/recount/resolve-recount.ts";
import type { Cause } from "../../../shared/stock/stock.ts";
import { type Outcome, type Plan, storeEach, zip } from "../../../shared/store/bulk/bulk.ts";
import { getItems, parsed } from "../../../shared/store/dynamodb/reads.ts";
import { decimalIn, type Read, type Rejection, type Row, refusedRow } from "./columns.ts";
import { differences, type Importing } from "./importing.ts";
import { readRows } from "./rows.ts";

const names = ["sku", "location", "bin", "quantity"];

export const stockColumns = { known: names, required: names };

interface Counted {
  readonly row: number;
  readonly entry: ReadEntry;
}

/** A row as the API's recount reads it: a count of one bin. */
function countOf({ row, fields }: Row, account_id: number): Counted {
  const { sku, location, bin, quantity } = fields;
  const qty_in_bin = decimalIn(quantity) ?? quantity;
  const skus = [{ sku, bins: [{ location, bin, qty_in_bin }] }];
  const entries = readRecount([{ account_id, comment: "Opening stock", skus }]);
  const [entry] = typeof entries === "string" ? [] : entries;
  if (entry === undefined) throw new Error("a row resulted in no entry of a recount");
  return { row, entry };
}

/** The counts of a file. If several rows have the same bin and product, only the first is accepted. */
function* countsIn(file: string, account_id: number): Generator<Read<Counted>, void> {
  const rows = new Map<string, number>();
  for (const one of readRows(file, stockColumns)) {
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

/**
 * Sets the stock of bins that have never held the product. Others that hold another quantity are recounted
 * with `update` only, because goods may have left them since.
 */
export const importStock = (context: () => AccountContext, update: boolean): Importing<Counted> => ({
  title: "bins",
  read: (file) => countsIn(file, context().account_id),
  store: async (counts) => {
    const { bins, failures } = await resolveRecount(
      context().db,
      counts.map(({ entry }) => entry),
    );
    const rowAt = (position: number): number => counts[position]?.row ?? 0;
    const refusedAt = (position: number, message: string) => ({ row: rowAt(position), field: "", message });
    const refused = failures.map(({ message, position }) => refusedAt(position, message));
    const different: Rejection[] = [];
    const others: number[] = [];
    const tally = { opened: 0, known: 0 };
    for (const [{ entries }, outcome] of zip(bins, await openBins(context(), bins)))
      if ("result" in outcome && outcome.result.is !== "different") tally[outcome.result.is] += 1;
      else
        for (const { position } of entries)
          if ("problem" in outcome) refused.push(refusedAt(position, outcome.problem.message));
          else {
            others.push(position);
            different.push(...differences(rowAt(position), outcome.result.stored, outcome.result.here));
          }
    const updated = update ? await recount(context(), counts, others) : nothing;
    return {
      created: tally.opened,
      updated: updated.accepted,
      unchanged: tally.known,
      different: update ? [] : different,
      refused: [...refused, ...updated.refused.map(({ position, message }) => refusedAt(position, message))],
    };
  },
});

interface Recounted {
  readonly accepted: number;
  readonly refused: readonly { readonly position: number; readonly message: string }[];
}

const nothing: Recounted = { accepted: 0, refused: [] };

/** Accepts counts as the API's recount does. Workers apply them once the sweeper has sent their jobs. */
async function recount(
  context: AccountContext,
  counts: readonly Counted[],
  positions: readonly number[],
): Promise<Recounted> {
  if (positions.length === 0) return nothing;
  const entries = positions.flatMap((position) => counts[position]?.entry ?? []);
  const outcomes = zip(positions, await acceptRecount(context, entries, presentQueued));
  const refused = outcomes.flatMap(([position, outcome]) =>
    "message" in outcome ? [{ position, message: outcome.message }] : [],
  );
  return { accepted: outcomes.length - refused.length, refused };
}

/** What became of a bin: set to the count, or left as it is, because it has held the product before. */
interface Opened {
  readonly is: "opened" | "known" | "different";
  readonly stored: object;
  readonly here: object;
}

/**
 * Sets each bin to the count of its first entry, immediately and without a job, with the movement of a
 * recount. Each bin is stored on its own.
 * @returns the outcomes in the order of the bins
 * @throws as `storeEach`
 */
async function openBins(
  { db, actor: by, now: at }: Pick<AccountContext, "db" | "actor" | "now">,
  bins: readonly BinEntries[],
): Promise<readonly Outcome<Opened>[]> {
  const cause: Cause = { reason: "recount", reference: {}, by, at };
  return storeEach(db, bins, async (open) => {
    const places = open.flatMap(({ entries }) => entries.slice(0, 1));
    const [find, isStocked] = await Promise.all([
      getItems(
        db,
        open.map(({ lookup }) => lookup),
      ),
      readStocked(db, places),
    ]);
    return open.map(({ lookup, entries: [entry] }): Plan<Opened> => {
      if (entry === undefined) throw new Error("a bin has no entry");
      const found = parsed(binContent, find(lookup));
      const quantity = quantityAfter(0, entry.change);
      const result = { stored: { quantity: found?.expected }, here: { quantity } };
      if (found !== undefined)
        return { writes: [], result: { is: found.expected === quantity ? "known" : "different", ...result } };
      return {
        writes: [
          ...changeBin(entry, undefined, { ...nothingHeld, quantity }, at),
          ...moveStock(entry, quantity, cause, isStocked(entry)),
        ],
        result: { is: "opened", ...result },
      };
    });
  });
}
