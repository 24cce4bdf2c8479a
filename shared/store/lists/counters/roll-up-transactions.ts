/** What one transaction of a fold does: it moves counts of slots into nodes, or nodes below a node that counts them. */
import type { Database } from "../../dynamodb/database.ts";
import { type Change, type Insert, type Removal, stale, type Write } from "../../dynamodb/writes.ts";
import type { Named } from "../definitions.ts";
import { added, type CounterShard, type Counts, revision, countersTable as table } from "./counters.ts";
import {
  childKey,
  childrenOf,
  type Node,
  nodeItem,
  type Parent,
  packed,
  pathsBelow,
  type Roots,
  rootKey,
} from "./nodes.ts";

/** Slots and nodes that one transaction of a fold changes at most. */
const maxWrites = 95;

/** Nodes of filled blocks that one transaction takes out of the index at most. */
const maxFilled = 40;

/** What a fold of one owner came to. */
export interface RolledUp {
  readonly slots: number;
  /** Nodes that were moved below another. */
  readonly nodes: number;
}

/** One transaction of a fold. */
export interface Step extends RolledUp {
  readonly writes: readonly Write[];
}

/**
 * Latest nodes that are left at the top in a list that has the ids of another. A lease brings up to four nodes at once,
 * and a read may see some of them sooner than others.
 */
const latest = 10;

/**
 * The nodes of the top that no lease is still about. A read may see the node of a new block sooner than the head that
 * names the block, so the nodes behind the head's block are left out, too.
 */
export const settled = ({ nodes, current }: Roots): readonly Node[] =>
  current === undefined ? nodes.slice(0, -latest) : nodes.filter(({ first }) => first < current);

/** Takes away as many slots as one transaction can, and adds them to their nodes. `filled` need no folding after that. */
export async function rollUpShards(
  db: Database,
  list: Named,
  top: Roots,
  slots: readonly CounterShard[],
  filled: readonly Node[],
): Promise<Step> {
  const pathTo = pathsBelow(db, list, top.nodes);
  const changes = new Map<Node, Counts[]>(filled.slice(0, maxFilled).map((node) => [node, []]));
  const taken: CounterShard[] = [];
  for (const slot of slots) {
    const path = await pathTo(slot.block);
    const more = path.filter((node) => !changes.has(node));
    if (taken.length + 1 + changes.size + more.length > maxWrites) break;
    taken.push(slot);
    for (const node of path) changes.set(node, [...(changes.get(node) ?? []), slot.counts]);
  }
  const writes = [
    ...taken.map(shardRemoval),
    ...[...changes].map(([node, counts]) => recounted(node, added(node.counts, ...counts))),
  ];
  return { writes, slots: taken.length, nodes: 0 };
}

const shardRemoval = ({ key, revision: last }: CounterShard): Removal => ({
  kind: "removal",
  table,
  key,
  when: [{ attribute: revision, equals: last }],
  rejection: stale,
});

/** A node with other counts; it has nothing to be folded any more. */
export function recounted({ key }: Node, counts: Counts): Change {
  const set = packed(counts);
  const remove = ["unfolded", ...(counts.size === 0 ? ["counts"] : [])];
  const when = [{ attribute: "pk", is: "present" }] as const;
  return { kind: "change", table, key, set, remove, when, rejection: stale };
}

/** Cells that one transaction moves at most: it holds 4 MB, and a cell takes up to 3 bytes. */
const maxFacetKeys = 1_000_000;

/** Nodes of one level that follow one another. Another node between them would hide what lies behind it. */
function runsOf(nodes: readonly Node[]): readonly (readonly Node[])[] {
  const runs: Node[][] = [];
  for (const node of nodes) {
    const run = runs.at(-1);
    if (run?.[0]?.level === node.level) run.push(node);
    else runs.push([node]);
  }
  return runs;
}

/** The first of these nodes, as many as one transaction can move. */
function movable(nodes: readonly Node[], most: number): readonly Node[] {
  let cells = 0;
  return nodes.slice(0, most).filter(({ counts }) => {
    cells += counts.size;
    return cells <= maxFacetKeys || cells === counts.size;
  });
}

/**
 * Moves the oldest nodes of a level below a node that counts them, where there are enough. The node that counts them
 * is the one before them, if it has room, or else a new one. A transaction moves half of what a node counts. The latest
 * node of a level stays, because it may have room.
 */
export async function rollUpNodes(
  db: Database,
  list: Named,
  owner: string,
  top: Roots,
  branches: number,
): Promise<Step | undefined> {
  const together = Math.floor(branches / 2);
  const run = runsOf(settled(top)).find(({ length }) => length > together) ?? [];
  const children = movable(run, together);
  const [first] = children;
  if (first === undefined) return undefined;
  const before = top.nodes.findLast((node) => node.first < first.first);
  const isParent =
    before?.level === first.level + 1 &&
    (await childrenOf(db, list, before)).length + children.length <= branches;
  const parent = isParent ? before : { level: first.level + 1, first: first.first };
  const counts = added(...children.map((child) => child.counts));
  const writes: readonly Write[] = [
    isParent ? recounted(before, added(before.counts, counts)) : newParent(list, owner, first, counts),
    ...children.flatMap((child) => movedBelow(list, parent, child)),
  ];
  return { writes, slots: 0, nodes: children.length };
}

/** A node that counts nodes from `first` on. */
const newParent = (list: Named, owner: string, first: Node, counts: Counts): Insert => {
  const key = rootKey(list, owner, first.level + 1, first.first);
  return { kind: "insert", table, item: nodeItem({ ...first, key, counts }), rejection: stale };
};

const movedBelow = (list: Named, parent: Parent, child: Node): readonly [Removal, Insert] => [
  { kind: "removal", table, key: child.key, when: [{ attribute: "pk", is: "present" }], rejection: stale },
  {
    kind: "insert",
    table,
    item: nodeItem({ ...child, key: childKey(list, parent, child.first) }),
    rejection: stale,
  },
];
