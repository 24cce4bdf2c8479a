/** The table of tallies as a whole: what an operator's check reads once, instead of one owner after another. */
import { joined } from "../../dynamodb/keys.ts";
import type { RawItem } from "../../dynamodb/reads.ts";
import {
  added,
  type Counts,
  counterKey,
  countsSame,
  ownerIn,
  ownerPartition,
  parseCounter,
  parseShard,
} from "../counters/counters.ts";
import {
  type Head,
  headKey,
  type Node,
  nodePartition,
  type Parent,
  parseHead,
  parseNode,
} from "../counters/nodes.ts";
import type { BlockList, Named } from "../definitions.ts";
import type { Block } from "./rebuild-context.ts";

/** A block of a list, and what tallies count of it. */
export interface CountedBlock extends Block {
  readonly counts: Counts;
}

/** A node that is gone, and the blocks below it whose nodes are there. */
export interface LostParent extends Parent {
  readonly blocks: number[];
}

/** Gathers items of the table, in whatever order they come. */
export class AllCounters {
  readonly #blocks = new Map<string, { node: Node; counts: Counts }[]>();
  readonly #known = new Set<string>();
  readonly #parents = new Map<string, Node>();
  /** What the nodes below a node count together, by that node. */
  readonly #below = new Map<string, Counts>();
  readonly #slots = new Map<string, Counts>();
  readonly #heads = new Map<string, Head>();
  readonly #counters = new Map<string, number>();

  /** Takes an item of the table, which may be none of a tally. */
  add(item: RawItem): void {
    const node = parseNode(item);
    const slot = node === undefined ? parseShard(item) : undefined;
    if (node !== undefined) this.#addNode(node);
    else if (slot !== undefined) {
      const { list } = ownerIn(slot.key.pk);
      const block = joined(list.name, slot.block);
      this.#slots.set(block, added(this.#slots.get(block) ?? new Map(), slot.counts));
    } else this.#addOther(item);
  }

  #addOther(item: RawItem): void {
    const key = { pk: String(item["pk"]), sk: String(item["sk"]) };
    const list = { name: key.pk.slice(key.pk.indexOf("#") + 1) };
    const blocks = key.pk === counterKey(list).pk ? parseCounter(item) : undefined;
    if (blocks !== undefined) this.#counters.set(list.name, blocks);
    const head = key.sk === "head" ? parseHead(item) : undefined;
    if (head !== undefined) this.#heads.set(key.pk, head);
  }

  #addNode(node: Node): void {
    const { list, parent } = nodePartition(node.key.pk);
    if (parent !== undefined) {
      const above = joined(list.name, parent);
      this.#below.set(above, added(this.#below.get(above) ?? new Map(), node.counts));
    }
    if (node.level > 0) this.#parents.set(joined(list.name, node.level, node.first), node);
    else {
      const found = this.#blocks.get(list.name) ?? [];
      this.#blocks.set(list.name, found);
      found.push({ node, counts: node.counts });
      this.#known.add(joined(list.name, node.first));
    }
  }

  /** The blocks of a list. One whose owner is not known, because a node above it is gone, is left out. */
  *blocksOf(list: Named): Generator<CountedBlock, void> {
    for (const { node, counts } of this.#blocks.get(list.name) ?? []) {
      const owner = this.#ownerOf(node.key.pk);
      const slots = this.#slots.get(joined(list.name, node.first)) ?? new Map();
      if (owner !== undefined) yield { owner, block: node.first, counts: added(counts, slots) };
    }
  }

  /** Nodes that are gone while others lie below them, the highest first. */
  lostParents(list: Named): readonly LostParent[] {
    const lost = new Map<string, LostParent>();
    for (const { node } of this.#blocks.get(list.name) ?? []) {
      const parent = this.#lostAbove(node.key.pk);
      if (parent === undefined) continue;
      const [level = 0, first = 0] = parent.split("#").map(Number);
      const found = lost.get(parent) ?? { level, first, blocks: [] };
      lost.set(parent, found);
      found.blocks.push(node.first);
    }
    return [...lost.values()].toSorted((left, right) => right.level - left.level);
  }

  /** Nodes that seem to count something else than those below them, the lowest first, and whose they are. */
  unevenParents(list: Named): readonly (Parent & { readonly owner: string })[] {
    const uneven = [...this.#parents].flatMap(([place, { key, level, first, counts }]) => {
      const owner = nodePartition(key.pk).list.name === list.name ? this.#ownerOf(key.pk) : undefined;
      const isRight = owner === undefined || countsSame(counts, this.#below.get(place) ?? new Map());
      return isRight ? [] : [{ level, first, owner }];
    });
    return uneven.toSorted((left, right) => left.level - right.level);
  }

  /** The node above a partition that is not there, as `level#first`. */
  #lostAbove(partition: string): string | undefined {
    const { list, parent } = nodePartition(partition);
    if (parent === undefined) return undefined;
    const above = this.#parents.get(joined(list.name, parent));
    return above === undefined ? parent : this.#lostAbove(above.key.pk);
  }

  /** Whether a block has a node. */
  has = ({ name }: Named, block: number): boolean => this.#known.has(joined(name, block));

  #ownerOf(partition: string): string | undefined {
    const { list, owner, parent } = nodePartition(partition);
    if (parent === undefined) return owner;
    const above = this.#parents.get(joined(list.name, parent));
    return above === undefined ? undefined : this.#ownerOf(above.key.pk);
  }

  /** Where the owner's next ids come from; undefined where none was ever taken. */
  headOf = (list: BlockList, owner: string): Head | undefined => this.#heads.get(headKey(list, owner).pk);

  /** The last block that the list's heads and nodes name. */
  lastNamed(list: BlockList): number {
    const begins = ownerPartition(list, "");
    let last = 0;
    for (const { node } of this.#blocks.get(list.name) ?? []) last = Math.max(last, node.first);
    for (const [pk, { block }] of this.#heads) if (pk.startsWith(begins)) last = Math.max(last, block);
    return last;
  }

  /** The last block of the list that its counter says was leased. */
  lastLeased = (list: Named): number => this.#counters.get(list.name) ?? 0;
}
