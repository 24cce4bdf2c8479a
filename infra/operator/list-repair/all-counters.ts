/** The counters of all lists, read in one scan, for an operator's verification. */
import { joined, keyIn } from "../../../shared/store/dynamodb/keys.ts";
import type { RawItem } from "../../../shared/store/dynamodb/reads.ts";
import type { BlockList, NamedList } from "../../../shared/store/lists/block-list.ts";
import {
  lastBlockKey,
  ownerIn,
  ownerPartition,
  parseLastBlock,
} from "../../../shared/store/lists/counters/counters.ts";
import { addCounts, type Counts, countsSame } from "../../../shared/store/lists/counters/counts.ts";
import { headKey, type Node, type Parent } from "../../../shared/store/lists/counters/nodes.ts";
import {
  type Head,
  nodePartition,
  parseHead,
  parseNode,
} from "../../../shared/store/lists/counters/read-nodes.ts";
import { parseShard } from "../../../shared/store/lists/counters/shards.ts";
import type { Block } from "./all-blocks.ts";

export class AllCounters {
  readonly #blocks = new Map<string, { node: Node; counts: Counts }[]>();
  readonly #known = new Set<string>();
  readonly #parents = new Map<string, Node>();
  readonly #below = new Map<string, Counts>();
  readonly #shards = new Map<string, Counts>();
  readonly #heads = new Map<string, Head>();
  readonly #counters = new Map<string, number>();

  /** Takes an item of the table, of any kind. */
  add(item: RawItem): void {
    const node = parseNode(item);
    const shard = node === undefined ? parseShard(item) : undefined;
    if (node !== undefined) this.#addNode(node);
    else if (shard !== undefined) {
      const { list } = ownerIn(shard.key.pk);
      const block = joined(list.name, shard.block);
      this.#shards.set(block, addCounts(this.#shards.get(block) ?? new Map(), shard.counts));
    } else this.#addOther(item);
  }

  #addOther(item: RawItem): void {
    const key = keyIn(item);
    const list = { name: key.pk.slice(key.pk.indexOf("#") + 1) };
    const blocks = key.pk === lastBlockKey(list).pk ? parseLastBlock(item) : undefined;
    if (blocks !== undefined) this.#counters.set(list.name, blocks);
    const head = key.sk === "head" ? parseHead(item) : undefined;
    if (head !== undefined) this.#heads.set(key.pk, head);
  }

  #addNode(node: Node): void {
    const { list, parent } = nodePartition(node.key.pk);
    if (parent !== undefined) {
      const above = joined(list.name, parent);
      this.#below.set(above, addCounts(this.#below.get(above) ?? new Map(), node.counts));
    }
    if (node.level > 0) this.#parents.set(joined(list.name, node.level, node.first), node);
    else {
      const found = this.#blocks.get(list.name) ?? [];
      this.#blocks.set(list.name, found);
      found.push({ node, counts: node.counts });
      this.#known.add(joined(list.name, node.first));
    }
  }

  /** The blocks of a list, except those whose owner is unknown because a node above them is missing. */
  *blocksOf(list: NamedList): Generator<Block & { readonly counts: Counts }, void> {
    for (const { node, counts } of this.#blocks.get(list.name) ?? []) {
      const owner = this.#ownerOf(node.key.pk);
      const shards = this.#shards.get(joined(list.name, node.first)) ?? new Map();
      if (owner !== undefined) yield { owner, block: node.first, counts: addCounts(counts, shards) };
    }
  }

  /** Missing nodes with existing descendants, highest level first. */
  lostParents(list: NamedList) {
    const lost = new Map<string, Parent & { readonly blocks: number[] }>();
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

  /** Nodes whose counts differ from the sum of their children, lowest level first. */
  miscountedParents(list: NamedList) {
    const uneven = [...this.#parents].flatMap(([name, { key, level, first, counts: counted }]) => {
      const owner = nodePartition(key.pk).list.name === list.name ? this.#ownerOf(key.pk) : undefined;
      const below = this.#below.get(name) ?? new Map();
      return owner === undefined || countsSame(counted, below)
        ? []
        : [{ level, first, owner, counted, below }];
    });
    return uneven.toSorted((left, right) => left.level - right.level);
  }

  /** The nearest missing node above a partition, as `level#first`. */
  #lostAbove(partition: string): string | undefined {
    const { list, parent } = nodePartition(partition);
    if (parent === undefined) return undefined;
    const above = this.#parents.get(joined(list.name, parent));
    return above === undefined ? parent : this.#lostAbove(above.key.pk);
  }

  has = ({ name }: NamedList, block: number): boolean => this.#known.has(joined(name, block));

  #ownerOf(partition: string): string | undefined {
    const { list, owner, parent } = nodePartition(partition);
    if (parent === undefined) return owner;
    const above = this.#parents.get(joined(list.name, parent));
    return above === undefined ? undefined : this.#ownerOf(above.key.pk);
  }

  /** The head of an owner; undefined if no id was ever allocated. */
  headOf = (list: BlockList, owner: string): Head | undefined => this.#heads.get(headKey(list, owner).pk);

  /** The highest block that a head or node of the list names. */
  lastNamed(list: BlockList): number {
    const begins = ownerPartition(list, "");
    let last = 0;
    for (const { node } of this.#blocks.get(list.name) ?? []) last = Math.max(last, node.first);
    for (const [pk, { block }] of this.#heads) if (pk.startsWith(begins)) last = Math.max(last, block);
    return last;
  }

  /** The highest block that was leased, by the list's counter. */
  lastLeased = (list: NamedList): number => this.#counters.get(list.name) ?? 0;
}
