/**
 * Nodes: the folded counts of an owner's blocks. A node of level 0 counts one block. A node of level 1 counts up to 80
 * of those, and so on up. The counts of a node are compressed.
 *
 * The *top* of an owner is one partition: the nodes that no other node counts yet, and all slots. It holds at most some 40
 * nodes of each level, and in a list with the ids of another some 50. The nodes that another node counts lie in a partition
 * of that node, which pages read when they lead there. Roll-ups, repairs and the lease of a block write nodes.
 */
import * as z from "zod/mini";
import * as primitive from "../../../common/primitives.ts";
import { compressed, decompressed } from "../../dynamodb/compressed.ts";
import type { Database } from "../../dynamodb/database.ts";
import { joined, type Key } from "../../dynamodb/keys.ts";
import { queryRange, type RawItem } from "../../dynamodb/reads.ts";
import { backOff } from "../../dynamodb/retry.ts";
import type { Named } from "../definitions.ts";
import { columnsOf, facetKeysIn } from "../facets.ts";
import {
  behindShards,
  type CounterShard,
  type Counts,
  countersTable,
  ownerIn,
  ownerPartition,
  parseShard,
} from "./counters.ts";
import {
  isRollingUp,
  parseProgress,
  type RollUpProgress,
  readProgress,
  rollUpProgressKey,
} from "./roll-up-progress.ts";

/** A node as it is stored. */
export interface Node {
  readonly key: Key;
  readonly level: number;
  /** The first of its blocks. The blocks of an owner rise with time, so those up to the next node's first are its own. */
  readonly first: number;
  /** When its first block was leased, ISO 8601; unknown in a list that has the ids of another. */
  readonly leased_at?: string | undefined;
  readonly counts: Counts;
  /** Whether it is in the index of what is to be folded. */
  readonly noted: boolean;
}

/** A node of level 1 or more, by which those below it are found. */
export type Parent = Pick<Node, "level" | "first">;

/** What a page of an owner begins with. */
export interface Roots {
  readonly folds: RollUpProgress;
  /** The block that new records go to. */
  readonly current: number | undefined;
  /** By rising blocks, as are the slots. */
  readonly nodes: readonly Node[];
  readonly slots: readonly CounterShard[];
}

const nodePrefix = "node";

/** What the sort keys of nodes begin with. */
export const nodesBegin = joined(nodePrefix, "");

/** The sort key of a node. Each page reads its bytes, so numbers are not padded. Whoever reads nodes sorts them. */
const nodeSortKey = (level: number, first: number): string => joined(nodePrefix, level, first);

/** Where a node lies that no other node counts. */
export const rootKey = (list: Named, owner: string, level: number, first: number): Key => ({
  pk: ownerPartition(list, owner),
  sk: nodeSortKey(level, first),
});

/** Where a node lies that `parent` counts. Blocks are numbered over the whole deployment, so no owner is named. */
export const childKey = (list: Named, parent: Parent, first: number): Key => ({
  pk: joined(`${list.name}-nodes`, parent.level, parent.first),
  sk: nodeSortKey(parent.level - 1, first),
});

/** Whose partition it is that nodes lie in: an owner's, or that of a node above them, as `level#first`. */
export function nodePartition(partition: string): {
  readonly list: Named;
  readonly owner?: string;
  readonly parent?: string;
} {
  const end = partition.indexOf("-nodes#");
  return end < 0
    ? ownerIn(partition)
    : { list: { name: partition.slice(0, end) }, parent: partition.slice(end + "-nodes#".length) };
}

export const headKey = (list: Named, owner: string): Key => ({ pk: ownerPartition(list, owner), sk: "head" });

/** Nodes are read much more often than they are written. */
const quality = 9;

/** The item of a node. */
export const nodeItem = ({ key, leased_at, counts }: Pick<Node, "key" | "leased_at" | "counts">) => ({
  ...key,
  ...(leased_at !== undefined && { leased_at: Date.parse(leased_at) }),
  ...packed(counts),
});

/** The attribute that holds the counts of a node; it is left out where there are none. */
export function packed(counts: Counts): { readonly counts?: Uint8Array } {
  if (counts.size === 0) return {};
  const cells = [...counts.keys()].sort();
  const table = [columnsOf(cells), cells.map((cell) => counts.get(cell))];
  return { counts: compressed(table, quality) };
}

const columns = z.tuple([z.array(primitive.text), z.array(primitive.int)]);

function unpacked(counts: Uint8Array | undefined): Counts {
  if (counts === undefined) return new Map();
  const [facets, numbers] = z.parse(columns, decompressed(counts));
  return new Map(facetKeysIn(facets).map((cell, position) => [cell, numbers[position] ?? 0]));
}

const nodeFields = z.object({
  pk: primitive.text,
  sk: primitive.text,
  /** In epoch milliseconds, which take a third of the bytes. */
  leased_at: z.optional(primitive.int),
  counts: z.optional(z.instanceof(Uint8Array)),
  unfolded: z.optional(primitive.text),
});

/** @returns undefined where the item is no node */
export function parseNode(item: RawItem): Node | undefined {
  const [prefix, level, first] = String(item["sk"]).split("#");
  if (prefix !== nodePrefix) return undefined;
  const { pk, sk, leased_at, counts, unfolded } = z.parse(nodeFields, item);
  return {
    key: { pk, sk },
    level: Number(level),
    first: Number(first),
    leased_at: leased_at === undefined ? undefined : new Date(leased_at).toISOString(),
    counts: unpacked(counts),
    noted: unfolded !== undefined,
  };
}

/** The nodes among some items, by rising blocks. */
const nodesOf = (items: readonly RawItem[]): readonly Node[] =>
  items
    .map(parseNode)
    .filter((node) => node !== undefined)
    .sort((left, right) => left.first - right.first);

/** Which block an owner takes ids of, and the next id's place in it. */
const headItem = z.object({ block: primitive.int, next: primitive.int, latest: primitive.text });
export type Head = z.output<typeof headItem>;

/** What the item says of an owner's ids; undefined where none was ever taken. */
export const parseHead = (item: RawItem | undefined): Head | undefined =>
  item === undefined ? undefined : z.parse(headItem, item);

/**
 * Reads the top of an owner. DynamoDB reads a range in the order of its keys, so the number of folds is read before what
 * folds change.
 */
export async function readRoots(db: Database, list: Named, owner: string): Promise<Roots> {
  const from = rollUpProgressKey(list, owner);
  const items = await queryRange(db, { table: countersTable, pk: from.pk, between: [from.sk, behindShards] });
  const found = (sk: string): RawItem | undefined => items.find((item) => item["sk"] === sk);
  const [folds, head] = [found(from.sk), found(headKey(list, owner).sk)];
  return {
    folds: parseProgress(folds),
    current: parseHead(head)?.block,
    nodes: nodesOf(items),
    slots: items
      .map(parseShard)
      .filter((slot) => slot !== undefined)
      .sort((left, right) => left.block - right.block),
  };
}

/**
 * Reads the top while no fold is under way, since a query may see a part of a fold. A fold keeps it waiting for 2.5 seconds
 * at most.
 */
export async function readSettledRoots(db: Database, list: Named, owner: string): Promise<Roots> {
  for (let attempt = 1; ; attempt += 1) {
    const top = await readRoots(db, list, owner);
    if (!isRollingUp(top.folds) && (await readProgress(db, list, owner)).count === top.folds.count)
      return top;
    await backOff(Math.min(attempt, 3));
  }
}

/** The nodes that `node`, of level 1 or more, counts, by rising blocks. */
export async function childrenOf(db: Database, list: Named, node: Parent): Promise<readonly Node[]> {
  const { pk } = childKey(list, node, node.first);
  const items = await queryRange(db, { table: countersTable, pk });
  return nodesOf(items);
}

/** Answers the nodes that count a block, from the top down to its own. @throws where none does */
export type Paths = (block: number) => Promise<readonly Node[]>;

/** Finds paths below these nodes; each partition is read once. */
export function pathsBelow(db: Database, list: Named, top: readonly Node[]): Paths {
  const read = new Map<string, Promise<readonly Node[]>>();
  const below = (node: Node): Promise<readonly Node[]> => {
    const { pk } = childKey(list, node, node.first);
    const children = read.get(pk) ?? childrenOf(db, list, node);
    read.set(pk, children);
    return children;
  };
  return async (block) => {
    const path: Node[] = [];
    for (let nodes = top; ; ) {
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
