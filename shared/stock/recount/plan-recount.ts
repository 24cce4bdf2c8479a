import { account, accountLookup } from "../../accounts/account-repository.ts";
import { nameLookup, skuIn } from "../../catalog/name-repository.ts";
import { Problem } from "../../common/problem.ts";
import { listed } from "../../registries/registry.ts";
import { type Location, locations } from "../../registries/registry-repository.ts";
import { zip } from "../../store/bulk/bulk.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { getItems, type Lookup, parsed, type RawItem } from "../../store/dynamodb/reads.ts";
import { type BinContent, binContent, binContentLookup, pendingCorrections } from "../bins/bin-repository.ts";
import { namedBin, namedBinLookup } from "../bins/named-bins.ts";
import { type AskedChange, type Correction, decided } from "./recount.ts";
import type { ReadEntry, RecountEntry, RecountFailure } from "./recount-request.ts";

/** An element of a call with its position in the call. */
export interface Positioned<T> {
  readonly value: T;
  readonly position: number;
}

export const inOrder = <T>(some: readonly Positioned<T>[]): readonly T[] =>
  some.toSorted((left, right) => left.position - right.position).map(({ value }) => value);

/** An entry with the ids of the records it names. */
type ResolvedEntry = Omit<Correction, "difference" | "new_quantity"> & AskedChange;

/** The entries of a call for one bin, in their order. */
export interface BinEntries {
  readonly lookup: Lookup;
  readonly entries: readonly Positioned<ResolvedEntry>[];
}

/** The decision on the entries of one bin. */
export interface BinPlan {
  /** The bin as it was read; undefined if it has never held or expected the product. */
  readonly found: BinContent | undefined;
  readonly corrections: readonly Positioned<Correction>[];
  readonly failures: readonly Positioned<RecountFailure>[];
}

/**
 * Finds the records that entries refer to, and groups the entries by bin. One round trip, and another if an
 * entry names a bin that does not exist.
 */
export async function resolveRecount(
  db: Database,
  entries: readonly ReadEntry[],
): Promise<{
  readonly bins: readonly BinEntries[];
  readonly failures: readonly Positioned<RecountFailure>[];
}> {
  const failures: Positioned<RecountFailure>[] = [];
  const found: Positioned<ResolvedEntry>[] = [];
  for (const [position, value] of (await resolveEntries(db, entries)).entries()) {
    if ("message" in value) failures.push({ value, position });
    else found.push({ value, position });
  }
  const lookupOf = ({ value }: Positioned<ResolvedEntry>): Lookup =>
    binContentLookup(value.product_id, value.location, value.bin);
  const byBin = [...Map.groupBy(found, (entry) => JSON.stringify(lookupOf(entry).key)).values()];
  const bins = byBin.flatMap((some) =>
    some.slice(0, 1).map((first) => ({ lookup: lookupOf(first), entries: some })),
  );
  return { bins, failures };
}

/**
 * Maximum accepted, unfinished corrections of one bin. Each takes about 17 bytes of the bin's item, and each
 * write of the item is charged for all of them: 34 units at the maximum. The item's partition allows 1,000
 * units a second, so they are applied in less than a minute. Five times as many would take seven minutes.
 */
export const maxPending = 1_000;

/**
 * Decides the entries of bins against the current expected quantity of each bin. One round trip.
 * @throws Problem `too_many` if a bin would have more than `maxPending` unfinished corrections
 */
export async function planRecount(
  db: Database,
  parts: readonly (readonly BinEntries[])[],
): Promise<readonly (readonly BinPlan[])[]> {
  const find = await getItems(
    db,
    parts.flat().map(({ lookup }) => lookup),
  );
  return parts.map((bins) => bins.map(({ lookup, entries }) => planBin(find(lookup), entries)));
}

/** @throws as `planRecount` */
export function planBin(item: RawItem | undefined, entries: BinEntries["entries"]): BinPlan {
  const found = parsed(binContent, item);
  if (item !== undefined && pendingCorrections(item).length + entries.length > maxPending) {
    const message = `At most ${maxPending} corrections of one bin may be queued; send this one again later`;
    throw new Problem("too_many", message, { retryAfterSeconds: 60 });
  }
  const decisions = decided(
    found?.expected ?? 0,
    entries.map(({ value }) => value),
  );
  const corrections: Positioned<Correction>[] = [];
  const failures: Positioned<RecountFailure>[] = [];
  for (const [{ value: entry, position }, decision] of zip(entries, decisions)) {
    if ("refused" in decision) failures.push({ value: failing(entry, decision.refused), position });
    else {
      const { expected_quantity: _, ...asked } = entry;
      corrections.push({ value: { ...asked, ...decision }, position });
    }
  }
  return { found, corrections, failures };
}

export const failing = (
  { account_id, sku, bin, location }: Pick<RecountEntry, "account_id" | "sku" | "bin" | "location">,
  message: string,
): RecountFailure => ({ account_id, sku, bin, location, message });

async function resolveEntries(
  db: Database,
  entries: readonly ReadEntry[],
): Promise<readonly (ResolvedEntry | RecountFailure)[]> {
  const find = await getItems(
    db,
    entries.flatMap((entry) =>
      "message" in entry
        ? []
        : [accountLookup(entry.account_id), nameLookup(entry.account_id, entry.sku), namedBinLookup(entry)],
    ),
  );
  const binOf = (entry: RecountEntry) => namedBin(find, entry).bin;
  const isAstray = entries.some((entry) => !("message" in entry) && binOf(entry) === undefined);
  const there = isAstray ? await locations(db) : [];
  return entries.map((entry) => {
    if ("message" in entry) return entry;
    const { account_id, sku, change, expected_quantity, comment: description } = entry;
    const owner = parsed(account, find(accountLookup(account_id)));
    if (owner === undefined) return failing(entry, "account does not exist");
    if (!owner.activated) return failing(entry, "account is not activated");
    const product = skuIn(find(nameLookup(account_id, sku)));
    if (product === undefined) return failing(entry, "sku does not exist");
    const bin = binOf(entry);
    if (bin === undefined) return failing(entry, unknownBin(entry, there));
    return {
      ...bin,
      account_id,
      sku,
      product_id: product.product_id,
      change,
      expected_quantity,
      description,
    };
  });
}

/**
 * The error of an unknown bin, with the bins or locations that exist (docs/decisions.md, Unknown references).
 */
function unknownBin({ location }: RecountEntry, there: readonly Location[]): string {
  const named = there.find((one) => one.location === location);
  if (named !== undefined)
    return `bin does not exist${listed(
      "the location has",
      named.bins.map((one) => one.bin),
    )}`;
  return `location does not exist${listed(
    "known are",
    there.map((one) => one.location),
  )}`;
}
