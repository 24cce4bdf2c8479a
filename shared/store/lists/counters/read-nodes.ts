/**
 * Reads nodes. The *roots* of an owner are one partition with its shards and the nodes that have no parent:
 * at most about 40 of each level, or 50 in a follower list. The children of a node have a
 * partition of their own, which is read only when a page needs it.
 */
import * as z from "zod/mini";
import * as primitive from "../../../common/primitives.ts";
import { decompress } from "../../dynamodb/compressed.ts";
import { queryRange, type RawItem } from "../../dynamodb/reads.ts";
import { backOff, inBudget, unattendedBudgetMs } from "../../dynamodb/retry.ts";
import type { NamedList, OwnedCounters } from "../block-list.ts";
import { facetKeysIn } from "../facets.ts";
import { countersTable, ownerIn, pendingAttribute } from "./counters.ts";
import type { Counts } from "./counts.ts";
import { childKey, headKey, type Node, nodePrefix, type Parent } from "./nodes.ts";
import {
  isRollingUp,
  isUnmoved,
  parseProgress,
  type RollUpProgress,
  rollUpProgressKey,
  settleIfUnended,
} from "./roll-up-progress.ts";
import { afterShards, type CounterShard, parseShard, shardRanges } from "./shards.ts";

/** The first thing that a page reads. */
export interface Roots {
  readonly progress: RollUpProgress;
  /** The block from which new ids are taken. */
  readonly current: number | undefined;
  /** In ascending order of blocks, as are the shards. */
  readonly nodes: readonly Node[];
  readonly shards: readonly CounterShard[];
}

const nodesOf = (items: readonly RawItem[]): readonly Node[] =>
  items
    .map(parseNode)
    .filter((node) => node !== undefined)
    .sort((left, right) => left.first - right.first);

/** Reads an owner's roots, in key order: the roll-up progress before what roll-ups change. */
export async function readRoots({ db, list, owner }: OwnedCounters): Promise<Roots> {
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

/** Reads the roots, with no part of a roll-up in them. @returns undefined while one is in progress */
export async function readRestingRoots(owned: OwnedCounters): Promise<Roots | undefined> {
  const roots = await readRoots(owned);
  if (isRollingUp(roots.progress)) return undefined;
  if (!(await settleIfUnended(roots.progress))) return roots;
  const settled = await readRoots(owned);
  return settled.progress.count === roots.progress.count ? settled : undefined;
}

const shardsIn = (items: readonly RawItem[]): readonly CounterShard[] =>
  items
    .map(parseShard)
    .filter((shard) => shard !== undefined)
    .sort((left, right) => left.block - right.block);

/** Reads the shards of these blocks again, and maybe of others. */
export async function readCounterShards(
  { db, list, owner }: OwnedCounters,
  { shards }: Pick<Roots, "shards">,
  blocks: readonly number[],
): Promise<readonly CounterShard[]> {
  const ranges = shardRanges(list, owner, blocks, shards);
  const items = await Promise.all(ranges.map((range) => queryRange(db, range)));
  return shardsIn(items.flat());
}

/** Reads the roots while no roll-up is in progress. It waits up to 2.5 seconds for each. @throws Busy */
export const readConsistentRoots = (owned: OwnedCounters): Promise<Roots> =>
  inBudget(async () => {
    for (let attempt = 1; ; attempt += 1) {
      const roots = await readRestingRoots(owned);
      if (roots !== undefined && (await isUnmoved(owned, roots.progress))) return roots;
      await backOff(Math.min(attempt, 3));
    }
  }, unattendedBudgetMs);

export async function childrenOf({ db, list }: OwnedCounters, node: Parent): Promise<readonly Node[]> {
  const { pk } = childKey(list, node, node.first);
  const items = await queryRange(db, { table: countersTable, pk });
  return nodesOf(items);
}

/** The nodes that count a block, from the root to the block's own. @throws if none does */
export type Paths = (block: number) => Promise<readonly Node[]>;

/** Finds paths below these roots. Reads each partition once. */
export function pathsBelow(owned: OwnedCounters, roots: readonly Node[]): Paths {
  const { list } = owned;
  const read = new Map<string, Promise<readonly Node[]>>();
  const below = (node: Node): Promise<readonly Node[]> => {
    const { pk } = childKey(list, node, node.first);
    const children = read.get(pk) ?? childrenOf(owned, node);
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

/** The list of a partition of nodes, and the owner of roots or the parent of others (`level#first`). */
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

const columns = z.tuple([z.array(primitive.text), z.array(primitive.int)]);

function unpackCounts(counts: Uint8Array | undefined): Counts {
  if (counts === undefined) return new Map();
  const [facets, numbers] = z.parse(columns, decompress(counts));
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
    counts: unpackCounts(counts),
    isPending: pending !== undefined,
  };
}

/** The block from which an owner's ids are taken, the next position in it, and the latest creation time. */
const headItem = z.object({ block: primitive.int, next: primitive.int, latest: primitive.text });
export type Head = z.output<typeof headItem>;

/** @returns undefined if no id was ever allocated */
export const parseHead = (item: RawItem | undefined): Head | undefined =>
  item === undefined ? undefined : z.parse(headItem, item);
