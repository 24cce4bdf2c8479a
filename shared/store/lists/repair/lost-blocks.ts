/**
 * Gives tallies back what they lack of blocks that have records: for repairs of an operator, after tallies were restored
 * from an earlier moment than records. Each step is one transaction, and changes nothing where it was taken before. So
 * whoever is stopped begins anew. Writers may go on.
 */
import { clock } from "../../../common/clock.ts";
import type { Database } from "../../dynamodb/database.ts";
import { getItem } from "../../dynamodb/reads.ts";
import { backOff } from "../../dynamodb/retry.ts";
import { type Condition, setOrInsert, stale, type Write } from "../../dynamodb/writes.ts";
import {
  added,
  counterKey,
  countsSame,
  negated,
  parseCounter,
  countersTable as table,
} from "../counters/counters.ts";
import {
  childKey,
  childrenOf,
  type Head,
  headKey,
  type Node,
  nodeItem,
  type Parent,
  parseHead,
  type Roots,
  readRoots,
  rootKey,
} from "../counters/nodes.ts";
import { advanceProgress, isRollingUp } from "../counters/roll-up-progress.ts";
import type { BlockList, Named } from "../definitions.ts";
import { type Block, isStored } from "./rebuild-context.ts";

/** Whether something was still to be done; undefined where writers left no time for it. */
export type Repaired = boolean | undefined;

/** How long a step is tried, in milliseconds. */
const retryBudgetMs = 5_000;

/** Reads and writes until the writes are stored, or none are needed. An undefined plan is made anew a little later. */
export async function untilStored(
  db: Database,
  plan: () => Promise<readonly Write[] | undefined>,
): Promise<Repaired> {
  const until = clock() + retryBudgetMs;
  for (let attempt = 1; ; attempt += 1) {
    const writes = await plan();
    if (writes?.length === 0) return false;
    if (writes !== undefined && (await isStored(db, writes))) return true;
    if (clock() > until) return undefined;
    await backOff(Math.min(attempt, 3));
  }
}

/** Whether the counter of a list knows less blocks than have records. It would lease one of them once more. */
export const isCounterBehind = async (db: Database, list: BlockList, block: number): Promise<boolean> =>
  (parseCounter(await getItem(db, { table, key: counterKey(list) })) ?? 0) < block;

/** Has the counter of a list go on behind a block. */
export const advanceCounter = (db: Database, list: BlockList, block: number): Promise<Repaired> =>
  untilStored(db, async () => {
    const key = counterKey(list);
    const before = parseCounter(await getItem(db, { table, key }));
    if (before !== undefined && before >= block) return [];
    const when = [{ attribute: "blocks", atMost: block - 1 }];
    return [setOrInsert({ table, key }, before, { blocks: block }, when)];
  });

/** The place that an owner's next ids come from. */
export interface NextId {
  readonly block: number;
  /** The next id's place in the block. */
  readonly next: number;
}

/** Where an owner's ids go on by now; undefined where none was ever taken. */
export const lastTaken = async (db: Database, list: BlockList, owner: string): Promise<Head | undefined> =>
  parseHead(await getItem(db, { table, key: headKey(list, owner) }));

/** Whether an owner's head would hand out ids that records have. */
export const isHeadBehind = async (
  db: Database,
  list: BlockList,
  owner: string,
  place: NextId,
): Promise<boolean> => isBehind(await lastTaken(db, list, owner), place);

export const isBehind = (head: NextId | undefined, { block, next }: NextId): boolean =>
  head === undefined || head.block < block || (head.block === block && head.next < next);

/** Has an owner's ids go on at a place, and their creation times not before `now` (ISO 8601). */
export const advanceHead = (
  db: Database,
  list: BlockList,
  owner: string,
  place: NextId,
  now: string,
): Promise<Repaired> =>
  untilStored(db, async () => {
    const key = headKey(list, owner);
    const before = await lastTaken(db, list, owner);
    if (!isBehind(before, place)) return [];
    const latest = before !== undefined && before.latest > now ? before.latest : now;
    const when: readonly Condition[] = [
      { attribute: "block", equals: before?.block ?? 0 },
      { attribute: "next", atMost: before?.next ?? 0 },
      { attribute: "latest", atMost: latest },
    ];
    const set = { block: place.block, next: place.next, latest };
    return [setOrInsert({ table, key }, before, set, when)];
  });

/** A node that is gone. */
interface LostNode extends Pick<Node, "key" | "counts"> {
  /** Whether it begins behind all that the node above it counts. */
  readonly isLast: boolean;
}

/**
 * The node of a level that begins with a block, where there is none; undefined where there is one. Where blocks lie below a
 * node, it belongs there. What that node counts and those below it do not, it counts itself: so both come to the same. From
 * the block on that new records go to, nodes belong to the top: the next lease looks for that block's node there.
 */
async function lostNode(
  db: Database,
  list: Named,
  owner: string,
  { nodes: top, current = Number.POSITIVE_INFINITY }: Pick<Roots, "nodes" | "current">,
  { level, first: block }: Pick<Node, "level" | "first">,
): Promise<LostNode | undefined> {
  let nodes = block < current ? top : top.filter((node) => node.level === 0);
  let lost: LostNode = { key: rootKey(list, owner, level, block), counts: new Map(), isLast: false };
  for (;;) {
    const node = nodes.findLast(({ first }) => first <= block);
    if (node === undefined || node.level <= level)
      return node?.level === level && node.first === block ? undefined : lost;
    nodes = await childrenOf(db, list, node);
    const counts = added(node.counts, ...nodes.map((child) => negated(child.counts)));
    lost = { key: childKey(list, node, block), counts, isLast: nodes.every(({ first }) => first < block) };
  }
}

/** Whether tallies have a node for a block. */
export async function hasNode(db: Database, list: BlockList, { owner, block }: Block): Promise<boolean> {
  const top = await readRoots(db, list, owner);
  return (await lostNode(db, list, owner, top, { level: 0, first: block })) === undefined;
}

/**
 * Gives a block a node, which counts what those above it count and no other does. `leased_at` (ISO 8601) is not after its
 * first record. A rebuild of the block counts its records then. No fold is under way meanwhile.
 */
export const addNode = (
  db: Database,
  list: BlockList,
  { owner, block }: Block,
  leased_at: string | undefined,
): Promise<Repaired> =>
  untilStored(db, async () => {
    const top = await readRoots(db, list, owner);
    if (isRollingUp(top.folds)) return undefined;
    const lost = await lostNode(db, list, owner, top, { level: 0, first: block });
    return lost === undefined ? [] : insertion(list, owner, top, { ...lost, leased_at });
  });

/** Puts a node where none is. It counts as a fold, so a reader notices it. */
const insertion = (
  list: Named,
  owner: string,
  { folds }: Pick<Roots, "folds">,
  node: Pick<Node, "key" | "counts" | "leased_at">,
): readonly Write[] => [
  { kind: "insert", table, item: nodeItem(node), rejection: stale },
  advanceProgress(list, owner, folds, { count: folds.count + 2, began: folds.began }),
];

/** Whether tallies have a node that others lie below. */
export async function hasParent(
  db: Database,
  list: BlockList,
  owner: string,
  parent: Parent,
): Promise<boolean> {
  return (await lostNode(db, list, owner, await readRoots(db, list, owner), parent)) === undefined;
}

/**
 * Gives back a node that is gone while those below it are there: it counts what they count. Without it their blocks are not
 * found, and no fold could put others in their place. The latest node of a level lies at the top. So a node
 * that begins behind all its siblings, and that the node above does not count, goes to the top.
 */
export const addParent = (db: Database, list: BlockList, owner: string, parent: Parent): Promise<Repaired> =>
  untilStored(db, async () => {
    const top = await readRoots(db, list, owner);
    if (isRollingUp(top.folds)) return undefined;
    const lost = await lostNode(db, list, owner, top, parent);
    if (lost === undefined) return [];
    const children = await childrenOf(db, list, parent);
    const counts = added(...children.map((child) => child.counts));
    const wasAtTop = lost.isLast && !countsSame(lost.counts, counts);
    const key = wasAtTop ? rootKey(list, owner, parent.level, parent.first) : lost.key;
    return insertion(list, owner, top, { key, counts, leased_at: children[0]?.leased_at });
  });
