/**
 * Lists that stay fast: numbered pages and exact totals at a cost that does not grow with the page number.
 *
 * Ids of a kind come in blocks of consecutive numbers, each leased to one owner (an account) from a deployment-wide
 * counter. A record's partition is its block. Every record stands in exactly one *cell* of its block: the facets
 * that lists filter by, joined to one string. A tally item per owner and block counts the records of each cell,
 * changed with `ADD` in the same transaction as the record, so totals are exact through crashes. A page (`pages.ts`)
 * reads the owner's tallies, works out which blocks hold it, locates its records in those blocks through a slim local
 * index (about 35 bytes a record, at most a block's worth), and reads only them.
 *
 * Ids and creation times of an owner rise together (see `allocate`), so ordering by either is the same, and a range
 * of days is a run of blocks.
 */
import { dayOf } from "../../domain/days.ts";
import { joined, type Key, padded } from "../keys.ts";
import type { Range } from "../reads.ts";
import type { BlockList } from "./definitions.ts";
import type { Cell } from "./facets.ts";

export const blockOf = (list: BlockList, id: number): number => Math.floor(id / list.blockSize);

/** Where the record with this id lies. Some lists keep several records an id, told apart by `suffix`. */
export const recordKey = (list: BlockList, id: number, suffix?: string): Key => ({
  pk: joined(list.name, blockOf(list, id)),
  sk: suffix === undefined ? padded(id) : joined(padded(id), suffix),
});

/** Sorts behind all text. */
const lastText = "\u{10ffff}";

/** All records of one id of a list that keeps several, by their suffix. */
export const recordsOf = (list: BlockList, id: number): Range => {
  const { pk } = recordKey(list, id);
  const bound = (suffix: string): string => recordKey(list, id, suffix).sk;
  return { table: list.table, pk, between: [bound(""), bound(lastText)] };
};

/** The attributes that make an item a record of the list; `createdAt` is ISO 8601. */
export const listAttributes = (
  list: BlockList,
  id: number,
  cell: Cell,
  createdAt: string,
  suffix?: string,
) => ({
  ...recordKey(list, id, suffix),
  cell,
  day: dayOf(createdAt),
});
