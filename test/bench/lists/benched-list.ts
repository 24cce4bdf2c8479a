import type { Write } from "../../../shared/store/dynamodb/writes.ts";
import type { BlockList } from "../../../shared/store/lists/definitions.ts";

/** Whose lists the bench fills: an account with nothing in it. */
export const accountId = 101;

/** A list that the bench fills and pages through. */
export interface BenchedList {
  readonly name: string;
  /** Below `/apirest/v4/oms`. */
  readonly path: string;
  readonly list: BlockList;
  /** What the service itself would store for the record at a position, from 0. */
  readonly writesAt: (id: number, position: number, at: string) => readonly Write[];
  readonly filters: readonly {
    readonly name: string;
    /** Empty, or ending in `&`. */
    readonly query: string;
    readonly matches: (position: number) => boolean;
  }[];
}
