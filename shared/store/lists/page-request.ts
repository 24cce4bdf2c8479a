import { dayOf } from "../../common/times.ts";
import type { RawItem } from "../dynamodb/reads.ts";
import { type FacetKey, facetKeyAttribute } from "./facets.ts";

/** Bounds of creation times, both inclusive: ISO 8601, UTC, to the millisecond. */
export interface CreationBounds {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The creation time of a record, which the index does not contain. */
  readonly createdAt: (item: RawItem) => string;
}

export interface PageRequest {
  /** Starts at 1. */
  readonly page: number;
  readonly per_page: number;
  readonly direction: "asc" | "desc";
  /** Filters by facet key; without it, all records match. */
  readonly matches?: (facetKey: FacetKey) => boolean;
  readonly created?: CreationBounds;
  /** The last id, for a list whose records may be created in another order than that of their ids. */
  readonly toId?: number;
}

/** The parts that one page covers, with their records on it: from index `from` up to and excluding `to`. */
export function spansOf<T>(
  parts: readonly T[],
  countOf: (part: T) => number,
  { page, per_page }: Pick<PageRequest, "page" | "per_page">,
) {
  const first = (page - 1) * per_page;
  let passed = 0;
  return parts.flatMap((part) => {
    const from = Math.max(first - passed, 0);
    const to = Math.min(first + per_page - passed, countOf(part));
    passed += countOf(part);
    return from < to ? [{ part, from, to }] : [];
  });
}

export interface ListEntry {
  readonly sk: string;
  readonly facetKey: FacetKey;
  readonly day: number;
}

/** Whether a record matches the request, apart from its page and from times within a day. */
export function isListed({ matches, created, toId }: PageRequest): (entry: ListEntry) => boolean {
  const first = created?.from === undefined ? Number.NEGATIVE_INFINITY : dayOf(created.from);
  const last = created?.to === undefined ? Number.POSITIVE_INFINITY : dayOf(created.to);
  return ({ sk, facetKey, day }) =>
    (toId === undefined || Number.parseInt(sk, 10) <= toId) &&
    (matches?.(facetKey) ?? true) &&
    day >= first &&
    day <= last;
}

export function toEntry({ sk, [facetKeyAttribute]: facetKey, day }: RawItem): ListEntry {
  if (typeof sk !== "string" || typeof facetKey !== "string" || typeof day !== "number") {
    throw new Error("an index entry has no sort key, facet key or day");
  }
  return { sk, facetKey, day };
}
