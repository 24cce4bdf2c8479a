/**
 * Restores counters that miss blocks with records, for an operator's repair after the counters were restored
 * from an earlier point in time than the records. Each repair is planned as one transaction from what is
 * stored, so it is planned again until its writes are stored or none are needed. Writers may continue.
 */
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { getItem } from "../../../shared/store/dynamodb/reads.ts";
import { type Condition, setOrInsert, type Write } from "../../../shared/store/dynamodb/writes.ts";
import type { BlockList, OwnedCounters, OwnedList } from "../../../shared/store/lists/block-list.ts";
import {
  lastBlockKey,
  parseLastBlock,
  countersTable as table,
} from "../../../shared/store/lists/counters/counters.ts";
import { addCounts, countsSame, negateCounts } from "../../../shared/store/lists/counters/counts.ts";
import {
  childKey,
  headKey,
  type Node,
  nodeItem,
  type Parent,
  rootKey,
} from "../../../shared/store/lists/counters/nodes.ts";
import {
  childrenOf,
  type Head,
  parseHead,
  type Roots,
  readRestingRoots,
} from "../../../shared/store/lists/counters/read-nodes.ts";
import { nodeWrites } from "../../../shared/store/lists/counters/roll-up-progress.ts";
import { setNodeCounts } from "../../../shared/store/lists/counters/roll-up-transactions.ts";

/** Plans the transaction of a repair: no writes if nothing is wrong, undefined if a roll-up interfered. */
export type RepairPlan = () => Promise<readonly Write[] | undefined>;

/** Advances the list's counter of blocks to one that has records, which it would lease again otherwise. */
export const advanceCounter =
  (db: Database, list: BlockList, block: number): RepairPlan =>
  async () => {
    const key = lastBlockKey(list);
    const before = parseLastBlock(await getItem(db, { table, key }));
    if (before !== undefined && before >= block) return [];
    const when = [{ attribute: "blocks", atMost: block - 1 }];
    return [setOrInsert({ table, key }, before, { blocks: block }, when)];
  };

export interface NextId {
  readonly block: number;
  readonly next: number;
}

const lastTaken = async ({ db, list, owner }: OwnedList): Promise<Head | undefined> =>
  parseHead(await getItem(db, { table, key: headKey(list, owner) }));

/** Whether a head would allocate ids that records have. */
export const isBehind = (head: NextId | undefined, { block, next }: NextId): boolean =>
  head === undefined || head.block < block || (head.block === block && head.next < next);

/** Advances an owner's next id to a position, with creation times from now on. */
export const advanceHead =
  (owned: OwnedList, { block, next }: NextId): RepairPlan =>
  async () => {
    const key = headKey(owned.list, owned.owner);
    const before = await lastTaken(owned);
    if (!isBehind(before, { block, next })) return [];
    const now = new Date().toISOString();
    const latest = before !== undefined && before.latest > now ? before.latest : now;
    const when: readonly Condition[] = [
      { attribute: "block", equals: before?.block ?? 0 },
      { attribute: "next", atMost: before?.next ?? 0 },
    ];
    return [setOrInsert({ table, key }, before, { block, next, latest }, when)];
  };

interface ExpectedNode extends Parent {
  /** Of a block (ISO 8601): not after its first record. A parent has that of its first child. */
  readonly leased_at?: string | undefined;
}

/**
 * Restores a node that is missing, and gives one above others the sum of their counts. Without the node of a
 * block, its records are neither listed nor counted; the block must be rebuilt afterwards to count them.
 * Without one above others, their blocks are not found, and no roll-up can move others below it.
 *
 * The progress advances as by a roll-up, so that readers notice the change and no other plan made meanwhile
 * is stored.
 */
export const repairNode =
  (owned: OwnedList, expected: ExpectedNode): RepairPlan =>
  async () => {
    const roots = await readRestingRoots(owned);
    if (roots === undefined) return undefined;
    const children = expected.level === 0 ? [] : await childrenOf(owned, expected);
    const sum = addCounts(...children.map((child) => child.counts));
    const found = await nodeOrGap(owned, roots, expected);
    if ("level" in found) {
      const isRight = expected.level === 0 || countsSame(found.counts, sum);
      return isRight ? [] : nodeWrites(owned, roots.progress, [setNodeCounts(found, sum)]);
    }
    const node =
      expected.level === 0
        ? { key: found.key, counts: found.uncovered, leased_at: expected.leased_at }
        : {
            key: parentKey(owned, expected, found, sum),
            counts: sum,
            leased_at: children[0]?.leased_at,
          };
    return nodeWrites(owned, roots.progress, [{ kind: "insert", table, item: nodeItem(node) }]);
  };

interface Gap extends Pick<Node, "key"> {
  /** The part of its parent's counts that no sibling covers. */
  readonly uncovered: Node["counts"];
  /** Whether it begins after all other children of its parent. */
  readonly isLast: boolean;
}

/** The latest node of a level becomes a root again, as it was, if its parent does not count it. */
const parentKey = (
  { list, owner }: OwnedCounters,
  { level, first }: Parent,
  { key, uncovered, isLast }: Gap,
  counts: Node["counts"],
): Node["key"] => (isLast && !countsSame(uncovered, counts) ? rootKey(list, owner, level, first) : key);

/**
 * The node of a level that begins with a block; or where it is missing. If the block lies below a parent, the
 * node belongs there. From the current block on, nodes of blocks belong to the roots, where the next lease
 * looks for them.
 */
async function nodeOrGap(
  owned: OwnedCounters,
  { nodes: roots, current = Number.POSITIVE_INFINITY }: Pick<Roots, "nodes" | "current">,
  { level, first: block }: Parent,
): Promise<Node | Gap> {
  const { list, owner } = owned;
  let nodes = level > 0 || block < current ? roots : roots.filter((node) => node.level === 0);
  let gap: Gap = { key: rootKey(list, owner, level, block), uncovered: new Map(), isLast: false };
  for (;;) {
    const node = nodes.findLast(({ first }) => first <= block);
    if (node === undefined || node.level <= level)
      return node?.level === level && node.first === block ? node : gap;
    nodes = await childrenOf(owned, node);
    const uncovered = addCounts(node.counts, ...nodes.map((child) => negateCounts(child.counts)));
    gap = { key: childKey(list, node, block), uncovered, isLast: nodes.every(({ first }) => first < block) };
  }
}
