/**
 * Finds and corrects nodes whose counts differ from the sum of their children. Pages and totals use the upper
 * nodes.
 */
import type { Database } from "../../dynamodb/database.ts";
import { added, countsSame } from "../counters/counters.ts";
import { childrenOf, type Node, type Parent, readRoots } from "../counters/nodes.ts";
import { advanceProgress, isRollingUp, readProgress } from "../counters/roll-up-progress.ts";
import { recounted } from "../counters/roll-up-transactions.ts";
import type { BlockList } from "../definitions.ts";
import { type Repaired, untilStored } from "./lost-blocks.ts";

/** @returns undefined if no such node exists */
async function nodeAt(
  db: Database,
  list: BlockList,
  roots: readonly Node[],
  { level, first }: Parent,
): Promise<Node | undefined> {
  for (let nodes = roots; ; ) {
    const node = nodes.findLast((one) => one.first <= first && one.level >= level);
    if (node === undefined || node.level === level) return node?.first === first ? node : undefined;
    nodes = await childrenOf(db, list, node);
  }
}

/** Reads a node and the sum of its children; undefined if a roll-up overlaps. */
async function readWhole(db: Database, list: BlockList, owner: string, parent: Parent) {
  const { progress, nodes } = await readRoots(db, list, owner);
  const node = await nodeAt(db, list, nodes, parent);
  const children = await childrenOf(db, list, parent);
  const { count } = await readProgress(db, list, owner);
  if (isRollingUp(progress) || count !== progress.count) return undefined;
  return { progress, node, counts: added(...children.map((child) => child.counts)) };
}

/**
 * Whether a node's counts are the sum of its children, or it no longer exists; undefined if a roll-up
 * overlaps.
 */
export async function countsChildren(
  db: Database,
  list: BlockList,
  owner: string,
  parent: Parent,
): Promise<Repaired> {
  const whole = await readWhole(db, list, owner, parent);
  return whole && (whole.node === undefined || countsSame(whole.node.counts, whole.counts));
}

/** Sets a node's counts to the sum of its children. */
export const recountNode = (
  db: Database,
  list: BlockList,
  owner: string,
  parent: Parent,
): Promise<Repaired> =>
  untilStored(db, async () => {
    const whole = await readWhole(db, list, owner, parent);
    if (whole === undefined) return undefined;
    const { node, progress, counts } = whole;
    if (node === undefined || countsSame(node.counts, counts)) return [];
    const next = { count: progress.count + 2, began: progress.began };
    return [recounted(node, counts), advanceProgress(list, owner, progress, next)];
  });
