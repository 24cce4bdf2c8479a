import { setTimeout as sleep } from "node:timers/promises";
import { clock } from "../../../common/clock.ts";
import type { Database } from "../../dynamodb/database.ts";
import { queryRange } from "../../dynamodb/reads.ts";
import { backOff } from "../../dynamodb/retry.ts";
import { type Change, stale } from "../../dynamodb/writes.ts";
import { entriesOf } from "../block-list.ts";
import {
  added,
  type CounterShard,
  type Counts,
  counter,
  negated,
  revision,
  shardKey,
  countersTable as table,
  unfolded,
} from "../counters/counters.ts";
import { pathsBelow, readRoots } from "../counters/nodes.ts";
import { advanceProgress, isRollingUp } from "../counters/roll-up-progress.ts";
import type { BlockList } from "../definitions.ts";
import type { FacetKey } from "../facets.ts";
import { type Block, isStored, type Limits } from "./rebuild-context.ts";

/** What a tally was found to be. It is right after either, unless a caller only looks. */
export type Found = "right" | "wrong";

/**
 * Corrects a block's tally where it differs from what its records come to. Answers what it was, or undefined
 * where writers changed it without a pause until `until`.
 *
 * Each count changes the revision of a slot, and each fold the owner's number of folds. The tally is held
 * against the records only where all of these stayed the same from before the records were read until after.
 * Of one transaction a query may see the record sooner or later than the slot is seen, so there is a pause of
 * `settleMs` before it and after. The difference is added to a slot, so it stays right however much is
 * counted meanwhile. It is added only where that slot stayed as it was and no fold has come, so that two
 * rebuilds at once do not both add it.
 */
export async function correctCounter(
  db: Database,
  list: BlockList,
  place: Block,
  limits: Limits,
): Promise<Found | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await tryToCorrect(db, list, place, limits);
    if (found !== undefined || clock() > limits.until) return found;
    await backOff(Math.min(attempt, 3));
  }
}

/** Answers undefined where writers or folds changed the tally meanwhile. */
async function tryToCorrect(
  db: Database,
  list: BlockList,
  place: Block,
  { settleMs, looksOnly = false }: Pick<Limits, "settleMs" | "looksOnly">,
): Promise<Found | undefined> {
  const before = await readCounter(db, list, place);
  if (before === undefined) return undefined;
  await sleep(settleMs);
  const cells = await countRecords(db, list, place.block);
  await sleep(settleMs);
  const after = await readCounter(db, list, place);
  if (after === undefined || before.state !== after.state) return undefined;
  const missing = differences(after.counts, cells);
  if (missing.size === 0) return "right";
  if (looksOnly) return "wrong";
  const { count, began } = after.folds;
  const folds = advanceProgress(list, place.owner, after.folds, { count: count + 2, began });
  const isCorrected = await isStored(db, [correction(list, place, after.slots, missing), folds]);
  return isCorrected ? "wrong" : undefined;
}

/**
 * What a block's tally comes to. `state` is another text whenever anything of the tally has changed.
 * Undefined while a fold is under way, of which a query may see a part.
 */
async function readCounter(db: Database, list: BlockList, { owner, block }: Block) {
  const top = await readRoots(db, list, owner);
  if (isRollingUp(top.folds)) return undefined;
  const path = await pathsBelow(db, list, top.nodes)(block);
  const slots = top.slots.filter((slot) => slot.block === block);
  const counts = added(path.at(-1)?.counts ?? new Map(), ...slots.map((slot) => slot.counts));
  return {
    counts,
    slots,
    state: JSON.stringify([top.folds, slots.map((slot) => [slot.key.sk, slot.revision])]),
    folds: top.folds,
  };
}

/** How many records of each cell the block holds, by the index. */
async function countRecords(db: Database, list: BlockList, block: number): Promise<Counts> {
  const entries = await queryRange(db, entriesOf(list, block));
  const cells = new Map<FacetKey, number>();
  for (const { cell } of entries) cells.set(String(cell), (cells.get(String(cell)) ?? 0) + 1);
  return cells;
}

/** What has to be added to what is counted, so that it says what is stored. */
const differences = (counted: Counts, stored: Counts): Counts => added(stored, negated(counted));

/** The change of the block's first slot that adds what is missing. */
function correction(
  list: BlockList,
  { owner, block }: Block,
  slots: readonly CounterShard[],
  missing: Counts,
): Change {
  const key = shardKey(list, owner, block, 0);
  const last = slots.find((slot) => slot.key.sk === key.sk)?.revision;
  return {
    kind: "change",
    table,
    key,
    set: unfolded(block),
    add: { ...Object.fromEntries([...missing].map(([cell, by]) => [counter(cell), by])), [revision]: 1 },
    when: [
      last === undefined ? { attribute: revision, is: "absent" } : { attribute: revision, equals: last },
    ],
    rejection: stale,
  };
}
