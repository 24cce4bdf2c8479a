/**
 * Roll-up: moves the counts of shards into nodes, and nodes below a parent once there are many.
 *
 * One transaction removes shards and adds their counts to the nodes of their blocks at every level, so counts
 * are exact at all times. If a shard is written to meanwhile, the transaction fails and that shard is left
 * for later. The shards of the block that new ids are taken from are not rolled up.
 *
 * The owner's progress (`roll-up-progress.ts`) advances before, in and after the transaction, on condition
 * that it has not moved. So two roll-ups of one owner never mix, and readers notice one that overlaps their
 * reads.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { clock } from "../../../common/clock.ts";
import { withBudget } from "../../dynamodb/retry.ts";
import { commit } from "../../dynamodb/transact.ts";
import { type Conditional, keyOf, type Write } from "../../dynamodb/writes.ts";
import type { OwnedCounters } from "../block-list.ts";
import { readRestingRoots } from "./read-nodes.ts";
import {
  advanceProgress,
  begunProgress,
  endedProgress,
  maxRollUpMs,
  movedProgress,
  nodeWrites,
  type RollUpProgress,
} from "./roll-up-progress.ts";
import { closedRoots, type RolledUp, rollUpNodes, rollUpShards } from "./roll-up-transactions.ts";

interface RollUpSettings {
  /** Most children of a node. A transaction holds 100 writes, and moving a child takes two. */
  readonly branches: number;
  /** Minimum shards. Fewer are cheaper to read than to roll up. */
  readonly minShards: number;
  /** Pause between two transactions, in which readers can read a page. */
  readonly pauseMs: number;
}

export const defaultSettings: RollUpSettings = { branches: 80, minShards: 16, pauseMs: 250 };

/**
 * Rolls up what is pending until `until` (by `clock`). A few shards are left alone, unless a block has become
 * full since the last roll-up.
 */
export async function rollUpOwner(
  owned: OwnedCounters,
  until: number,
  { branches, minShards, pauseMs }: RollUpSettings = defaultSettings,
): Promise<RolledUp> {
  const result = { shards: 0, nodes: 0 };
  const busyShards = new Set<string>();
  for (let isBegun = false; !isBegun || clock() < until; isBegun = true) {
    const roots = await readRestingRoots(owned);
    if (roots === undefined) break;
    const shards = roots.shards.filter(
      ({ block, key }) => block !== roots.current && !busyShards.has(key.sk),
    );
    const filled = closedRoots(roots).filter(({ isPending }) => isPending);
    const pays = filled.length > 0 || shards.length >= minShards;
    // Nodes come first because they come to an end, while a busy account keeps creating shards.
    const step =
      (await rollUpNodes(owned, roots, branches)) ??
      (pays ? await rollUpShards(owned, roots, shards, filled) : undefined);
    if (step === undefined) break;
    if (isBegun) await sleep(pauseMs);
    const broken = await storeStep(owned, roots.progress, step.writes);
    if (broken === undefined) {
      result.shards += step.shards;
      result.nodes += step.nodes;
    } else busyShards.add(keyOf(broken).sk);
  }
  return result;
}

/** Stores writes that were planned at the progress `seen`. @returns the write that failed, if one did */
async function storeStep(
  owned: OwnedCounters,
  seen: RollUpProgress,
  writes: readonly Write[],
): Promise<Conditional | undefined> {
  const begun = begunProgress(seen);
  const { db } = owned;
  const taken = await commit(db, [advanceProgress(owned, seen, begun)]);
  if (taken !== undefined) return taken;
  const moved = movedProgress(begun);
  const end = (last: RollUpProgress) => commit(db, [advanceProgress(owned, last, endedProgress(last))]);
  let last = begun;
  try {
    const failed = await withBudget(() => commit(db, nodeWrites(owned, begun, writes)), maxRollUpMs / 2);
    if (failed === undefined) last = moved;
    return failed;
  } finally {
    // The transaction may be stored although its answer is lost.
    if ((await end(last)) !== undefined) await end(moved);
  }
}
