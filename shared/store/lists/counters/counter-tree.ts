/** The counters of an owner as pages read them: ranges of blocks that can be refined. */
import { dayBegins, dayEnds } from "../../../common/times.ts";
import type { OwnedCounters } from "../block-list.ts";
import { addCounts, type Counts } from "./counts.ts";
import type { Node } from "./nodes.ts";
import { childrenOf, type Roots, readConsistentRoots } from "./read-nodes.ts";
import type { CounterShard } from "./shards.ts";

/** The records of a range of blocks by facet key, and when they were created. */
export interface BlockRange {
  /** The first block, or the only one. */
  readonly block: number;
  /** No block from this one on is in the range. */
  readonly end: number;
  readonly counts: Counts;
  /** No record was created earlier or later (ISO 8601); "" and `endless` without a bound. */
  readonly firstAt: string;
  readonly lastAt: string;
  /** Reads the ranges within this one, in ascending order. Undefined for a single block. */
  readonly finer?: () => Promise<readonly BlockRange[]>;
}

/** Where a series of nodes ends, and the shards that are not yet rolled up into it. */
interface Extent {
  readonly shards: readonly CounterShard[];
  /** The first block after it. */
  readonly end: number;
  readonly lastAt: string;
}

export const blockRangesOf = (owned: OwnedCounters, { nodes, shards }: Roots): readonly BlockRange[] =>
  rangesOf(owned, nodes, { shards, end: Number.POSITIVE_INFINITY, lastAt: endless });

/** Sorts after every time. */
export const endless = "9";

/** The records of a node were created between its lease and the next node's: times rise with ids. */
const rangesOf = (
  owned: OwnedCounters,
  nodes: readonly Node[],
  { shards, end, lastAt }: Extent,
): readonly BlockRange[] =>
  nodes.map((node, position) => {
    const next = nodes[position + 1];
    const until = next?.first ?? end;
    const own: Extent = {
      shards: shards.filter(({ block }) => block >= node.first && block < until),
      end: until,
      lastAt: next === undefined ? lastAt : latestBefore(next),
    };
    return {
      block: node.first,
      end: until,
      counts: addCounts(node.counts, ...own.shards.map(({ counts }) => counts)),
      firstAt: node.leased_at ?? "",
      lastAt: own.lastAt,
      ...(node.level > 0 && {
        finer: async () => {
          // A roll-up may have moved the next nodes below this one since then. They are already among the
          // roots that the caller has.
          const children = (await childrenOf(owned, node)).filter(({ first }) => first < until);
          return rangesOf(owned, children, own);
        },
      }),
    };
  });

/**
 * When the last record before a node may have been created. A repaired node states only the day of its lease,
 * as midnight, and records before it may be of that day.
 */
const latestBefore = ({ leased_at = endless }: Node): string => leased_at.replace(dayBegins, dayEnds);

/** An owner's blocks, one by one. Roll-ups meanwhile skip and repeat none, but counts may be partial. */
export async function* readBlocks(owned: OwnedCounters): AsyncGenerator<BlockRange, void> {
  yield* blocksIn(blockRangesOf(owned, await readConsistentRoots(owned)));
}

async function* blocksIn(ranges: readonly BlockRange[]): AsyncGenerator<BlockRange, void> {
  for (const range of ranges) {
    if (range.finer === undefined) yield range;
    else yield* blocksIn(await range.finer());
  }
}
