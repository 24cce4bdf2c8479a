/** Bins that a request names by location and bin. */

import { type FieldError, invalidAt } from "../../common/problem.ts";
import { listValues, unregisteredError } from "../../registries/registry.ts";
import { type Bin, bin, binLookup, locations } from "../../registries/registry-repository.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { type FindItem, type Lookup, parsed } from "../../store/dynamodb/reads.ts";
import { type BinGoods, maxLayers } from "./layers.ts";

/** A bin as a request names it. */
export interface BinName {
  readonly location: string;
  readonly bin: string;
}

export const namedBinLookup = ({ location, bin: name }: BinName): Lookup => binLookup(location, name);

/** The bin with this name among the items that were read; undefined if there is none. */
export const namedBin = (find: FindItem, name: BinName): Bin | undefined =>
  parsed(bin, find(namedBinLookup(name)));

/**
 * The errors of the names that no bin has, by name. Each error lists the existing locations, or the bins of
 * the location (docs/decisions.md, Unknown references). `path` (`to.`) is the name's place in the request.
 */
export async function unknownBins(
  db: Database,
  named: readonly { readonly name: BinName; readonly path: string }[],
): Promise<ReadonlyMap<BinName, FieldError>> {
  if (named.length === 0) return new Map();
  const all = await locations(db);
  const accepted = () => all.map(({ location }) => location);
  const errorOf = (name: BinName, path: string): FieldError | undefined => {
    const there = all.find(({ location }) => location === name.location);
    if (there === undefined) return unregisteredError("location", name.location, accepted, `${path}location`);
    const bins = there.bins.map((one) => one.bin);
    if (bins.includes(name.bin)) return undefined;
    const message = `is not a bin of ${name.location} (${name.bin})${listValues("it has", bins)}`;
    return { path: `${path}bin`, message, code: "unknown_reference" };
  };
  const errors = named.map(({ name, path }) => [name, errorOf(name, path)] as const);
  return new Map(errors.flatMap(([name, error]) => (error === undefined ? [] : [[name, error]])));
}

/**
 * The goods to store.
 * @throws Problem `invalid` at `path` if they have too many layers
 */
export function notTooMixed(after: BinGoods, path: string): BinGoods {
  if (after.layers.length <= maxLayers) return after;
  const message = `would hold goods of more than ${maxLayers} lots and days of arrival; put them elsewhere`;
  throw invalidAt([{ path, message }]);
}
