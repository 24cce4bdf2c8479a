/** The stock that lies in bins when a merchant moves in, counted as a recount counts it. */

import type { AccountContext } from "../../../shared/lambda/context.ts";
import { resolveRecount } from "../../../shared/stock/recount/plan-recount.ts";
import { type ReadEntry, readRecount } from "../../../shared/stock/recount/recount-request.ts";
import { type Importing, knownColumns } from "./importing.ts";
import { type Opened, openBins } from "./open-bins.ts";
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
  if (entry === undefined) throw new Error("a row makes no entry of a recount");
  return { row, entry };
}

/**
 * The counts of a file. Of rows about one bin and product, the first counts. Counts that are wrong are told
 * apart later.
 */
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

/**
 * Counts goods into bins. A bin that has held the product, or is to hold it, is left alone: it has been
 * counted, and goods may have left it since.
 */
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
