/** The stock that lies in bins when a merchant moves in, counted as a recount counts it. */
import { type ReadEntry, readRecount } from "../../../shared/domain/stock/recount-request.ts";
import type { AccountContext } from "../../../shared/operations/context.ts";
import { type Opened, openBins } from "../../../shared/operations/open-bins.ts";
import { resolveRecount } from "../../../shared/operations/plan-recount.ts";
import { type Importing, type Refusal, unknownColumns } from "./importing.ts";
import type { Row } from "./rows.ts";

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
 * Counts goods into bins. A bin that has held the product, or is to hold it, is left alone: it has been counted, and goods
 * may have left it since. Of two rows about one bin, the first counts.
 */
export const importStock = (context: () => AccountContext): Importing<Row> => ({
  title: "bins",
  batchSize: 100,
  atOnce: 4,
  store: async (rows) => {
    const { db, account_id } = context();
    const unknown = rows.flatMap((row) => unknownColumns(row, stockColumns));
    const wrong = new Set(unknown.map(({ row }) => row));
    const counts = rows.filter(({ row }) => !wrong.has(row)).map((row) => countOf(row, account_id));
    const { bins, failures } = await resolveRecount(
      db,
      counts.map(({ entry }) => entry),
    );
    const rowAt = (position: number): number => counts[position]?.row ?? 0;
    const opened = await openBins(context(), bins);
    const refused = [
      ...failures.map(({ failure, position }) => ({ position, message: failure.message })),
      ...bins.flatMap(({ entries: [first, ...others] }, index) => {
        const outcome = opened[index];
        const message = outcome !== undefined && "problem" in outcome ? outcome.problem.message : undefined;
        return [
          ...others.map(({ position }) => ({ position, message: "counts a bin that an earlier row counts" })),
          ...(message === undefined || first === undefined ? [] : [{ position: first.position, message }]),
        ];
      }),
    ].map(({ position, message }): Refusal => ({ row: rowAt(position), field: "", message }));
    const became = (what: Opened): number =>
      opened.filter((outcome) => "result" in outcome && outcome.result === what).length;
    return {
      created: became("opened"),
      unchanged: became("known"),
      refused: [...unknown, ...refused],
    };
  },
});
