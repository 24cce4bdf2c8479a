import { account, accountLookup } from "../data/accounts.ts";
import { binContent, binContentLookup, heldIn } from "../data/bins.ts";
import { nameLookup, skuIn } from "../data/names.ts";
import { bin, binLookup, locationLookup, parsed } from "../data/registries.ts";
import { type Correction, quantityAfter } from "../domain/stock/recount.ts";
import type { ReadEntry, RecountEntry, RecountFailure } from "../domain/stock/recount-request.ts";
import type { Database } from "../store/database.ts";
import { getItems } from "../store/reads.ts";
import type { Context } from "./context.ts";

/** The corrections of a call, or its wrong entries where it has any. */
export type RecountPlan =
  | { readonly corrections: readonly Correction[] }
  | { readonly failures: readonly RecountFailure[] };

/**
 * Finds the records that each entry refers to, and reckons how much its bin will hold. Entries are taken one by one: of
 * several entries with the same bin, each builds on those before it. Two round trips.
 */
export async function planRecount(
  { db }: Pick<Context, "db">,
  entries: readonly ReadEntry[],
): Promise<RecountPlan> {
  const resolved = await resolveEntries(db, entries);
  const lookup = ({ product_id, location, bin: name }: Unreckoned) =>
    binContentLookup(product_id, location, name);
  const find = await getItems(
    db,
    resolved.flatMap((entry) => ("message" in entry ? [] : [lookup(entry)])),
  );
  const quantities = new Map<string, number>();
  const corrections: Correction[] = [];
  const failures: RecountFailure[] = [];
  for (const entry of resolved) {
    if ("message" in entry) {
      failures.push(entry);
      continue;
    }
    const place = JSON.stringify(lookup(entry).key);
    const content = parsed(binContent, find(lookup(entry)));
    const before = quantities.get(place) ?? heldIn(content).quantity;
    const new_quantity = quantityAfter(before, entry.change);
    if (new_quantity < 0) failures.push(failing(entry, "quantity not valid"));
    else corrections.push({ ...entry, new_quantity, moves: content?.moves ?? 0 });
    quantities.set(place, new_quantity);
  }
  return failures.length > 0 ? { failures } : { corrections };
}

type Unreckoned = Omit<Correction, "new_quantity" | "moves">;

const failing = (
  { account_id, sku, bin, location }: Pick<RecountEntry, "account_id" | "sku" | "bin" | "location">,
  message: string,
): RecountFailure => ({ account_id, sku, bin, location, message });

async function resolveEntries(
  db: Database,
  entries: readonly ReadEntry[],
): Promise<readonly (Unreckoned | RecountFailure)[]> {
  const find = await getItems(
    db,
    entries.flatMap((entry) =>
      "message" in entry
        ? []
        : [
            accountLookup(entry.account_id),
            nameLookup(entry.account_id, entry.sku),
            locationLookup(entry.location),
            binLookup(entry.location, entry.bin),
          ],
    ),
  );
  return entries.map((entry) => {
    if ("message" in entry) return entry;
    const { account_id, sku, location, change, comment: description } = entry;
    const owner = parsed(account, find(accountLookup(account_id)));
    if (owner === undefined) return failing(entry, "account does not exist");
    if (!owner.activated) return failing(entry, "account is not activated");
    const product = skuIn(find(nameLookup(account_id, sku)));
    if (product === undefined) return failing(entry, "sku does not exist");
    if (find(locationLookup(location)) === undefined) return failing(entry, "location does not exist");
    const place = parsed(bin, find(binLookup(location, entry.bin)));
    if (place === undefined) return failing(entry, "bin does not exist");
    return { ...place, account_id, sku, product_id: product.product_id, change, description };
  });
}
