/**
 * Nodes: the rolled-up counts of an owner's blocks. A node of level 0 counts one block, a node of level 1 up
 * to 80 of those, and so on. Counts are stored compressed.
 *
 * Roll-ups, repairs and the lease of a block write nodes. `read-nodes.ts` reads them.
 */
import * as z from "zod/mini";
import * as primitive from "../../../common/primitives.ts";
import { compressed, decompressed } from "../../dynamodb/compressed.ts";
import { joined, type Key } from "../../dynamodb/keys.ts";
import type { RawItem } from "../../dynamodb/reads.ts";
import type { NamedList } from "../block-list.ts";
import { columnsOf, facetKeysIn } from "../facets.ts";
import { type Counts, ownerIn, ownerPartition, pendingAttribute } from "./counters.ts";

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

const nodePrefix = "node";

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

/** The block that an owner's ids are taken from, the next position in it, and the latest creation time. */
const headItem = z.object({ block: primitive.int, next: primitive.int, latest: primitive.text });
export type Head = z.output<typeof headItem>;

/** @returns undefined if no id was ever allocated */
export const parseHead = (item: RawItem | undefined): Head | undefined =>
  item === undefined ? undefined : z.parse(headItem, item);
