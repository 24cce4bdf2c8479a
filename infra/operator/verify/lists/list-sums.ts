/** What the records of lists come to, block by block, to be held against the tallies. */

import { isDeepEqual } from "../../../../shared/common/deep-equal.ts";
import type { Key } from "../../../../shared/store/dynamodb/keys.ts";
import type { BlockList } from "../../../../shared/store/lists/definitions.ts";
import type { FacetKey } from "../../../../shared/store/lists/facets.ts";
import type { AllCounters } from "../../../../shared/store/lists/repair/all-counters.ts";
import type { Block } from "../../../../shared/store/lists/repair/rebuild-context.ts";

/** A record, as far as its list is concerned. */
export interface ListedRecord {
  readonly key: Key;
  readonly owner: string;
  /** The cell that it is stored in, and the one that it belongs to. */
  readonly stored: FacetKey;
  readonly facetKey: FacetKey;
  /** The day (UTC) that it was created. */
  readonly day: number;
}

/** The records of a block. */
export interface SummedBlock extends Block {
  readonly cells: Map<FacetKey, number>;
  /** How many of them are in a wrong cell. */
  astray: number;
  /** Records whose owner is not that of the others. */
  strangers: number;
  lastId: number;
  firstDay: number;
}

/** The records of one list, block by block. */
export class ListSums {
  readonly list: BlockList;
  readonly #blocks = new Map<number, SummedBlock>();

  constructor(list: BlockList) {
    this.list = list;
  }

  add({ key: { pk, sk }, owner, stored, facetKey, day }: ListedRecord): void {
    const block = Number(pk.slice(this.list.name.length + 1));
    const id = Number.parseInt(sk, 10);
    const sum = this.#blocks.get(block) ?? {
      owner,
      block,
      cells: new Map(),
      astray: 0,
      strangers: 0,
      lastId: id,
      firstDay: day,
    };
    this.#blocks.set(block, sum);
    sum.cells.set(stored, (sum.cells.get(stored) ?? 0) + 1);
    if (stored !== facetKey) sum.astray += 1;
    if (sum.owner !== owner) sum.strangers += 1;
    sum.lastId = Math.max(sum.lastId, id);
    sum.firstDay = Math.min(sum.firstDay, day);
  }

  at = (block: number): SummedBlock | undefined => this.#blocks.get(block);

  blocks = (): Iterable<SummedBlock> => this.#blocks.values();
}

/** Blocks whose tallies seem to be other than their records, and blocks that have no tally. */
export interface UnlikeBlocks {
  readonly unlike: readonly Block[];
  readonly missing: readonly SummedBlock[];
  /** Blocks that tallies give to another owner than their records have. */
  readonly foreign: readonly SummedBlock[];
}

/** Holds the records of a list against the tallies that were read about the same time. */
export function unlikeBlocks(sums: ListSums, counters: AllCounters): UnlikeBlocks {
  const known = new Map([...counters.blocksOf(sums.list)].map((one) => [one.block, one] as const));
  const unlike: Block[] = [];
  const foreign: SummedBlock[] = [];
  for (const { owner, block, counts } of known.values()) {
    const sum = sums.at(block);
    if (sum !== undefined && (sum.owner !== owner || sum.strangers > 0)) foreign.push(sum);
    const cells = sum?.cells ?? new Map<FacetKey, number>();
    const isRight = sum?.astray !== undefined && sum.astray > 0 ? false : isSame(counts, cells);
    if (!isRight) unlike.push({ owner, block });
  }
  const missing = [...sums.blocks()].filter(({ block }) => !known.has(block));
  return { unlike, missing, foreign };
}

const isSame = (left: ReadonlyMap<FacetKey, number>, right: ReadonlyMap<FacetKey, number>): boolean =>
  isDeepEqual(Object.fromEntries(left), Object.fromEntries(right));
