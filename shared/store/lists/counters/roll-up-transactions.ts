/** The transactions of a roll-up: of counts from shards into nodes, and of nodes below a parent. */
import {
  type Change,
  exists,
  type Insert,
  type Removal,
  removalOf,
  type Write,
} from "../../dynamodb/writes.ts";
import type { NamedList, OwnedCounters } from "../block-list.ts";
import { pendingAttribute, revision, countersTable as table } from "./counters.ts";
import { addCounts, type Counts } from "./counts.ts";
import { childKey, type Node, nodeItem, type Parent, packCounts, rootKey } from "./nodes.ts";
import { childrenOf, pathsBelow, type Roots } from "./read-nodes.ts";
import type { CounterShard } from "./shards.ts";

/** Maximum shards and nodes that one transaction changes. */
const maxWrites = 95;

/** Maximum nodes of full blocks that one transaction removes from the index of pending roll-ups. */
const maxFilled = 40;

export interface RolledUp {
  readonly shards: number;
  /** Nodes that were moved below a parent. */
  readonly nodes: number;
}

export interface Step extends RolledUp {
  readonly writes: readonly Write[];
}

/**
 * How many of the newest nodes of a follower list (`BlockList.isFollower`) stay roots. It has no head that
 * says which blocks are closed. A lease adds up to four nodes at once, and a read may see some of them sooner
 * than others.
 */
const openFollowerNodes = 10;

/**
 * The roots of closed blocks, below which no new node is added. A read may see a new block's node before the
 * head, so those from the head's block on are open.
 */
export const closedRoots = ({ nodes, current }: Roots): readonly Node[] =>
  current === undefined ? nodes.slice(0, -openFollowerNodes) : nodes.filter(({ first }) => first < current);

/** Adds as many shards as fit one transaction to their nodes. Those in `filled` wait no longer after it. */
export async function rollUpShards(
  owned: OwnedCounters,
  roots: Roots,
  shards: readonly CounterShard[],
  filled: readonly Node[],
): Promise<Step> {
  const pathTo = pathsBelow(owned, roots.nodes);
  const changes = new Map<Node, Counts[]>(filled.slice(0, maxFilled).map((node) => [node, []]));
  const taken: CounterShard[] = [];
  for (const shard of shards) {
    const path = await pathTo(shard.block);
    const more = path.filter((node) => !changes.has(node));
    if (taken.length + 1 + changes.size + more.length > maxWrites) break;
    taken.push(shard);
    for (const node of path) changes.set(node, [...(changes.get(node) ?? []), shard.counts]);
  }
  const writes = [
    ...taken.map(shardRemoval),
    ...[...changes].map(([node, counts]) => setNodeCounts(node, addCounts(node.counts, ...counts))),
  ];
  return { writes, shards: taken.length, nodes: 0 };
}

const shardRemoval = ({ key, revision: equals }: CounterShard): Removal =>
  removalOf({ table, key }, { attribute: revision, equals });

/** Replaces the counts of a node, which then no longer waits for a roll-up. */
export function setNodeCounts({ key }: Node, counts: Counts): Change {
  const set = packCounts(counts);
  const remove = [pendingAttribute, ...(counts.size === 0 ? ["counts"] : [])];
  return { kind: "change", table, key, set, remove, when: [exists] };
}

/** Maximum facet keys that one transaction moves: it holds 4 MB, and a facet key takes up to 3 bytes. */
const maxFacetKeys = 1_000_000;

/** Runs of consecutive nodes of a level. A parent of others would hide the node between them. */
function runsOf(nodes: readonly Node[]): readonly (readonly Node[])[] {
  const runs: Node[][] = [];
  for (const node of nodes) {
    const run = runs.at(-1);
    if (run?.[0]?.level === node.level) run.push(node);
    else runs.push([node]);
  }
  return runs;
}

/** The first of these nodes that fit in one transaction. */
function movable(nodes: readonly Node[], most: number): readonly Node[] {
  let facetKeys = 0;
  return nodes.slice(0, most).filter(({ counts }) => {
    facetKeys += counts.size;
    return facetKeys <= maxFacetKeys || facetKeys === counts.size;
  });
}

/**
 * Moves the oldest root nodes of a level below a parent if there are enough: the preceding node if it has
 * room, or else a new one. A transaction moves half of what a parent can have. The latest node of a level
 * stays a root, because it may have room.
 */
export async function rollUpNodes(
  owned: OwnedCounters,
  roots: Roots,
  branches: number,
): Promise<Step | undefined> {
  const maxMoved = Math.floor(branches / 2);
  const run = runsOf(closedRoots(roots)).find(({ length }) => length > maxMoved) ?? [];
  const children = movable(run, maxMoved);
  const [first] = children;
  if (first === undefined) return undefined;
  const before = roots.nodes.findLast((node) => node.first < first.first);
  const isParent =
    before?.level === first.level + 1 &&
    (await childrenOf(owned, before)).length + children.length <= branches;
  const parent = isParent ? before : { level: first.level + 1, first: first.first };
  const counts = addCounts(...children.map((child) => child.counts));
  const writes: readonly Write[] = [
    isParent ? setNodeCounts(before, addCounts(before.counts, counts)) : newParent(owned, first, counts),
    ...children.flatMap((child) => movedBelow(owned.list, parent, child)),
  ];
  return { writes, shards: 0, nodes: children.length };
}

const newParent = ({ list, owner }: OwnedCounters, first: Node, counts: Counts): Insert => {
  const key = rootKey(list, owner, first.level + 1, first.first);
  return { kind: "insert", table, item: nodeItem({ ...first, key, counts }) };
};

const movedBelow = (list: NamedList, parent: Parent, child: Node): readonly [Removal, Insert] => [
  removalOf({ table, key: child.key }, exists),
  { kind: "insert", table, item: nodeItem({ ...child, key: childKey(list, parent, child.first) }) },
];
