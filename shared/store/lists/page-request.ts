import type { FacetKey } from "./facets.ts";

/** Selects one page of a list, and filters its records. */
export interface PageRequest {
  /** Starts at 1. */
  readonly page: number;
  readonly per_page: number;
  readonly direction: "asc" | "desc";
  /** Filters by facet key; without it, all records match. */
  readonly matches?: (facetKey: FacetKey) => boolean;
  /** Range of creation days, both inclusive: UTC, counted from 1970. */
  readonly fromDay?: number;
  readonly toDay?: number;
}

/** The records of `part` from index `from` up to, and not including, `to`. */
export interface Span<T> {
  readonly part: T;
  readonly from: number;
  readonly to: number;
}

/** The spans that one page covers. `countOf` gives the number of records of a part. */
export function spansOf<T>(
  parts: readonly T[],
  countOf: (part: T) => number,
  { page, per_page }: Pick<PageRequest, "page" | "per_page">,
): readonly Span<T>[] {
  const first = (page - 1) * per_page;
  let passed = 0;
  return parts.flatMap((part) => {
    const from = Math.max(first - passed, 0);
    const to = Math.min(first + per_page - passed, countOf(part));
    passed += countOf(part);
    return from < to ? [{ part, from, to }] : [];
  });
}
