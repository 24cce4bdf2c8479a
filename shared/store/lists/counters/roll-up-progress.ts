import * as z from "zod/mini";
import * as primitive from "../../../common/primitives.ts";
import type { Key } from "../../dynamodb/keys.ts";
import { getItem, type RawItem } from "../../dynamodb/reads.ts";
import { type Change, still } from "../../dynamodb/writes.ts";
import type { NamedList, OwnedCounters } from "../block-list.ts";
import { countersTable, ownerPartition } from "./counters.ts";

/**
 * The progress of an owner's roll-ups. `count` is incremented when a roll-up begins and when it ends, so it
 * is odd while one is in progress. A query may see a part of a transaction in progress. So reads are
 * consistent with each other if they lie between two equal, even counts.
 */
const rollUpProgress = z.object({
  count: primitive.int,
  /** When the latest roll-up began, in epoch milliseconds. */
  began: primitive.int,
});
export type RollUpProgress = Readonly<z.output<typeof rollUpProgress>>;

/** A longer roll-up counts as abandoned. Readers wait no longer, within their own limit. */
export const maxRollUpMs = 2_500;

export const isRollingUp = ({ count, began }: RollUpProgress): boolean =>
  count % 2 === 1 && Date.now() < began + maxRollUpMs;

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

/** Without the item, no roll-up has begun. */
export const parseProgress = (item: RawItem | undefined): RollUpProgress =>
  item === undefined ? { count: 0, began: 0 } : z.parse(rollUpProgress, item);

export const readProgress = async ({ db, list, owner }: OwnedCounters): Promise<RollUpProgress> =>
  parseProgress(await getItem(db, { table: countersTable, key: rollUpProgressKey(list, owner) }));
