/**
 * Counters: how many records each facet key has.
 *
 * Writers count in *shards*, small items that hold the changes to a block. A block has 17 shards. The id of a
 * transaction's first record in the block selects the shard, so writers of neighboring records do not
 * collide. A roll-up (`roll-up.ts`) later moves the counts of shards into nodes (`nodes.ts`). The count of a
 * facet key is the sum over its node and all shards of the block.
 */

import * as z from "zod/mini";
import * as primitive from "../../../common/primitives.ts";
import { joined, type Key, only } from "../../dynamodb/keys.ts";
import type { RawItem } from "../../dynamodb/reads.ts";
import type { Count } from "../../dynamodb/writes.ts";
import { partitionsOf } from "../../partitions.ts";
import type { TableName } from "../../tables.ts";
import { type BlockList, blockOf, type NamedList } from "../block-list.ts";
import type { FacetKey } from "../facets.ts";

export const countersTable = "tallies" satisfies TableName;

/** The partition with an owner's head, shards and root nodes of one list. */
export const ownerPartition = ({ name }: NamedList, owner: string): string => joined(`${name}s-of`, owner);

/** The first parts of the keys of these lists' counter partitions, before the first `#`. */
export const ownerKinds = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => [`${name}s-of`, `${name}-nodes`]);

/** The list and the owner of a partition. No list has `s-of#` in its name. */
export function ownerIn(partition: string): {
  readonly list: NamedList;
  readonly owner: string;
} {
  const end = partition.indexOf("s-of#");
  return { list: { name: partition.slice(0, end) }, owner: partition.slice(end + "s-of#".length) };
}

/** The key of the item with the number of the last leased block. */
export const lastBlockKey = ({ name }: NamedList): Key => ({ pk: joined(counterPartition, name), sk: only });

const counterPartition = "counter";

const lastBlockItem = z.object({ pk: primitive.text, blocks: primitive.int });

export const parseLastBlock = (item: RawItem | undefined): number | undefined =>
  item === undefined ? undefined : z.parse(lastBlockItem, item).blocks;

/**
 * At 200 new records a second, one shard is used every 85 ms. The number is prime, so 17 transactions in a
 * row, with equally many records each, start in different shards unless that number is a multiple of 17.
 */
export const shardsPerBlock = 17;

export const shardPrefix = "slot";

export const counterShardKey = (list: NamedList, owner: string, block: number, shard: number): Key => ({
  pk: ownerPartition(list, owner),
  sk: joined(shardPrefix, block, shard),
});

export const countPrefix = "n:";

/** Rises with every insert, move and removal, so it shows whether a shard has changed since a read. */
export const revision = "revision";

export const countAttribute = (facetKey: FacetKey): string => countPrefix + facetKey;

/** The attribute of nodes and shards that wait for a roll-up; also the name of its index. */
export const pendingAttribute = "unfolded";

/** Partitions of that index. */
export const rollUpPartitions = partitionsOf(pendingAttribute, 4);

/** Adds a node or a shard to that index. */
export const pendingRollUp = (block: number): Readonly<Record<typeof pendingAttribute, string>> => ({
  [pendingAttribute]: rollUpPartitions.of(block),
});

/**
 * Only changes of every 32nd id mark a shard for roll-up. So an owner whose old records change occasionally
 * first collects some shards, which are rolled up together.
 */
const pendingEvery = 32;

type CountChange = readonly [facetKey: FacetKey, by: number];

export const shardChange = (changes: Iterable<CountChange>): Readonly<Record<string, number>> => ({
  ...Object.fromEntries([...changes].map(([facetKey, by]) => [countAttribute(facetKey), by])),
  [revision]: 1,
});

/** A transaction counts all its records of a block in the shard of the first one. */
const count = (list: BlockList, owner: string, id: number, ...changes: readonly CountChange[]): Count => ({
  kind: "count",
  table: countersTable,
  key: counterShardKey(list, owner, blockOf(list, id), id % shardsPerBlock),
  group: joined(ownerPartition(list, owner), shardPrefix, blockOf(list, id)),
  add: shardChange(changes),
});

const countPending: typeof count = (list, owner, id, ...changes) => ({
  ...count(list, owner, id, ...changes),
  ...(id % pendingEvery === 0 && { set: pendingRollUp(blockOf(list, id)) }),
});

/**
 * Counts a new record; belongs to the transaction that inserts it. A full block is marked for roll-up when
 * the next one is leased. In a follower list it is not known when a block is full, so inserts mark
 * shards like other changes.
 */
export const countInsert = (list: BlockList, owner: string, id: number, facetKey: FacetKey): Count =>
  (list.isFollower ? countPending : count)(list, owner, id, [facetKey, 1]);

/** The deletion must require that the record exists, so that one of two concurrent deletions is counted. */
export const countRemoval = (list: BlockList, owner: string, id: number, facetKey: FacetKey): Count =>
  countPending(list, owner, id, [facetKey, -1]);

/** Moves a record to another facet key; belongs to the transaction that changes it. */
export const countMove = (
  list: BlockList,
  owner: string,
  id: number,
  from: FacetKey,
  to: FacetKey,
): readonly Count[] => (from === to ? [] : [countPending(list, owner, id, [from, -1], [to, 1])]);
