/**
 * Lists that stay fast: numbered pages and exact totals at a cost that does not grow with the page number.
 *
 * Ids of a kind come in blocks of consecutive numbers. Each block is leased to one owner, mostly an account, from a
 * counter of the whole deployment (`allocate.ts`). The block of a record is its partition.
 *
 * Every record is in exactly one *cell* of its block: the facets that the list is filtered by, joined to one text
 * (`facets.ts`). The cell is stored with the record. Tallies count the records of each cell, block by block
 * (`tallies.ts`). They are changed in the transaction that changes the record, so totals stay exact through crashes.
 * Writers count in slots of the block. Later the counts are folded into a tree of nodes (`nodes.ts`, `fold.ts`).
 *
 * A page (`pages.ts`) takes three steps. It reads the top of the owner's tree, and goes down to the blocks that the page
 * lies in (`locate.ts`). There it locates the page's records by a slim local index: about 48 bytes a record, at most one
 * block. Then it reads those records and no others.
 *
 * Ids and creation times of an owner rise together (see `allocate`). So ordering by either is the same, and a range of
 * days is a run of blocks.
 *
 * `records.ts` and `repository.ts` store, find and change the records of a list; other code goes through them.
 */
import { dayOf } from "../../common/days.ts";
import { joined, type Key, padded } from "../dynamodb/keys.ts";
import type { Range } from "../dynamodb/reads.ts";
import type { BlockList } from "./definitions.ts";
import type { FacetKey } from "./facets.ts";

export const blockOf = (list: BlockList, id: number): number => Math.floor(id / list.blockSize);

/** Where the record with this id lies. In a list that keeps several records an id, `suffix` tells them apart. */
export const recordKey = (list: BlockList, id: number, suffix?: string): Key => ({
  pk: joined(list.name, blockOf(list, id)),
  sk: suffix === undefined ? padded(id) : joined(padded(id), suffix),
});

/** All items of a block: its records, and whatever lies beside them. */
export const itemsOf = ({ table, name }: BlockList, block: number) =>
  ({ table, pk: joined(name, block) }) as const;

/** The slim entries of all records of a block, by their cell. */
export const entriesOf = (list: BlockList, block: number) =>
  ({ ...itemsOf(list, block), index: "cells" }) as const;

/** Sorts behind all text. */
const lastText = "\u{10ffff}";

/** All records of one id of a list that keeps several, by their suffix. */
export const recordsOf = (list: BlockList, id: number): Range => recordsBetween(list, id, id);

/** All records of a run of ids of one block of such a list, both ends included. */
export const recordsBetween = (list: BlockList, first: number, last: number): Range => ({
  table: list.table,
  pk: recordKey(list, first).pk,
  between: [recordKey(list, first, "").sk, recordKey(list, last, lastText).sk],
});

/** The attributes that make an item a record of the list; `createdAt` is ISO 8601. */
export const listAttributes = (
  list: BlockList,
  id: number,
  cell: FacetKey,
  createdAt: string,
  suffix?: string,
) => ({
  ...recordKey(list, id, suffix),
  cell,
  day: dayOf(createdAt),
});
