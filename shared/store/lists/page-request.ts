import type { FacetKey } from "./facets.ts";

/** Which page is wanted, and of which records. */
export interface PageRequest {
  /** From 1. */
  readonly page: number;
  readonly per_page: number;
  readonly direction: "asc" | "desc";
  /** Which cells are wanted; all without it. */
  readonly matches?: (cell: FacetKey) => boolean;
  /** Days (UTC, counted from 1970) of creation, both inclusive. */
  readonly fromDay?: number;
  readonly toDay?: number;
}

/** A part of something that is listed, and how much of it: the records from `from` up to `to`, which is not one of them. */
export interface Span<T> {
  readonly part: T;
  readonly from: number;
  readonly to: number;
}

/** Which records of which parts a page has. The parts follow one another, and `countOf` tells how many records each has. */
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
