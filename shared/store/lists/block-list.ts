/**
 * Block lists: numbered pages and exact totals, at a cost that does not grow with the page number.
 *
 * Ids are allocated in blocks of consecutive numbers (`allocate.ts`). Each block is leased to one owner,
 * usually an account, and is the partition of its records. Ids and creation times of an owner rise together,
 * so ordering by either is the same, and a range of days is a range of blocks.
 *
 * Each record has one facet key (`facets.ts`), stored with it. Counters count records by facet key and block
 * (`counters/counters.ts`), in the same transaction, so totals stay exact after a crash. Shards are later
 * rolled up into nodes (`counters/roll-up.ts`).
 *
 *   roots of account 7      node 1#10: blocks 10 to 94      node 0#95: block 95      shards of block 96
 *                                     |
 *   nodes below 1#10        node 0#10: {"1|1": 390, "4|1": 10}, node 0#12: {"1|1": 340, "4|1": 60}, ...
 *                                     |
 *   block 10                records order#10/4000, order#10/4001, ..., and their index by facet key
 *
 * For example, page 3 of status 4, with 20 records a page in ascending order, has matching records 41 to
 * 60. To read it (`pages.ts`), the roots of the owner are read first. Then the tree is descended to the
 * blocks that have these records (`locate.ts`): block 10 has 10 of status 4 and block 12 has 60, so they
 * are numbers 31 to 50 of block 12. Their keys are looked up in the index of that block, at about 48 bytes an
 * entry, and only these records are read. Last, the shards of that block are read again: a page whose
 * records changed their facet keys meanwhile is read again.
 *
 * A page, a writer and a roll-up of the same owner in time. The number in brackets is the roll-up progress:
 *
 *   a page (pages.ts)                  a writer (repository.ts)           a roll-up (counters/roll-up.ts)
 *
 *                                                                         reads the roots             [6]
 *                                                                         begins                      [7]
 *   reads the roots, begins again:
 *   7 is odd
 *                                      moves a record of block 10
 *                                      from 4|1 to 1|1: in a transaction
 *                                      with {4|1: -1, 1|1: +1} in one of
 *                                      the 17 shards of the block
 *                                                                         removes the shards that are
 *                                                                         as read, and adds their counts
 *                                                                         to nodes: one transaction   [9]
 *                                                                         ends                       [10]
 *   reads the roots: 10. The count of
 *   a facet key is that of its node
 *   and of the new shard
 *   locates its records in block 10
 *                                      moves another record of block 10
 *   reads the records, the progress:
 *   10, and the shards of block 10: a
 *   record has moved, begins again
 *
 * Writers never wait: if a writer changes a shard that a roll-up is about to remove, the roll-up's
 * transaction fails, and it tries again without that shard. Between the first and the last read of a page
 * that is shown, no roll-up has changed counts, and no record of its blocks has moved.
 *
 * What always holds, the file that keeps it, and the file of `infra/operator/verify/lists` that verifies it:
 *
 * | invariant                                                     | kept by                 | verified by   |
 * | a leased block has one owner, and a node of level 0           | allocate.ts             | lost-nodes.ts |
 * | only its owner has records in a block                         | allocate.ts             | blocks.ts     |
 * | the last leased block and the heads are past the ids in use   | allocate.ts             | blocks.ts     |
 * | creation times rise with ids                                  | allocate.ts             | nothing       |
 * | the facet key of a record follows from its data               | repository.ts           | lists.ts      |
 * | by facet key, the node and shards of a block are its records  | repository.ts           | lists.ts      |
 * | a higher node has the sum of its children's counts            | roll-up-transactions.ts | lost-nodes.ts |
 *
 * `repository.ts` stores, finds and changes the records of a list, and `read-list.ts` lists them; other code
 * uses these two.
 */
import { dayOf } from "../../common/times.ts";
import type { Database } from "../dynamodb/database.ts";
import { joined, type Key, padded } from "../dynamodb/keys.ts";
import type { Range } from "../dynamodb/reads.ts";
import type { TableName } from "../tables.ts";
import { type FacetKey, facetKeyAttribute, facetKeyIndex } from "./facets.ts";

/** One kind of record whose ids are allocated in blocks. The feature that owns the records defines it. */
export interface BlockList {
  readonly table: TableName;
  /** Prefix of the partition keys: `order` gives `order#<block>`. */
  readonly name: string;
  readonly blockSize: number;
  /** The first id; by default the first of block 1. */
  readonly firstId?: number;
  /** The follower lists: they use the ids of this one, and their blocks are leased with its own. */
  readonly followers?: readonly BlockList[];
  /** Whether this is a follower list: another list allocates its ids and has it among its `followers`. */
  readonly isFollower?: true;
}

/** Locating a record may read all entries of its block; half the size would double the nodes. */
export const maxBlockSize = 400;

/** Ids have at least four digits. */
export const standardBlocks = { blockSize: maxBlockSize, firstId: 1000 } as const;

/** What identifies the heads and counters of a list. */
export type NamedList = Pick<BlockList, "name">;

export interface OwnedCounters {
  readonly db: Database;
  readonly list: NamedList;
  /** Who leases the blocks: the id of an account as text, or another name. */
  readonly owner: string;
}

export interface OwnedList extends OwnedCounters {
  readonly list: BlockList;
}

/** The blocks that are leased with a block of `list`, in the lists that use its ids. */
export const followerBlocks = (
  { followers = [], blockSize }: BlockList,
  block: number,
): readonly { readonly list: BlockList; readonly block: number }[] =>
  followers.flatMap((follower) => {
    const blocks = blockSize / follower.blockSize;
    return Array.from({ length: blocks }, (_, next) => ({ list: follower, block: block * blocks + next }));
  });

export const blockOf = (list: BlockList, id: number): number => Math.floor(id / list.blockSize);

/** The key of a record. In a list with several records per id, `suffix` identifies one of them. */
export const recordKey = (list: BlockList, id: number, suffix?: string): Key => ({
  pk: joined(list.name, blockOf(list, id)),
  sk: suffix === undefined ? padded(id) : joined(padded(id), suffix),
});

/** All items of a block, including items that are not records of the list. */
export const blockItems = ({ table, name }: BlockList, block: number) =>
  ({ table, pk: joined(name, block) }) as const;

export const indexEntriesOf = (list: BlockList, block: number) =>
  ({ ...blockItems(list, block), index: facetKeyIndex }) as const;

/** Sorts after all other text. */
const lastText = "\u{10ffff}";

/** All records of one id, ordered by suffix. */
export const recordsOf = (list: BlockList, id: number): Range => recordsBetween(list, id, id);

/** All records of a range of ids in one block, both ends included. */
export const recordsBetween = (list: BlockList, first: number, last: number): Range => ({
  table: list.table,
  pk: recordKey(list, first).pk,
  between: [recordKey(list, first, "").sk, recordKey(list, last, lastText).sk],
});

/** The attributes that make an item a record of the list. `createdAt` is ISO 8601. */
export const listAttributes = (
  list: BlockList,
  id: number,
  facetKey: FacetKey,
  createdAt: string,
  suffix?: string,
) => ({
  ...recordKey(list, id, suffix),
  [facetKeyAttribute]: facetKey,
  day: dayOf(createdAt),
});
