/** Imports the initial stock of bins. Rows are validated like the entries of a recount. */

import type { AccountContext } from "../../../shared/runtime/context.ts";
import { binContent, binContentLookup, changeBin } from "../../../shared/stock/bins/bin-repository.ts";
import { noGoods } from "../../../shared/stock/bins/layers.ts";
import type { Cause } from "../../../shared/stock/movements/movement.ts";
import { moveStock, readStocked } from "../../../shared/stock/open-stock.ts";
import { acceptRecount } from "../../../shared/stock/recount/accept-recount.ts";
import { quantityAfter } from "../../../shared/stock/recount/recount.ts";
import { type ReadEntry, readRecount } from "../../../shared/stock/recount/recount-request.ts";
import { presentQueued } from "../../../shared/stock/recount/recount-view.ts";
import { type ResolvedEntry, resolveRecount } from "../../../shared/stock/recount/resolve-recount.ts";
import { type Outcome, type Plan, storeEach, zip } from "../../../shared/store/bulk/bulk.ts";
import { getItems, parsed } from "../../../shared/store/dynamodb/reads.ts";
import type { RecordWrites } from "../../../shared/store/dynamodb/writes.ts";
import { decimalIn, type Rejection, type Row } from "../../import/columns.ts";
import { type FiledRecord, recordPerRow } from "../../import/each-once.ts";
import { differences, type Importing } from "./importing.ts";
import { readRows } from "./rows.ts";

const names = ["sku", "location", "bin", "quantity"];

export const stockColumns = { known: names, required: names };

interface Counted {
  readonly row: number;
  readonly entry: ReadEntry;
}

/** The message of the API names fields that the file does not have. */
const refusalOf = ({ row }: Counted, { message }: { readonly message: string }): Rejection => ({
  row,
  field: "",
  message: message
    .replace("neither qty nor qty_in_bin is given", "it is missing")
    .replace("qty_in_bin must", "it must"),
});

/** A row as the API's recount reads it: a count of one bin. */
function countOf({ row, fields }: Row, account_id: number): FiledRecord<Counted> {
  const { sku, location, bin, quantity } = fields;
  const qty_in_bin = decimalIn(quantity) ?? quantity;
  const skus = [{ sku, bins: [{ location, bin, qty_in_bin }] }];
  const entries = readRecount([{ account_id, comment: "Opening stock", skus }]);
  const [entry] = typeof entries === "string" ? [] : entries;
  if (entry === undefined) throw new Error("a row resulted in no entry of a recount");
  const place = JSON.stringify([entry.sku, entry.location, entry.bin]);
  const name = "message" in entry ? undefined : { text: place, row };
  return { name, read: { sound: { row, entry } } };
}

/**
 * Sets the stock of bins that have never held the product. Others that hold another quantity are recounted
 * with `update` only, because goods may have left them since.
 */
export const importStock = (context: () => AccountContext, update: boolean): Importing<Counted> => ({
  title: "bins",
  updated: "accepted as recounts",
  once: { field: "bin", rule: "a product may be counted once in a bin" },
  read: (file) => {
    const { account_id } = context();
    return recordPerRow(readRows(file, stockColumns), (row) => countOf(row, account_id));
  },
  store: async (counts) => {
    const resolved = await resolveRecount(
      context().db,
      counts.map(({ entry }) => entry),
    );
    const refused: Rejection[] = [];
    const different: Rejection[] = [];
    const found: { readonly one: Counted; readonly entry: ResolvedEntry }[] = [];
    for (const [one, entry] of zip(counts, resolved))
      if ("message" in entry) refused.push(refusalOf(one, entry));
      else found.push({ one, entry });
    const others: Counted[] = [];
    const tally = { opened: 0, known: 0 };
    const opened = await openBins(
      context(),
      found.map(({ entry }) => entry),
    );
    for (const [{ one }, outcome] of zip(found, opened))
      if ("problem" in outcome) refused.push(refusalOf(one, outcome.problem));
      else if (outcome.result.stored === undefined) tally.opened += 1;
      else if (outcome.result.stored === outcome.result.here) tally.known += 1;
      else {
        others.push(one);
        const { stored, here } = outcome.result;
        different.push(...differences(one.row, { quantity: stored }, { quantity: here }));
      }
    const failed = update ? await recount(context(), others) : [];
    return {
      created: tally.opened,
      updated: update ? others.length - failed.length : 0,
      unchanged: tally.known,
      different: update ? [] : different,
      refused: [...refused, ...failed],
    };
  },
});

/**
 * Accepts counts as the API's recount does. Workers apply them once the sweeper has sent their jobs.
 * @returns those that are refused
 */
async function recount(context: AccountContext, counts: readonly Counted[]): Promise<readonly Rejection[]> {
  if (counts.length === 0) return [];
  const entries = counts.map(({ entry }) => entry);
  return zip(counts, await acceptRecount(context, entries, presentQueued)).flatMap(([one, outcome]) =>
    "message" in outcome ? [refusalOf(one, outcome)] : [],
  );
}

/** What a bin is to hold by its count, and what it held, if it has held the product before. */
interface Opened {
  readonly stored: number | undefined;
  readonly here: number;
}

/**
 * Sets each new bin to its count, immediately and without a job, with the movement of a recount. Each bin is
 * stored on its own.
 * @returns the outcomes in the order of the bins
 * @throws as `storeEach`
 */
async function openBins(
  { db, actor: by, now: at }: Pick<AccountContext, "db" | "actor" | "now">,
  bins: readonly ResolvedEntry[],
): Promise<readonly Outcome<Opened>[]> {
  const cause: Cause = { reason: "recount", reference: {}, by, at };
  const lookupOf = ({ product_id, location, bin }: ResolvedEntry) =>
    binContentLookup(product_id, location, bin);
  return storeEach(db, bins, async (open) => {
    const [find, isStocked] = await Promise.all([getItems(db, open.map(lookupOf)), readStocked(db, open)]);
    return open.map((entry): Plan<Opened> => {
      const found = parsed(binContent, find(lookupOf(entry)));
      const quantity = quantityAfter(0, entry.change);
      const result = { stored: found?.expected, here: quantity };
      if (found !== undefined) return { writes: [], result };
      const writes: RecordWrites = [
        ...changeBin(entry, undefined, { ...noGoods, quantity }, at),
        ...moveStock(entry, quantity, cause, isStocked(entry)),
      ];
      return { writes, result };
    });
  });
}
