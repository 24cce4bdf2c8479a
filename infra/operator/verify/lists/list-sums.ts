/** Sums of the records of lists, block by block, to be compared with counters. */
import type { Key } from "../../../../shared/store/dynamodb/keys.ts";
import type { BlockList } from "../../../../shared/store/lists/block-list.ts";
import { countsSame } from "../../../../shared/store/lists/counters/counts.ts";
import type { FacetKey } from "../../../../shared/store/lists/facets.ts";
import type { Block } from "../../list-repair/all-blocks.ts";
import type { AllCounters } from "../../list-repair/all-counters.ts";

export interface ListedRecord {
  readonly key: Key;
  readonly owner: string;
  /** The stored facet key, and the correct one. */
  readonly stored: FacetKey;
  readonly expected: FacetKey;
  /** Creation day (UTC). */
  readonly day: number;
}

/** Sums of the records of a block. */
export interface SummedBlock extends Block {
  readonly counts: Map<FacetKey, number>;
  /** Records with a wrong facet key. */
  misfiled: number;
  /** Records of another owner than the block's first. */
  foreignRecords: number;
  lastId: number;
  firstDay: number;
}

/** Sums of one list, block by block. */
export class ListSums {
  readonly list: BlockList;
  readonly #blocks = new Map<number, SummedBlock>();

  constructor(list: BlockList) {
    this.list = list;
  }

  add({ key: { pk, sk }, owner, stored, expected, day }: ListedRecord): void {
    const block = Number(pk.slice(this.list.name.length + 1));
    const id = Number.parseInt(sk, 10);
    const sum = this.#blocks.get(block) ?? {
      owner,
      block,
      counts: new Map(),
      misfiled: 0,
      foreignRecords: 0,
      lastId: id,
      firstDay: day,
    };
    this.#blocks.set(block, sum);
    sum.counts.set(stored, (sum.counts.get(stored) ?? 0) + 1);
    if (stored !== expected) sum.misfiled += 1;
    if (sum.owner !== owner) sum.foreignRecords += 1;
    sum.lastId = Math.max(sum.lastId, id);
    sum.firstDay = Math.min(sum.firstDay, day);
  }

  at = (block: number): SummedBlock | undefined => this.#blocks.get(block);

  blocks = (): Iterable<SummedBlock> => this.#blocks.values();
}

/** Blocks whose counts seem to differ from their records. The counters were read at about the same time. */
export const differingBlocks = (sums: ListSums, counters: AllCounters): readonly Block[] =>
  [...counters.blocksOf(sums.list)].flatMap(({ owner, block, counts }) => {
    const { misfiled = 0, counts: summed = new Map() } = sums.at(block) ?? {};
    return misfiled > 0 || !countsSame(counts, summed) ? [{ owner, block }] : [];
  });
