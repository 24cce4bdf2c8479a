/** The facets of a record that lists filter by, joined; also the sort key of the index that locates it. */
export type FacetKey = string;

/** An index takes no empty text, so a cell of no facets is this alone. */
const separator = "|";

/** A value that no record's facet has: what is filtered by it matches nothing. */
export const noFacet = -1;

/**
 * The facets that a list is filtered by, as one cell. All of them are numbers; 0 may stand for "none". Records that
 * agree in the first facet lie side by side in the index. Records are stored with the facets in the order of their
 * names, so that order never changes. A new facet comes last, and the list is rebuilt (`rebuild.ts`).
 */
export const facets = <N extends string>(...names: readonly N[]) => ({
  key: (values: Readonly<Record<N, number>>): FacetKey =>
    names.map((name) => values[name]).join(separator) || separator,

  /**
   * The part of a page request that asks for these values; of several for one facet, any will do. Unfiltered lists look
   * at no cells at all.
   */
  matching(wanted: Readonly<Partial<Record<N, number | readonly number[] | undefined>>>): {
    readonly matches?: (cell: FacetKey) => boolean;
  } {
    // Compared as texts: an empty text, or one that is not there, is no number and so is not 0.
    const asked = names.map((name) => {
      const values = wanted[name];
      return values === undefined ? undefined : new Set<string | undefined>([values].flat().map(String));
    });
    if (asked.every((values) => values === undefined)) return {};
    return {
      matches: (cell) => {
        const values = cell.split(separator);
        return asked.every((accepted, index) => accepted?.has(values[index]) ?? true);
      },
    };
  },
});

/** The cell of every record of a list that is not filtered. */
export const unfiltered: FacetKey = facets().key({});

/** Stands for a facet that a cell lacks, because it is from before the list got that facet. */
const lacking = "-";

/**
 * Some cells as columns: a text for each facet, with the values of all cells. Equal values then lie side by side, so that
 * they take little once compressed.
 */
export function columnsOf(cells: readonly FacetKey[]): readonly string[] {
  const rows = cells.map((cell) => cell.split(separator));
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  return Array.from({ length: width }, (_, facet) => rows.map((row) => row[facet] ?? lacking).join());
}

/** The cells that are in these columns. */
export function facetKeysIn(columns: readonly string[]): readonly FacetKey[] {
  const [first = [], ...others] = columns.map((column) => column.split(","));
  return first.map((value, row) =>
    [value, ...others.map((column) => column[row] ?? lacking)]
      .filter((facet) => facet !== lacking)
      .join(separator),
  );
}
