/** What is counted, as pages read it: nodes with their slots, which come apart into finer ones. */
import { dayOf } from "../../../common/days.ts";
import type { Database } from "../../dynamodb/database.ts";
import type { Named } from "../definitions.ts";
import { added, type CounterShard, type Counts } from "./counters.ts";
import { childrenOf, type Node, type Roots, readSettledRoots } from "./nodes.ts";

/** How many records of each cell some blocks hold, and the days (UTC) between which they were created. */
export interface BlockRange {
  /** The first of the blocks, or the only one. */
  readonly block: number;
  readonly cells: Counts;
  readonly firstDay: number;
  readonly lastDay: number;
  /** Reads the tallies of parts of these blocks, by rising block. A tally without it is of one block. */
  readonly finer?: () => Promise<readonly BlockRange[]>;
}

/** Where the blocks of some nodes end, and what was counted in them since the nodes were folded. */
interface Extent {
  readonly slots: readonly CounterShard[];
  /** The first block behind them. */
  readonly end: number;
  readonly lastDay: number;
}

/** The tallies of an owner, by rising block. */
export const blockRangesOf = (db: Database, list: Named, { nodes, slots }: Roots): readonly BlockRange[] =>
  tallied(db, list, nodes, { slots, end: Number.POSITIVE_INFINITY, lastDay: Number.POSITIVE_INFINITY });

/** Creation times rise with ids. So a node's records were created between its own lease and that of the next node. */
const tallied = (
  db: Database,
  list: Named,
  nodes: readonly Node[],
  { slots, end, lastDay }: Extent,
): readonly BlockRange[] =>
  nodes.map((node, position) => {
    const next = nodes[position + 1];
    const until = next?.first ?? end;
    const own: Extent = {
      slots: slots.filter(({ block }) => block >= node.first && block < until),
      end: until,
      lastDay: next === undefined ? lastDay : (leaseDay(next) ?? Number.POSITIVE_INFINITY),
    };
    return {
      block: node.first,
      cells: added(node.counts, ...own.slots.map(({ counts }) => counts)),
      firstDay: leaseDay(node) ?? Number.NEGATIVE_INFINITY,
      lastDay: own.lastDay,
      ...(node.level > 0 && {
        finer: async () => {
          // A fold may have moved the next nodes below this one since. The caller has those already, as nodes of the top.
          const children = (await childrenOf(db, list, node)).filter(({ first }) => first < until);
          return tallied(db, list, children, own);
        },
      }),
    };
  });

const leaseDay = ({ leased_at }: Node): number | undefined =>
  leased_at === undefined ? undefined : dayOf(leased_at);

/**
 * The tallies of all blocks of an owner, one by one. Roll-ups meanwhile neither lose nor repeat a block, but counts may be in
 * part.
 */
export async function* readBlocks(
  db: Database,
  list: Named,
  owner: string,
): AsyncGenerator<BlockRange, void> {
  yield* blocksIn(blockRangesOf(db, list, await readSettledRoots(db, list, owner)));
}

async function* blocksIn(tallies: readonly BlockRange[]): AsyncGenerator<BlockRange, void> {
  for (const tally of tallies) {
    if (tally.finer === undefined) yield tally;
    else yield* blocksIn(await tally.finer());
  }
}
