/**
 * Nodes: the rolled-up counts of an owner's blocks. A node of level 0 counts one block, a node of level 1 up
 * to 80 of those, and so on. Counts are stored compressed.
 *
 * The *roots* of an owner are one partition with its shards and the nodes that have no parent: at most about
 * 40 of each level, or 50 in a list with the ids of another. The children of a node have a partition of their
 * own, which is read only when a page needs it. Roll-ups, repairs and the lease of a block write nodes.
 */
import * as z from "zod/mini";
import * as primitive from "../../../common/primitives.ts";
import { compressed, decompressed } from "../../dynamodb/compressed.ts";
import type { Database } from "../../dynamodb/database.ts";
import { joined, type Key } from "../../dynamodb/keys.ts";
import { queryRange, type RawItem } from "../../dynamodb/reads.ts";
import { backOff } from "../../dynamodb/retry.ts";
import type { NamedList } from "../definitions.ts";
import { columnsOf, facetKeysIn } from "../facets.ts";
import {
  afterShards,
  type CounterShard,
  type Counts,
  countersTable,
  ownerIn,
  ownerPartition,
  parseShard,
  pendingAttribute,
  shardRanges,
} from "./counters.ts";
import {
  isRollingUp,
  parseProgress,
  type RollUpProgress,
  readProgress,
  rollUpProgressKey,
} from "./roll-up-progress.ts";

/** A stored node. */
export interface Node {
  readonly key: Key;
  readonly level: number;
  /** The first of its blocks. It counts all blocks of the owner up to the first of the next node. */
  readonly first: number;
  /** When its first block was leased, ISO 8601; unknown in a list with the ids of another. */
  readonly leased_at?: string | undefined;
  readonly counts: Counts;
  /** Whether it waits for a roll-up. */
  readonly isPending: boolean;
}

/** Identifies a node of level 1 or more, and so the partition of its children. */
export type Parent = Pick<Node, "level" | "first">;

/** The first thing that a page reads. */
export interface Roots {
  readonly progress: RollUpProgress;
  /** The block that new ids are taken from. */
  readonly current: number | undefined;
  /** In ascending order of blocks, as are the shards. */
  readonly nodes: readonly Node[];
  readonly shards: readonly CounterShard[];
}

const nodePrefix = "node";

export const nodeKeyPrefix = joined(nodePrefix, "");

/**
 * The sort key of a node. Every page reads it, so the numbers are not padded, and readers sort nodes
 * themselves.
 */
const nodeSortKey = (level: number, first: number): string => joined(nodePrefix, level, first);

/** The key of a node without a parent. */
export const rootKey = (list: NamedList, owner: string, level: number, first: number): Key => ({
  pk: ownerPartition(list, owner),
  sk: nodeSortKey(level, first),
});

/**
 * The key of a child of `parent`. Block numbers are unique in the deployment, so it does not contain the
 * owner.
 */
export const childKey = (list: NamedList, parent: Parent, first: number): Key => ({
  pk: joined(`${list.name}-nodes`, parent.level, parent.first),
  sk: nodeSortKey(parent.level - 1, first),
});

/**
 * The list of a partition of nodes, with the owner if these are roots, or else their parent as `level#first`.
 */
export function nodePartition(partition: string): {
  readonly list: NamedList;
  readonly owner?: string;
  readonly parent?: string;
} {
  const end = partition.indexOf("-nodes#");
  return end < 0
    ? ownerIn(partition)
    : { list: { name: partition.slice(0, end) }, parent: partition.slice(end + "-nodes#".length) };
}

export const headKey = (list: NamedList, owner: string): Key => ({
  pk: ownerPartition(list, owner),
  sk: "head",
});

/** Nodes are read much more often than they are written. */
const compressionLevel = 9;

export const nodeItem = ({ key, leased_at, counts }: Pick<Node, "key" | "leased_at" | "counts">) => ({
  ...key,
  ...(leased_at !== undefined && { leased_at: Date.parse(leased_at) }),
  ...packed(counts),
});

/** The attribute with the compressed counts; absent if there are none. */
export function packed(counts: Counts): { readonly counts?: Uint8Array } {
  if (counts.size === 0) return {};
  const facetKeys = [...counts.keys()].sort();
  const table = [columnsOf(facetKeys), facetKeys.map((facetKey) => counts.get(facetKey))];
  return { counts: compressed(table, compressionLevel) };
}

const columns = z.tuple([z.array(primitive.text), z.array(primitive.int)]);

function unpacked(counts: Uint8Array | undefined): Counts {
  if (counts === undefined) return new Map();
  const [facets, numbers] = z.parse(columns, decompressed(counts));
  return new Map(facetKeysIn(facets).map((facetKey, position) => [facetKey, numbers[position] ?? 0]));
}

const nodeFields = z.object({
  pk: primitive.text,
  sk: primitive.text,
  /** Epoch milliseconds take a third of the bytes of ISO 8601. */
  leased_at: z.optional(primitive.int),
  counts: z.optional(z.instanceof(Uint8Array)),
  [pendingAttribute]: z.optional(primitive.text),
});

/** @returns undefined if the item is no node */
export function parseNode(item: RawItem): Node | undefined {
  const [prefix, level, first] = String(item["sk"]).split("#");
  if (prefix !== nodePrefix) return undefined;
  const { pk, sk, leased_at, counts, [pendingAttribute]: pending } = z.parse(nodeFields, item);
  return {
    key: { pk, sk },
    level: Number(level),
    first: Number(first),
    leased_at: leased_at === undefined ? undefined : new Date(leased_at).toISOString(),
    counts: unpacked(counts),
    isPending: pending !== undefined,
  };
}

/** The nodes among these items, in ascending order. */
const nodesOf = (items: readonly RawItem[]): readonly Node[] =>
  items
    .map(parseNode)
    .filter((node) => node !== undefined)
    .sort((left, right) => left.first - right.first);

/**
 * The block that an owner takes ids from, the position of the next id in it, and the latest creation time.
 */
const headItem = z.object({ block: primitive.int, next: primitive.int, latest: primitive.text });
export type Head = z.output<typeof headItem>;

/** @returns undefined if no id was ever allocated */
export const parseHead = (item: RawItem | undefined): Head | undefined =>
  item === undefined ? undefined : z.parse(headItem, item);

/**
 * Reads the roots of an owner. DynamoDB reads a range in key order, so the roll-up progress is read before
 * what roll-ups change.
 */
export async function readRoots(db: Database, list: NamedList, owner: string): Promise<Roots> {
  const from = rollUpProgressKey(list, owner);
  const items = await queryRange(db, { table: countersTable, pk: from.pk, between: [from.sk, afterShards] });
  const found = (sk: string): RawItem | undefined => items.find((item) => item["sk"] === sk);
  const [progress, head] = [found(from.sk), found(headKey(list, owner).sk)];
  return {
    progress: parseProgress(progress),
    current: parseHead(head)?.block,
    nodes: nodesOf(items),
    shards: shardsIn(items),
  };
}

/** The shards among these items, in ascending order of blocks. */
const shardsIn = (items: readonly RawItem[]): readonly CounterShard[] =>
  items
    .map(parseShard)
    .filter((shard) => shard !== undefined)
    .sort((left, right) => left.block - right.block);

/** Reads the shards of these blocks again, and maybe of others. */
export async function readShards(
  db: Database,
  list: NamedList,
  owner: string,
  { shards }: Pick<Roots, "shards">,
  blocks: readonly number[],
): Promise<readonly CounterShard[]> {
  const ranges = shardRanges(list, owner, blocks, shards);
  const items = await Promise.all(ranges.map((range) => queryRange(db, range)));
  return shardsIn(items.flat());
}

/**
 * Reads the roots while no roll-up is in progress, because a query may see a part of one. It waits up to 2.5
 * seconds per roll-up.
 */
export async function readSettledRoots(db: Database, list: NamedList, owner: string): Promise<Roots> {
  for (let attempt = 1; ; attempt += 1) {
    const roots = await readRoots(db, list, owner);
    if (!isRollingUp(roots.progress) && (await readProgress(db, list, owner)).count === roots.progress.count)
      return roots;
    await backOff(Math.min(attempt, 3));
  }
}

/** The children of a node, in ascending order. */
export async function childrenOf(db: Database, list: NamedList, node: Parent): Promise<readonly Node[]> {
  const { pk } = childKey(list, node, node.first);
  const items = await queryRange(db, { table: countersTable, pk });
  return nodesOf(items);
}

/**
 * Returns the nodes that count a block, from the root down to the block's own.
 * @throws if no node counts it
 */
export type Paths = (block: number) => Promise<readonly Node[]>;

/** Finds paths below these roots. Reads each partition once. */
export function pathsBelow(db: Database, list: NamedList, roots: readonly Node[]): Paths {
  const read = new Map<string, Promise<readonly Node[]>>();
  const below = (node: Node): Promise<readonly Node[]> => {
    const { pk } = childKey(list, node, node.first);
    const children = read.get(pk) ?? childrenOf(db, list, node);
    read.set(pk, children);
    return children;
  };
  return async (block) => {
    const path: Node[] = [];
    for (let nodes = roots; ; ) {
      const node = nodes.findLast(({ first }) => first <= block);
      if (node === undefined || (node.level === 0 && node.first !== block)) {
        throw new Error(`no node of ${list.name} counts the block ${block}`);
      }
      path.push(node);
      if (node.level === 0) return path;
      nodes = await below(node);
    }
  };
}
