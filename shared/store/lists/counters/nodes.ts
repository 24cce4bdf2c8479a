/**
 * Nodes: the rolled-up counts of an owner's blocks. A node of level 0 counts one block, a node of level 1 up
 * to 80 of those, and so on. Counts are stored compressed.
 *
 * Roll-ups, repairs and the lease of a block write nodes. `read-nodes.ts` reads them.
 */
import { compress } from "../../dynamodb/compressed.ts";
import { joined, type Key } from "../../dynamodb/keys.ts";
import type { NamedList } from "../block-list.ts";
import { columnsOf } from "../facets.ts";
import { ownerPartition } from "./counters.ts";
import type { Counts } from "./counts.ts";

export interface Node {
  readonly key: Key;
  readonly level: number;
  /** The first of its blocks. It counts all blocks of the owner up to the first of the next node. */
  readonly first: number;
  /** When its first block was leased, ISO 8601; unknown in a follower list. */
  readonly leased_at?: string | undefined;
  readonly counts: Counts;
  readonly isPending: boolean;
}

/** Identifies a node of level 1 or more, and so the partition of its children. */
export type Parent = Pick<Node, "level" | "first">;

export const nodePrefix = "node";

export const nodeKeyPrefix = joined(nodePrefix, "");

/** Every page reads these keys, so their numbers are not padded, and readers sort nodes themselves. */
const nodeSortKey = (level: number, first: number): string => joined(nodePrefix, level, first);

/** The key of a node without a parent. */
export const rootKey = (list: NamedList, owner: string, level: number, first: number): Key => ({
  pk: ownerPartition(list, owner),
  sk: nodeSortKey(level, first),
});

/** The key of a child of `parent`. It needs no owner, since block numbers are the deployment's. */
export const childKey = (list: NamedList, parent: Parent, first: number): Key => ({
  pk: joined(`${list.name}-nodes`, parent.level, parent.first),
  sk: nodeSortKey(parent.level - 1, first),
});

export const headKey = (list: NamedList, owner: string): Key => ({
  pk: ownerPartition(list, owner),
  sk: "head",
});

/** Nodes are read much more often than they are written. */
const compressionLevel = 9;

export const nodeItem = ({ key, leased_at, counts }: Pick<Node, "key" | "leased_at" | "counts">) => ({
  ...key,
  ...(leased_at !== undefined && { leased_at: Date.parse(leased_at) }),
  ...packCounts(counts),
});

/** The attribute with the compressed counts; absent if there are none. */
export function packCounts(counts: Counts): { readonly counts?: Uint8Array } {
  if (counts.size === 0) return {};
  const facetKeys = [...counts.keys()].sort();
  const table = [columnsOf(facetKeys), facetKeys.map((facetKey) => counts.get(facetKey))];
  return { counts: compress(table, compressionLevel) };
}
