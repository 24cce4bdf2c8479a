/** Finds what the entries of a recount name. */
import { account, accountLookup } from "../../accounts/account-repository.ts";
import { nameLookup, skuIn } from "../../catalog/name-repository.ts";
import { listValues } from "../../registries/registry.ts";
import { type Location, locations } from "../../registries/registry-repository.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { getItems, type Lookup, parsed } from "../../store/dynamodb/reads.ts";
import { binContentLookup } from "../bins/bin-repository.ts";
import { namedBin, namedBinLookup } from "../bins/named-bins.ts";
import type { AskedChange, Correction } from "./recount.ts";
import type { ReadEntry, RecountEntry, RecountFailure } from "./recount-request.ts";

/** What belongs to an entry of a call, with the entry's position in the call. */
export type Positioned<T> = T & { readonly position: number };

/** In the order of the call. */
export const inOrder = <T extends { readonly position: number }>(some: readonly T[]): readonly T[] =>
  some.toSorted((left, right) => left.position - right.position);

/** An entry with the ids of the records that it names. */
type ResolvedEntry = Omit<Correction, "difference" | "new_quantity"> & AskedChange;

/** The entries of a call for one bin, in their order. */
export interface BinEntries {
  readonly lookup: Lookup;
  readonly entries: readonly Positioned<ResolvedEntry>[];
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
  const resolved = (await resolveEntries(db, entries)).map((entry, position) => ({ ...entry, position }));
  const lookupOf = ({ product_id, location, bin }: ResolvedEntry): Lookup =>
    binContentLookup(product_id, location, bin);
  const found = resolved.filter((entry) => "product_id" in entry);
  const bins = [...Map.groupBy(found, (entry) => JSON.stringify(lookupOf(entry).key)).values()];
  return {
    bins: bins.flatMap((own) => own.slice(0, 1).map((first) => ({ lookup: lookupOf(first), entries: own }))),
    failures: resolved.filter((entry) => "message" in entry),
  };
}

/** What is wrong with an entry. */
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
    return `bin does not exist${listValues(
      "the location has",
      named.bins.map((one) => one.bin),
    )}`;
  return `location does not exist${listValues(
    "known are",
    there.map((one) => one.location),
  )}`;
}
