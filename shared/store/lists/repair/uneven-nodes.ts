/** Nodes that count something else than the nodes below them do: pages and totals go by the upper ones. */
import type { Database } from "../../dynamodb/database.ts";
import { added, countsSame } from "../counters/counters.ts";
import { childrenOf, type Node, type Parent, readRoots } from "../counters/nodes.ts";
import { advanceProgress, isRollingUp, readProgress } from "../counters/roll-up-progress.ts";
import { recounted } from "../counters/roll-up-transactions.ts";
import type { BlockList } from "../definitions.ts";
import { type Repaired, untilStored } from "./lost-blocks.ts";

/** The node of a level that begins with a block; undefined where there is none. */
async function nodeAt(
  db: Database,
  list: BlockList,
  top: readonly Node[],
  { level, first }: Parent,
): Promise<Node | undefined> {
  for (let nodes = top; ; ) {
    const node = nodes.findLast((one) => one.first <= first && one.level >= level);
    if (node === undefined || node.level === level) return node?.first === first ? node : undefined;
    nodes = await childrenOf(db, list, node);
  }
}

/** Reads a node and those below it; undefined where folds came between, or one is under way. */
async function readWhole(db: Database, list: BlockList, owner: string, parent: Parent) {
  const { folds, nodes } = await readRoots(db, list, owner);
  const node = await nodeAt(db, list, nodes, parent);
  const children = await childrenOf(db, list, parent);
  const { count } = await readProgress(db, list, owner);
  if (isRollingUp(folds) || count !== folds.count) return undefined;
  return { folds, node, counts: added(...children.map((child) => child.counts)) };
}

/** Whether a node counts what those below it count, or is gone by now; undefined where folds leave no time to tell. */
export async function isEven(
  db: Database,
  list: BlockList,
  owner: string,
  parent: Parent,
): Promise<Repaired> {
  const whole = await readWhole(db, list, owner, parent);
  return whole && (whole.node === undefined || countsSame(whole.node.counts, whole.counts));
}

/** Has a node count what those below it count. */
export const makeEven = (db: Database, list: BlockList, owner: string, parent: Parent): Promise<Repaired> =>
  untilStored(db, async () => {
    const whole = await readWhole(db, list, owner, parent);
    if (whole === undefined) return undefined;
    const { node, folds, counts } = whole;
    if (node === undefined || countsSame(node.counts, counts)) return [];
    const next = { count: folds.count + 2, began: folds.began };
    return [recounted(node, counts), advanceProgress(list, owner, folds, next)];
  });
