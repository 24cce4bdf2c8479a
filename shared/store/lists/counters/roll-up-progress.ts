import * as z from "zod/mini";
import * as primitive from "../../../common/primitives.ts";
import type { Database } from "../../dynamodb/database.ts";
import type { Key } from "../../dynamodb/keys.ts";
import { getItem, type RawItem } from "../../dynamodb/reads.ts";
import { type Change, stale } from "../../dynamodb/writes.ts";
import type { Named } from "../definitions.ts";
import { countersTable, ownerPartition } from "./counters.ts";

/**
 * How far an owner's folds have come. `count` rises by one as a fold begins and by one as it ends, so it is odd while a
 * fold is under way. A query may see a transaction in part, yet not once the transaction has ended. So reads belong
 * together where they lie between two equal numbers, and no fold is under way.
 */
export interface RollUpProgress {
  readonly count: number;
  /** When the latest fold began, in epoch milliseconds. */
  readonly began: number;
}

/**
 * Milliseconds after which a fold is no longer under way: whoever began it has died, or given up. Readers wait that long
 * at most, which is less than they may.
 */
export const maxRollUpMs = 2_500;

/** Whether a fold is under way. */
export const isRollingUp = ({ count, began }: RollUpProgress): boolean =>
  count % 2 === 1 && Date.now() < began + maxRollUpMs;

/** Where it lies how far an owner's folds have come. */
export const rollUpProgressKey = (list: Named, owner: string): Key => ({
  pk: ownerPartition(list, owner),
  sk: "folds",
});

/** Has an owner's folds go on from what was seen of them; stale where they have gone on since. */
export const advanceProgress = (
  list: Named,
  owner: string,
  seen: RollUpProgress,
  next: RollUpProgress,
): Change => ({
  kind: "change",
  table: countersTable,
  key: rollUpProgressKey(list, owner),
  set: { ...next },
  when: [
    seen.count === 0 ? { attribute: "count", is: "absent" } : { attribute: "count", equals: seen.count },
  ],
  rejection: stale,
});

const rollUpProgressItem = z.object({ count: primitive.int, began: primitive.int });

/** What the item says of the folds; none has begun without it. */
export const parseProgress = (item: RawItem | undefined): RollUpProgress =>
  item === undefined ? { count: 0, began: 0 } : z.parse(rollUpProgressItem, item);

/** How far the owner's folds have come by now. */
export const readProgress = async (db: Database, list: Named, owner: string): Promise<RollUpProgress> =>
  parseProgress(await getItem(db, { table: countersTable, key: rollUpProgressKey(list, owner) }));
