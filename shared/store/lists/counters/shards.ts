/** Reads the shards that writers count in. */
import { joined, type Key, keyIn } from "../../dynamodb/keys.ts";
import type { Range, RawItem } from "../../dynamodb/reads.ts";
import { Unreadable } from "../../layouts/layouts.ts";
import type { NamedList } from "../block-list.ts";
import { countersTable, countPrefix, ownerPartition, revision, shardPrefix } from "./counters.ts";
import { type Counts, sumOfCounts } from "./counts.ts";

/** Sorts after all shards. */
export const afterShards = joined(shardPrefix, "~");

/** The counts of a shard. They are negative if earlier ones were rolled up. */
const countsIn = (item: RawItem): Counts =>
  new Map(
    Object.entries(item).flatMap(([name, value]) =>
      name.startsWith(countPrefix) && typeof value === "number"
        ? [[name.slice(countPrefix.length), value] as const]
        : [],
    ),
  );

/** The changes to a block's counts since they were last rolled up. */
export interface CounterShard {
  readonly key: Key;
  readonly block: number;
  readonly counts: Counts;
  readonly revision: number;
}

/** @returns undefined if the item is no shard */
export function parseShard(item: RawItem): CounterShard | undefined {
  const { [revision]: last } = item;
  const key = keyIn(item);
  if (!key.sk.startsWith(joined(shardPrefix, ""))) return undefined;
  if (typeof last !== "number") throw new Unreadable(`the shard ${key.sk} has no revision`);
  return {
    key,
    block: Number.parseInt(key.sk.slice(shardPrefix.length + 1), 10),
    counts: countsIn(item),
    revision: last,
  };
}

/** Shards that a read unit holds. Blocks with no more of them between theirs are read by one query. */
const shardsPerUnit = 40;

/** Ranges with all shards of these blocks. `known` are the owner's shards, as read before. */
export function shardRanges(
  list: NamedList,
  owner: string,
  blocks: readonly number[],
  known: readonly CounterShard[],
): readonly Range[] {
  const ranges: [string, string][] = [];
  for (const start of blocks.map((block) => joined(shardPrefix, block, "")).sort()) {
    const last = ranges.at(-1);
    const isBetween = ({ key: { sk } }: CounterShard): boolean =>
      last !== undefined && last[1] < sk && sk < start;
    if (last === undefined || known.filter(isBetween).length > shardsPerUnit)
      ranges.push([start, `${start}~`]);
    else last[1] = `${start}~`;
  }
  return ranges.map((between) => ({ table: countersTable, pk: ownerPartition(list, owner), between }));
}

/**
 * A number that rises if a record of these blocks moves to another facet key or is removed, and stays if one
 * is inserted. Each change raises the revision of a shard by 1. An insert raises the sum of its counts as
 * well, a move leaves it, and a removal lowers it.
 */
export function movesIn(shards: readonly CounterShard[], blocks: readonly number[]): number {
  const chosen = new Set(blocks);
  return shards
    .filter(({ block }) => chosen.has(block))
    .reduce((sum, shard) => sum + shard.revision - sumOfCounts(shard.counts), 0);
}
