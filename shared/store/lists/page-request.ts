import type { BlockList } from "./definitions.ts";
import type { Cell } from "./facets.ts";

/** Which page is wanted, and of which records. */
export interface PageRequest {
  /** From 1. */
  readonly page: number;
  readonly per_page: number;
  readonly direction: "asc" | "desc";
  /** Which cells are wanted; all without it. */
  readonly matches?: (cell: Cell) => boolean;
  /** Days (UTC, counted from 1970) of creation, both inclusive. */
  readonly fromDay?: number;
  readonly toDay?: number;
}

/** A list's records lie in its table, in partitions of its name. */
export type Partitioned = Pick<BlockList, "table" | "name">;
