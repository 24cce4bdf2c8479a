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
import { clock } from "../../../common/clock.ts";
import type { Database } from "../../dynamodb/database.ts";
import { withBudget } from "../../dynamodb/retry.ts";
import { commit } from "../../dynamodb/transact.ts";
import { type Conditional, keyOf, type Write } from "../../dynamodb/writes.ts";
import type { Named } from "../definitions.ts";
import { readRoots } from "./nodes.ts";
import { advanceProgress, isRollingUp, maxRollUpMs, type RollUpProgress } from "./roll-up-progress.ts";
import { type RolledUp, rollUpNodes, rollUpShards, settled } from "./roll-up-transactions.ts";

/** When and how an owner is folded. */
export interface Measures {
  /**
   * Nodes that one node counts at most; at least 2. Moving a node below another takes two writes, and a transaction holds
   * 100. So it moves half of them.
   */
  readonly branches: number;
  /** Slots from which on folding an owner pays. Fewer are cheaper to read than to fold. */
  readonly worthwhile: number;
  /** Milliseconds between two transactions, in which readers find the time to read a page. */
  readonly pause: number;
}

/** How the service folds. */
export const usual: Measures = { branches: 80, worthwhile: 16, pause: 250 };

/**
 * Rolls up what is pending for an owner, until `until` (by `clock`). Few slots are left alone, unless a block was
 * filled since the last fold.
 */
export async function rollUpOwner(
  db: Database,
  list: Named,
  owner: string,
  until: number,
  { branches, worthwhile, pause }: Measures = usual,
): Promise<RolledUp> {
  const result = { slots: 0, nodes: 0 };
  const busy = new Set<string>();
  for (let isBegun = false; !isBegun || clock() < until; isBegun = true) {
    const top = await readRoots(db, list, owner);
    if (isRollingUp(top.folds)) break;
    const slots = top.slots.filter(({ block, key }) => block !== top.current && !busy.has(key.sk));
    const filled = settled(top).filter(({ noted }) => noted);
    const pays = filled.length > 0 || slots.length >= worthwhile;
    // Nodes come first: their steps come to an end, while an account at work makes slots without end.
    const step =
      (await rollUpNodes(db, list, owner, top, branches)) ??
      (pays ? await rollUpShards(db, list, top, slots, filled) : undefined);
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
 * Stores a fold's writes, which were planned when the owner's folds had come to `seen`. Answers the write whose condition is
 * broken; nothing is stored then.
 */
async function carryOut(
  db: Database,
  list: Named,
  owner: string,
  seen: RollUpProgress,
  writes: readonly Write[],
): Promise<Conditional | undefined> {
  const going: RollUpProgress = { count: seen.count + (seen.count % 2 === 0 ? 1 : 2), began: Date.now() };
  const taken = await commit(db, [advanceProgress(list, owner, seen, going)]);
  if (taken !== undefined) return taken;
  try {
    const all = [advanceProgress(list, owner, going, going), ...writes];
    return await withBudget(() => commit(db, all), maxRollUpMs / 2);
  } finally {
    await commit(db, [advanceProgress(list, owner, going, { ...going, count: going.count + 1 })]);
  }
}
