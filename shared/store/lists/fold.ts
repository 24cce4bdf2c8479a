/**
 * Folding: the counts of slots move into nodes, and nodes that have become many move below a node that counts them.
 *
 * One transaction takes slots away and adds what they counted to the nodes of their blocks, at every level. So counts are
 * exact at every moment. A slot that is written to meanwhile keeps the transaction from being stored, and is left for
 * later. The slots of the block that new records go to are not folded.
 *
 * The owner's count of folds rises before the transaction and after it, each time on the condition that nobody else has
 * raised it. So two folds of one owner never mix, and a reader notices a fold under way or between its reads (`Folds`).
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../database.ts";
import { withBudget } from "../retry.ts";
import { commit } from "../transact.ts";
import { type Change, type Conditional, keyOf, type Removal, stale, type Write } from "../writes.ts";
import type { Named } from "./definitions.ts";
import { type Folds, goOn, isFolding, longestFold } from "./folds.ts";
import { childKey, type Node, nodeItem, packed, pathsBelow, readTop, type Top, topNodeKey } from "./nodes.ts";
import { added, type Counts, revision, type Slot, talliesTable as table } from "./tallies.ts";

/** Slots and nodes that one transaction of a fold changes at most. */
const mostWrites = 95;

/** When and how an owner is folded. */
export interface Measures {
  /** Nodes that one node counts. Moving a node below another takes two writes, and a transaction holds 100. */
  readonly branches: number;
  /** Slots from which on folding an owner pays. Fewer are cheaper to read than to fold. */
  readonly worthwhile: number;
  /** Milliseconds between two transactions, in which readers find the time to read a page. */
  readonly pause: number;
}

const usual: Measures = { branches: 48, worthwhile: 16, pause: 250 };

/** Nodes of filled blocks that one transaction takes out of the index at most. */
const mostFilled = 40;

/** What a fold of one owner came to. */
export interface Folded {
  readonly slots: number;
  /** Nodes that were moved below another. */
  readonly nodes: number;
}

/** One transaction of a fold. */
interface Step extends Folded {
  readonly writes: readonly Write[];
}

/**
 * Folds what an owner has to fold, until `until` (by `performance.now`). Few slots are left alone, unless a block was
 * filled since the last fold.
 */
export async function foldOwner(
  db: Database,
  list: Named,
  owner: string,
  until: number,
  { branches, worthwhile, pause }: Measures = usual,
): Promise<Folded> {
  const result = { slots: 0, nodes: 0 };
  const busy = new Set<string>();
  for (let isBegun = false; !isBegun || performance.now() < until; isBegun = true) {
    const top = await readTop(db, list, owner);
    if (isFolding(top.folds)) break;
    const slots = top.slots.filter(({ block, key }) => block !== top.current && !busy.has(key.sk));
    const filled = settled(top).filter(({ noted }) => noted);
    const pays = filled.length > 0 || slots.length >= worthwhile;
    // Nodes come first: their steps come to an end, while an account at work makes slots without end.
    const step =
      nodeStep(list, owner, top, branches) ??
      (pays ? await slotStep(db, list, top, slots, filled) : undefined);
    if (step === undefined) break;
    if (isBegun) await sleep(pause);
    const broken = await carryOut(db, list, owner, top.folds, step.writes);
    if (broken === undefined) {
      result.slots += step.slots;
      result.nodes += step.nodes;
    } else busy.add(keyOf(broken).sk);
  }
  return result;
}

/**
 * Stores a fold's writes, which were planned when the owner's folds had come to `seen`. Answers the write whose premise is
 * broken; nothing is stored then.
 */
async function carryOut(
  db: Database,
  list: Named,
  owner: string,
  seen: Folds,
  writes: readonly Write[],
): Promise<Conditional | undefined> {
  const going: Folds = { count: seen.count + (seen.count % 2 === 0 ? 1 : 2), began: Date.now() };
  const taken = await commit(db, [goOn(list, owner, seen, going)]);
  if (taken !== undefined) return taken;
  try {
    const all = [goOn(list, owner, going, going), ...writes];
    return await withBudget(() => commit(db, all), longestFold / 2);
  } finally {
    await commit(db, [goOn(list, owner, going, { ...going, count: going.count + 1 })]);
  }
}

/**
 * Latest nodes that are left at the top in a list that has the ids of another. A lease brings up to ten nodes at once,
 * and a read may see some of them sooner than others.
 */
const latest = 20;

/**
 * The nodes of the top that no lease is still about. A read may see the node of a new block sooner than the head that
 * names the block, so the nodes behind the head's block are left out, too.
 */
const settled = ({ nodes, current }: Top): readonly Node[] =>
  current === undefined ? nodes.slice(0, -latest) : nodes.filter(({ first }) => first < current);

/** Takes away as many slots as one transaction can, and adds them to their nodes. `filled` need no folding after that. */
async function slotStep(
  db: Database,
  list: Named,
  top: Top,
  slots: readonly Slot[],
  filled: readonly Node[],
): Promise<Step> {
  const pathTo = pathsBelow(db, list, top.nodes);
  const changes = new Map<Node, Counts[]>(filled.slice(0, mostFilled).map((node) => [node, []]));
  const taken: Slot[] = [];
  for (const slot of slots) {
    const path = await pathTo(slot.block);
    const more = path.filter((node) => !changes.has(node));
    if (taken.length + 1 + changes.size + more.length > mostWrites) break;
    taken.push(slot);
    for (const node of path) changes.set(node, [...(changes.get(node) ?? []), slot.counts]);
  }
  const writes = [
    ...taken.map(slotRemoval),
    ...[...changes].map(([node, counts]) => recounted(node, added(node.counts, ...counts))),
  ];
  return { writes, slots: taken.length, nodes: 0 };
}

const slotRemoval = ({ key, revision: last }: Slot): Removal => ({
  kind: "removal",
  table,
  key,
  when: [{ attribute: revision, equals: last }],
  refusal: stale,
});

/** A node with other counts; it has nothing to be folded any more. */
export function recounted({ key }: Node, counts: Counts): Change {
  const set = packed(counts);
  const remove = ["unfolded", ...(counts.size === 0 ? ["counts"] : [])];
  const when = [{ attribute: "pk", is: "present" }] as const;
  return { kind: "change", table, key, set, remove, when, refusal: stale };
}

/** Moves the oldest nodes of a level below a new node that counts them, where there are enough. */
function nodeStep(list: Named, owner: string, top: Top, branches: number): Step | undefined {
  const levels = [...Map.groupBy(settled(top), ({ level }) => level).values()];
  const children = levels.find(({ length }) => length >= branches)?.slice(0, branches) ?? [];
  const [first] = children;
  if (first === undefined) return undefined;
  const parent = { level: first.level + 1, first: first.first };
  const parentItem = nodeItem({
    key: topNodeKey(list, owner, parent.level, parent.first),
    leased_at: first.leased_at,
    counts: added(...children.map(({ counts }) => counts)),
  });
  const writes: readonly Write[] = [
    { kind: "insert", table, item: parentItem, refusal: stale },
    ...children.flatMap((child): readonly Write[] => [
      {
        kind: "removal",
        table,
        key: child.key,
        when: [{ attribute: "pk", is: "present" }],
        refusal: stale,
      },
      {
        kind: "insert",
        table,
        item: nodeItem({ ...child, key: childKey(list, parent, child.first) }),
        refusal: stale,
      },
    ]),
  ];
  return { writes, slots: 0, nodes: children.length };
}
