/** The counters of an owner as pages read them: ranges of blocks that can be refined. */
import { dayOf } from "../../../common/days.ts";
import type { Database } from "../../dynamodb/database.ts";
import type { NamedList } from "../definitions.ts";
import { added, type CounterShard, type Counts } from "./counters.ts";
import { childrenOf, type Node, type Roots, readSettledRoots } from "./nodes.ts";

/** The records of a range of blocks by facet key, and the days (UTC) on which they were created. */
export interface BlockRange {
  /** The first block, or the only one. */
  readonly block: number;
  readonly counts: Counts;
  readonly firstDay: number;
  readonly lastDay: number;
  /** Reads the ranges within this one, in ascending order. Undefined for a single block. */
  readonly finer?: () => Promise<readonly BlockRange[]>;
}

/** Where a series of nodes ends, and the shards that are not yet rolled up into it. */
interface Extent {
  readonly shards: readonly CounterShard[];
  /** The first block after it. */
  readonly end: number;
  readonly lastDay: number;
}

/** The block ranges of an owner, in ascending order. */
export const blockRangesOf = (
  db: Database,
  list: NamedList,
  { nodes, shards }: Roots,
): readonly BlockRange[] =>
  rangesOf(db, list, nodes, { shards, end: Number.POSITIVE_INFINITY, lastDay: Number.POSITIVE_INFINITY });

/**
 * Creation times rise with ids, so the records of a node were created between its lease and that of the next
 * node.
 */
const rangesOf = (
  db: Database,
  list: NamedList,
  nodes: readonly Node[],
  { shards, end, lastDay }: Extent,
): readonly BlockRange[] =>
  nodes.map((node, position) => {
    const next = nodes[position + 1];
    const until = next?.first ?? end;
    const own: Extent = {
      shards: shards.filter(({ block }) => block >= node.first && block < until),
      end: until,
      lastDay: next === undefined ? lastDay : (leaseDay(next) ?? Number.POSITIVE_INFINITY),
    };
    return {
      block: node.first,
      counts: added(node.counts, ...own.shards.map(({ counts }) => counts)),
      firstDay: leaseDay(node) ?? Number.NEGATIVE_INFINITY,
      lastDay: own.lastDay,
      ...(node.level > 0 && {
        finer: async () => {
          // A roll-up may have moved the next nodes below this one since then. They are already among the
          // roots that the caller has.
          const children = (await childrenOf(db, list, node)).filter(({ first }) => first < until);
          return rangesOf(db, list, children, own);
        },
      }),
    };
  });

const leaseDay = ({ leased_at }: Node): number | undefined =>
  leased_at === undefined ? undefined : dayOf(leased_at);

/**
 * The counts of all blocks of an owner, one by one. A concurrent roll-up neither skips nor repeats a block,
 * but may leave its counts incomplete.
 */
export async function* readBlocks(
  db: Database,
  list: NamedList,
  owner: string,
): AsyncGenerator<BlockRange, void> {
  yield* blocksIn(blockRangesOf(db, list, await readSettledRoots(db, list, owner)));
}

async function* blocksIn(ranges: readonly BlockRange[]): AsyncGenerator<BlockRange, void> {
  for (const range of ranges) {
    if (range.finer === undefined) yield range;
    else yield* blocksIn(await range.finer());
  }
}
