import type { RawItem } from "../dynamodb/keys.ts";

/** The values by which a list filters a record, joined into one text: the sort key of its block's index. */
export type FacetKey = string;

/** The attribute that holds a record's facet key, and the index of a block by it. */
export const facetKeyAttribute = "cell";
export const facetKeyIndex = "cells";

/** A record that its list counts and finds. */
export type ListedRecord = RawItem & { readonly [facetKeyAttribute]: FacetKey };

/** Whether an item is listed. Shards are not, and neither is a record that a saga has yet to complete. */
export const isListedRecord = (item: RawItem | undefined): item is ListedRecord =>
  typeof item?.[facetKeyAttribute] === "string";

/** An index key can't be empty, so the separator alone is the facet key of a record without facets. */
const separator = "|";

/** A facet value that no record has. Filtering by it matches nothing. */
export const noFacet = -1;

/**
 * Builds facet keys, and filters by them. All facets are numbers; 0 may stand for "none". Records with the
 * same first facet are adjacent in the index. Stored facet keys depend on the order of the names, so that
 * order never changes. A new facet is added at the end, and the list is rebuilt (`list-repair/rebuild.ts`).
 */
export const facets = <N extends string>(...names: readonly N[]) => ({
  key: (values: Readonly<Record<N, number>>): FacetKey =>
    names.map((name) => values[name]).join(separator) || separator,

  /** Filters a page request by these values, each facet by any of its values. Empty without a filter. */
  matching(wanted: Readonly<Partial<Record<N, number | readonly number[] | undefined>>>): {
    readonly matches?: (facetKey: FacetKey) => boolean;
  } {
    // Compares text, because an empty or missing value would convert to the number 0.
    const asked = names.map((name) => {
      const values = wanted[name];
      return values === undefined ? undefined : new Set<string | undefined>([values].flat().map(String));
    });
    if (asked.every((values) => values === undefined)) return {};
    return {
      matches: (facetKey) => {
        const values = facetKey.split(separator);
        return asked.every((accepted, index) => accepted?.has(values[index]) ?? true);
      },
    };
  },
});

/** The facet key of all records in a list without filters. */
export const unfiltered: FacetKey = facets().key({});

/** Stands for a missing facet, in a facet key from before the list got that facet. */
const missing = "-";

/** Facet keys as columns, a text of all values per facet: equal ones are adjacent and compress well. */
export function columnsOf(facetKeys: readonly FacetKey[]): readonly string[] {
  const rows = facetKeys.map((facetKey) => facetKey.split(separator));
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  return Array.from({ length: width }, (_, facet) => rows.map((row) => row[facet] ?? missing).join());
}

/** The facet keys that `columnsOf` was given. */
export function facetKeysIn(columns: readonly string[]): readonly FacetKey[] {
  const [first = [], ...others] = columns.map((column) => column.split(","));
  return first.map((value, row) =>
    [value, ...others.map((column) => column[row] ?? missing)]
      .filter((facet) => facet !== missing)
      .join(separator),
  );
}
