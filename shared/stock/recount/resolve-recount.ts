/** Finds what the entries of a recount name. */
import { account, accountLookup } from "../../accounts/account-repository.ts";
import { nameLookup, skuIn } from "../../catalog/name-repository.ts";
import { listValues } from "../../registries/registry.ts";
import { type Location, locations } from "../../registries/registry-repository.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { getItems, parsed } from "../../store/dynamodb/reads.ts";
import { namedBin, namedBinLookup } from "../bins/named-bins.ts";
import type { AskedChange, Correction } from "./recount.ts";
import type { ReadEntry, RecountEntry, RecountFailure } from "./recount-request.ts";

/** An entry with the ids of the records that it names. */
export type ResolvedEntry = Omit<Correction, "difference" | "new_quantity"> & AskedChange;

/** What is wrong with an entry. */
export const failing = (
  { account_id, sku, bin, location }: Omit<RecountFailure, "message">,
  message: string,
): RecountFailure => ({ account_id, sku, bin, location, message });

/**
 * Finds the records that entries refer to. One round trip, and another if an entry names a bin that does not
 * exist.
 */
export async function resolveRecount(
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
  const isAstray = entries.some((entry) => !("message" in entry) && namedBin(find, entry) === undefined);
  const there = isAstray ? await locations(db) : [];
  return entries.map((entry) => {
    if ("message" in entry) return entry;
    const { account_id, sku, change, expected_quantity, comment: description } = entry;
    const owner = parsed(account, find(accountLookup(account_id)));
    if (owner === undefined) return failing(entry, "account does not exist");
    if (!owner.activated) return failing(entry, "account is not activated");
    const product = skuIn(find(nameLookup(account_id, sku)));
    if (product === undefined) return failing(entry, "sku does not exist");
    const bin = namedBin(find, entry);
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
