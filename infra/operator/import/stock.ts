/** The stock that lies in bins when a merchant moves in, counted as a recount counts it. */
import { worker as applyRecount } from "../../../functions/jobs/apply-recount.ts";
import { binContentLookup } from "../../../shared/data/bins.ts";
import { findSkus } from "../../../shared/data/products.ts";
import { type ReadEntry, readRecount } from "../../../shared/domain/stock/recount-request.ts";
import { applyJob } from "../../../shared/jobs/apply-job.ts";
import { acceptRecount } from "../../../shared/operations/accept-recount.ts";
import type { AccountContext } from "../../../shared/operations/context.ts";
import { resolveRecount } from "../../../shared/operations/plan-recount.ts";
import type { Database } from "../../../shared/store/database.ts";
import { getItems } from "../../../shared/store/reads.ts";
import { forEach } from "../../../shared/store/side-by-side.ts";
import { type Importing, type Refusal, unknownColumns } from "./importing.ts";
import type { Row } from "./rows.ts";

export const stockColumns = ["sku", "location", "bin", "quantity"] as const;

/** What one transaction accepts: a bin and a job each, of 100 items. */
const together = 49;

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
 * may have left it since.
 */
export const importStock = (context: () => AccountContext): Importing<Row> => ({
  title: "bins",
  batchSize: together,
  atOnce: 6,
  store: async (rows) => {
    const { db, account_id } = context();
    const unknown = rows.flatMap((row) => unknownColumns(row, stockColumns));
    const wrong = new Set(unknown.map(({ row }) => row));
    const counts = rows.filter(({ row }) => !wrong.has(row)).map((row) => countOf(row, account_id));
    const { failures } = await resolveRecount(
      db,
      counts.map(({ entry }) => entry),
    );
    const refused: Refusal[] = failures.map(({ failure, position }) => ({
      row: counts[position]?.row ?? 0,
      field: "",
      message: failure.message,
    }));
    const positions = new Set(failures.map(({ position }) => position));
    const sound = counts.filter((_, position) => !positions.has(position));
    const fresh = await uncounted(db, account_id, sound);
    const { created, repeated } = await counted(context(), fresh);
    return {
      created,
      unchanged: sound.length - fresh.length,
      refused: [...unknown, ...refused, ...repeated],
    };
  },
});

/** Those of the bins that know nothing of their product yet. */
async function uncounted(
  db: Database,
  accountId: number,
  counts: readonly Counted[],
): Promise<readonly Counted[]> {
  const entries = counts.flatMap(({ entry }) => ("message" in entry ? [] : [entry]));
  const products = await findSkus(db, accountId, [...new Set(entries.map(({ sku }) => sku))]);
  const lookupOf = ({ entry }: Counted) =>
    "message" in entry
      ? undefined
      : binContentLookup(products.get(entry.sku)?.product_id ?? 0, entry.location, entry.bin);
  const find = await getItems(
    db,
    counts.flatMap((one) => lookupOf(one) ?? []),
  );
  return counts.filter((one) => {
    const lookup = lookupOf(one);
    return lookup !== undefined && find(lookup) === undefined;
  });
}

/** Accepts the counts and applies them. A bin that is counted twice in a file counts once. */
async function counted(context: AccountContext, counts: readonly Counted[]) {
  const { db, actor: by } = context;
  const placeOf = ({ entry }: Counted): string =>
    "message" in entry ? "" : JSON.stringify([entry.sku, entry.location, entry.bin]);
  const first = new Map(counts.toReversed().map((one) => [placeOf(one), one]));
  const repeated = counts
    .filter((one) => first.get(placeOf(one)) !== one)
    .map(({ row }): Refusal => ({ row, field: "bin", message: "is counted by an earlier row already" }));
  const entries = [...first.values()].map(({ entry }) => entry);
  if (entries.length === 0) return { created: 0, repeated };
  const outcomes = await acceptRecount(context, entries, (jobs) => jobs);
  await forEach(outcomes, async (outcome) => {
    if ("message" in outcome) throw new Error(outcome.message);
    const { job_id: jobId, payload } = outcome;
    await applyJob(applyRecount, { db, jobId, by, payload }, 1);
  });
  return { created: entries.length, repeated };
}
