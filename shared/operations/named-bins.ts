/** Places in the warehouse that a request names by location and bin. */

import { type Bin, bin, binLookup, locationLookup, parsed } from "../data/registries.ts";
import { type FieldError, invalidAt } from "../domain/problem.ts";
import { type Holding, mostLayers } from "../domain/stock/layers.ts";
import type { Lookup, RawItem } from "../store/reads.ts";

/** A bin as a request names it. */
export interface BinName {
  readonly location: string;
  readonly bin: string;
}

/** The bin that a name leads to, or what is wrong with the name. */
export type NamedBin = { readonly place: Bin } | { readonly unknown: FieldError };

export const namedBinLookups = ({ location, bin: name }: BinName): readonly Lookup[] => [
  locationLookup(location),
  binLookup(location, name),
];

/** The bin of this name among the items that were read. `path` (`to.`) is where the request names the bin. */
export function namedBin(
  find: (lookup: Lookup) => RawItem | undefined,
  { location, bin: name }: BinName,
  path = "",
): NamedBin {
  const place = parsed(bin, find(binLookup(location, name)));
  if (place !== undefined) return { place };
  return {
    unknown:
      find(locationLookup(location)) === undefined
        ? { path: `${path}location`, message: `is not a known location (${location})` }
        : { path: `${path}bin`, message: `is not a bin of ${location} (${name})` },
  };
}

/** What a bin is to hold. @throws Problem `invalid` at `path` where its lots and days of arrival would be too many */
export function notTooMixed(after: Holding, path: string): Holding {
  if (after.layers.length <= mostLayers) return after;
  const message = `would hold goods of more than ${mostLayers} lots and days of arrival; put them elsewhere`;
  throw invalidAt([{ path, message }]);
}
