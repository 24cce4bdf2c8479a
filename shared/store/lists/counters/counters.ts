/**
 * Tallies: how many records of each cell there are.
 *
 * Writers count in *slots*, small items that hold what changed. A block has 17 slots. The id of a transaction's
 * first record of the block says which slot counts them all, so writers of neighbouring records do not meet. `fold.ts` moves the counts of slots into *nodes*
 * (`nodes.ts`), from which pages are read. The count of a cell is what its node and all slots say together.
 */
import * as z from "zod/mini";
import * as primitive from "../../../common/primitives.ts";
import { joined, type Key, only } from "../../dynamodb/keys.ts";
import type { RawItem } from "../../dynamodb/reads.ts";
import { Unreadable } from "../../dynamodb/unreadable.ts";
import type { Count } from "../../dynamodb/writes.ts";
import type { TableName } from "../../tables.ts";
import { blockOf } from "../block-list.ts";
import type { BlockList, Named } from "../definitions.ts";
import type { FacetKey } from "../facets.ts";

/** The table that keeps heads and tallies of all lists. */
export const countersTable = "tallies" satisfies TableName;

/** How many records of each cell there are, or how many more there are than before. */
export type Counts = ReadonlyMap<FacetKey, number>;

/** The partition that keeps an owner's head, slots and upper nodes of one list. */
export const ownerPartition = ({ name }: Named, owner: string): string => joined(`${name}s-of`, owner);

/** How the partitions of these lists' tallies begin, up to the first `#`. */
export const ownerKinds = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => [`${name}s-of`, `${name}-nodes`]);

/** Whose partition it is, and of which list. No list has `s-of#` in its name. */
export function ownerIn(partition: string): {
  readonly list: Named;
  readonly owner: string;
} {
  const end = partition.indexOf("s-of#");
  return { list: { name: partition.slice(0, end) }, owner: partition.slice(end + "s-of#".length) };
}

/** The key of the item that says which block of a list was leased last. */
export const counterKey = ({ name }: Named): Key => ({ pk: joined(counterPartition, name), sk: only });

const counterPartition = "counter";

const counterItem = z.object({ pk: primitive.text, blocks: primitive.int });

/** The block that was leased last. */
export const parseCounter = (item: RawItem | undefined): number | undefined =>
  item === undefined ? undefined : z.parse(counterItem, item).blocks;

/**
 * Slots a block. At 200 new records a second, one slot is used every 85 ms. The number is prime: so up to 17 transactions in
 * a row, of equally many records, begin in different slots, unless that many is a multiple of 17.
 */
export const slots = 17;

const shardPrefix = "slot";

export const shardKey = (list: Named, owner: string, block: number, slot: number): Key => ({
  pk: ownerPartition(list, owner),
  sk: joined(shardPrefix, block, slot),
});

/** Behind all sort keys of slots. */
export const behindShards = joined(shardPrefix, "~");

const counterPrefix = "n:";

/** The attribute of a slot that every count changes, so that whoever folds or rebuilds sees whether it was counted meanwhile. */
export const revision = "revision";

/** The attribute of a slot that counts a cell. */
export const counter = (cell: FacetKey): string => counterPrefix + cell;

/** What a slot counts. A count may be below zero, where earlier ones were folded. */
const countsIn = (item: RawItem): Counts =>
  new Map(
    Object.entries(item).flatMap(([name, value]) =>
      name.startsWith(counterPrefix) && typeof value === "number"
        ? [[name.slice(counterPrefix.length), value] as const]
        : [],
    ),
  );

/** What changed of a block's counts since it was folded. */
export interface CounterShard {
  readonly key: Key;
  readonly block: number;
  readonly counts: Counts;
  readonly revision: number;
}

/** @returns undefined where the item is no slot */
export function parseShard(item: RawItem): CounterShard | undefined {
  const { pk, sk, [revision]: last } = item;
  if (typeof pk !== "string" || typeof sk !== "string" || !sk.startsWith(joined(shardPrefix, "")))
    return undefined;
  if (typeof last !== "number") throw new Unreadable(`the slot ${sk} lacks its revision`);
  return {
    key: { pk, sk },
    block: Number.parseInt(sk.slice(shardPrefix.length + 1), 10),
    counts: countsIn(item),
    revision: last,
  };
}

/** Both counts together, without cells of no records. */
export function added(...parts: readonly Counts[]): Counts {
  const sum = new Map<FacetKey, number>();
  for (const part of parts) for (const [cell, count] of part) sum.set(cell, (sum.get(cell) ?? 0) + count);
  for (const [cell, count] of sum) if (count === 0) sum.delete(cell);
  return sum;
}

/** Whether two nodes, or a node and those below it, count the same. */
export const countsSame = (left: Counts, right: Counts): boolean => added(left, negated(right)).size === 0;

/** The counts that take these away. */
export const negated = (counts: Counts): Counts =>
  new Map([...counts].map(([cell, count]) => [cell, -count] as const));

/** Partitions of the index of what is to be folded. */
const shards = 4;

const rollUpPartition = (shard: number): string => joined("unfolded", shard);

export const rollUpPartitions = Array.from({ length: shards }, (_, shard) => rollUpPartition(shard));

/** The attribute that puts a node or a slot into the index of what is to be folded. */
export const unfolded = (block: number): { readonly unfolded: string } => ({
  unfolded: rollUpPartition(block % shards),
});

/**
 * The changes of one record of so many are noted for folding. An owner whose old records change now and then thus
 * gathers slots for a while, and they are folded together.
 */
const noted = 32;

/** A transaction counts all its records of a block in one slot: that of the first. */
const count = (list: BlockList, owner: string, id: number, change: Counts): Count => ({
  kind: "count",
  table: countersTable,
  key: shardKey(list, owner, blockOf(list, id), id % slots),
  group: joined(ownerPartition(list, owner), shardPrefix, blockOf(list, id)),
  add: { ...Object.fromEntries([...change].map(([cell, by]) => [counter(cell), by])), [revision]: 1 },
});

const countNoted = (list: BlockList, owner: string, id: number, change: Counts): Count => ({
  ...count(list, owner, id, change),
  ...(id % noted === 0 && { set: unfolded(blockOf(list, id)) }),
});

/**
 * Goes with the insert of a record, in its transaction. A block that was filled is noted for folding when the next one is
 * leased. A block of ids of another list is not filled at a known time, so inserts are noted like other changes.
 */
export const countInsert = (list: BlockList, owner: string, id: number, cell: FacetKey): Count =>
  (list.ids === undefined ? count : countNoted)(list, owner, id, new Map([[cell, 1]]));

/**
 * Goes with the removal of a record, in its transaction. The removal needs the condition that the record is there:
 * of two removals at once, only one may count.
 */
export const countRemoval = (list: BlockList, owner: string, id: number, cell: FacetKey): Count =>
  countNoted(list, owner, id, new Map([[cell, -1]]));

/** Goes with a change of a record's `cell`, in its transaction. */
export const countMove = (
  list: BlockList,
  owner: string,
  id: number,
  from: FacetKey,
  to: FacetKey,
): readonly Count[] =>
  from === to
    ? []
    : [
        countNoted(
          list,
          owner,
          id,
          new Map([
            [from, -1],
            [to, 1],
          ]),
        ),
      ];
