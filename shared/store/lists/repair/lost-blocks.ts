/**
 * Restores counters that miss blocks with records, for an operator's repair after the counters were restored
 * from an earlier point in time than the records. Each step is one transaction and does nothing if it was
 * already taken, so an interrupted repair is run again. Writers may continue.
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
import type { BlockList, NamedList } from "../definitions.ts";
import { type Block, isStored } from "./rebuild-context.ts";

/** Whether anything was repaired; undefined if writers left no time for it. */
export type Repaired = boolean | undefined;

const retryBudgetMs = 5_000;

/**
 * Plans and stores until the writes are stored or none are needed. If the plan is undefined, it tries again
 * shortly.
 */
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

/** Whether the list's counter of blocks is below a block that has records, and so would lease it again. */
export const isCounterBehind = async (db: Database, list: BlockList, block: number): Promise<boolean> =>
  (parseCounter(await getItem(db, { table, key: counterKey(list) })) ?? 0) < block;

/** Advances the list's counter to a block. */
export const advanceCounter = (db: Database, list: BlockList, block: number): Promise<Repaired> =>
  untilStored(db, async () => {
    const key = counterKey(list);
    const before = parseCounter(await getItem(db, { table, key }));
    if (before !== undefined && before >= block) return [];
    const when = [{ attribute: "blocks", atMost: block - 1 }];
    return [setOrInsert({ table, key }, before, { blocks: block }, when)];
  });

/** The position of an owner's next id. */
export interface NextId {
  readonly block: number;
  /** Position in the block. */
  readonly next: number;
}

/** The head of an owner; undefined if no id was ever allocated. */
export const lastTaken = async (db: Database, list: BlockList, owner: string): Promise<Head | undefined> =>
  parseHead(await getItem(db, { table, key: headKey(list, owner) }));

/** Whether an owner's head would allocate ids that records have. */
export const isHeadBehind = async (
  db: Database,
  list: BlockList,
  owner: string,
  place: NextId,
): Promise<boolean> => isBehind(await lastTaken(db, list, owner), place);

export const isBehind = (head: NextId | undefined, { block, next }: NextId): boolean =>
  head === undefined || head.block < block || (head.block === block && head.next < next);

/** Advances an owner's next id to a position, with creation times from `now` (ISO 8601) on. */
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

/** A missing node. */
interface LostNode extends Pick<Node, "key" | "counts"> {
  /** Whether it begins after all other children of its parent. */
  readonly isLast: boolean;
}

/**
 * The missing node of a level that begins with a block; undefined if it exists. If the block lies below a
 * parent, the node belongs there. The new node takes the part of its parent's count that no sibling covers,
 * so the parent's count stays correct. From the current block on, nodes belong to the roots, where the next
 * lease looks for them.
 */
async function lostNode(
  db: Database,
  list: NamedList,
  owner: string,
  { nodes: roots, current = Number.POSITIVE_INFINITY }: Pick<Roots, "nodes" | "current">,
  { level, first: block }: Pick<Node, "level" | "first">,
): Promise<LostNode | undefined> {
  let nodes = block < current ? roots : roots.filter((node) => node.level === 0);
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

export async function hasNode(db: Database, list: BlockList, { owner, block }: Block): Promise<boolean> {
  const roots = await readRoots(db, list, owner);
  return (await lostNode(db, list, owner, roots, { level: 0, first: block })) === undefined;
}

/**
 * Adds the node of a block; `leased_at` (ISO 8601) is not after its first record. The block must be rebuilt
 * afterwards to count its records. Waits while a roll-up is in progress.
 */
export const addNode = (
  db: Database,
  list: BlockList,
  { owner, block }: Block,
  leased_at: string | undefined,
): Promise<Repaired> =>
  untilStored(db, async () => {
    const roots = await readRoots(db, list, owner);
    if (isRollingUp(roots.progress)) return undefined;
    const lost = await lostNode(db, list, owner, roots, { level: 0, first: block });
    return lost === undefined ? [] : insertion(list, owner, roots, { ...lost, leased_at });
  });

/** Inserts a node. Advances the progress like a roll-up, so that readers notice it. */
const insertion = (
  list: NamedList,
  owner: string,
  { progress }: Pick<Roots, "progress">,
  node: Pick<Node, "key" | "counts" | "leased_at">,
): readonly Write[] => [
  { kind: "insert", table, item: nodeItem(node), rejection: stale },
  advanceProgress(list, owner, progress, { count: progress.count + 2, began: progress.began }),
];

export async function hasParent(
  db: Database,
  list: BlockList,
  owner: string,
  parent: Parent,
): Promise<boolean> {
  return (await lostNode(db, list, owner, await readRoots(db, list, owner), parent)) === undefined;
}

/**
 * Adds a missing parent, with the sum of its children. Without it their blocks are not found, and no roll-up
 * can move others below it. The latest node of a level is a root, so a node that begins after all its
 * siblings and is not counted by their parent becomes a root.
 */
export const addParent = (db: Database, list: BlockList, owner: string, parent: Parent): Promise<Repaired> =>
  untilStored(db, async () => {
    const roots = await readRoots(db, list, owner);
    if (isRollingUp(roots.progress)) return undefined;
    const lost = await lostNode(db, list, owner, roots, parent);
    if (lost === undefined) return [];
    const children = await childrenOf(db, list, parent);
    const counts = added(...children.map((child) => child.counts));
    const wasRoot = lost.isLast && !countsSame(lost.counts, counts);
    const key = wasRoot ? rootKey(list, owner, parent.level, parent.first) : lost.key;
    return insertion(list, owner, roots, { key, counts, leased_at: children[0]?.leased_at });
  });
