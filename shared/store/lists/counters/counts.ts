import type { FacetKey } from "../facets.ts";

/** The number of records by facet key, or the change of that number. */
export type Counts = ReadonlyMap<FacetKey, number>;

/** The sum of these counts, without zeros. */
export function addCounts(...parts: readonly Counts[]): Counts {
  const sum = new Map<FacetKey, number>();
  for (const part of parts)
    for (const [facetKey, count] of part) sum.set(facetKey, (sum.get(facetKey) ?? 0) + count);
  for (const [facetKey, count] of sum) if (count === 0) sum.delete(facetKey);
  return sum;
}

export const countsSame = (left: Counts, right: Counts): boolean =>
  addCounts(left, negateCounts(right)).size === 0;

export const sumOfCounts = (counts: Counts): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

export const negateCounts = (counts: Counts): Counts =>
  new Map([...counts].map(([facetKey, count]) => [facetKey, -count] as const));
