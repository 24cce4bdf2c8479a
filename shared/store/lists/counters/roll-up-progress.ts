/**
 * The progress of an owner's roll-ups: a count that is odd while one is in progress. Reads are consistent
 * with each other if they lie between two equal counts.
 *
 * | write                                  | the count | what relies on it                                  |
 * | a roll-up begins                       | to odd    | readers, repairs and other roll-ups wait           |
 * | nodes change (`nodeWrites`): roll-ups, | by 2      | reads on both sides of it differ in the count, and |
 * | and repairs of nodes and of counts     |           | what was planned before it is not stored           |
 * | a roll-up ends                         | to even   | its transaction is visible as a whole              |
 * | a block is leased                      | stays     | its node has no counts yet                         |
 *
 * A transaction may be stored after its roll-up counts as abandoned, while an odd count no longer keeps
 * readers away. It moves the count itself, and readers at an odd count allow it time to become visible.
 */
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import * as primitive from "../../../common/primitives.ts";
import type { Key } from "../../dynamodb/keys.ts";
import { getItem, type RawItem } from "../../dynamodb/reads.ts";
import { type Change, still, type Write } from "../../dynamodb/writes.ts";
import type { NamedList, OwnedCounters } from "../block-list.ts";
import { countersTable, ownerPartition } from "./counters.ts";

const rollUpProgress = z.object({
  count: primitive.int,
  /** When the latest roll-up began, in epoch milliseconds. */
  began: primitive.int,
});
export type RollUpProgress = Readonly<z.output<typeof rollUpProgress>>;

/** A longer roll-up counts as abandoned. Readers wait no longer, within their own limit. */
export const maxRollUpMs = 2_500;

/** Whether a roll-up has begun and not ended: it is in progress, or was abandoned. */
const isUnended = ({ count }: RollUpProgress): boolean => count % 2 === 1;

export const isRollingUp = (progress: RollUpProgress): boolean =>
  isUnended(progress) && Date.now() < progress.began + maxRollUpMs;

export const rollUpProgressKey = (list: NamedList, owner: string): Key => ({
  pk: ownerPartition(list, owner),
  sk: "folds",
});

/** Advances an owner's roll-up progress; stale if it has moved since it was read. */
export const advanceProgress = (
  { list, owner }: Pick<OwnedCounters, "list" | "owner">,
  seen: RollUpProgress,
  next: RollUpProgress,
): Change => ({
  kind: "change",
  table: countersTable,
  key: rollUpProgressKey(list, owner),
  set: { ...next },
  when: [still("count", seen.count === 0 ? undefined : seen.count)],
});

/** The progress once a roll-up has begun, which may follow an abandoned one. */
export const begunProgress = (seen: RollUpProgress): RollUpProgress => ({
  count: seen.count + (isUnended(seen) ? 2 : 1),
  began: Date.now(),
});

export const movedProgress = (seen: RollUpProgress): RollUpProgress => ({ ...seen, count: seen.count + 2 });

export const endedProgress = (seen: RollUpProgress): RollUpProgress => ({ ...seen, count: seen.count + 1 });

/** All writes of a transaction that changes nodes or corrects counts; stale if the progress has moved. */
export const nodeWrites = (
  owned: Pick<OwnedCounters, "list" | "owner">,
  seen: RollUpProgress,
  writes: readonly Write[],
): readonly Write[] => [advanceProgress(owned, seen, movedProgress(seen)), ...writes];

/** Without the item, no roll-up has begun. */
export const parseProgress = (item: RawItem | undefined): RollUpProgress =>
  item === undefined ? { count: 0, began: 0 } : z.parse(rollUpProgress, item);

/** How far apart the writes of a transaction may become visible. */
const visibleMs = 100;

/**
 * After an abandoned roll-up, waits until its transaction, which may be stored just now, is visible as a
 * whole.
 * @returns whether a roll-up was abandoned
 */
export async function settleIfUnended(progress: RollUpProgress): Promise<boolean> {
  if (!isUnended(progress)) return false;
  await sleep(visibleMs);
  return true;
}

/** Whether no roll-up or repair has changed nodes since the progress was read. */
export async function isUnmoved({ db, list, owner }: OwnedCounters, seen: RollUpProgress): Promise<boolean> {
  await settleIfUnended(seen);
  const item = await getItem(db, { table: countersTable, key: rollUpProgressKey(list, owner) });
  return parseProgress(item).count === seen.count;
}
