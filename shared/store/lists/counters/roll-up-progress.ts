import * as z from "zod/mini";
import * as plain from "../../../common/plain.ts";
import type { Database } from "../../dynamodb/database.ts";
import type { Key } from "../../dynamodb/keys.ts";
import { getItem, type RawItem } from "../../dynamodb/reads.ts";
import { type Change, stale } from "../../dynamodb/writes.ts";
import type { Named } from "../definitions.ts";
import { ownerPartition, talliesTable } from "./counters.ts";

/**
 * How far an owner's folds have come. `count` rises by one as a fold begins and by one as it ends, so it is odd while a
 * fold is under way. A query may see a transaction in part, yet not once the transaction has ended. So reads belong
 * together where they lie between two equal numbers, and no fold is under way.
 */
export interface Folds {
  readonly count: number;
  /** When the latest fold began, in epoch milliseconds. */
  readonly began: number;
}

/**
 * Milliseconds after which a fold is no longer under way: whoever began it has died, or given up. Readers wait that long
 * at most, which is less than they may.
 */
export const maxFoldMs = 2_500;

/** Whether a fold is under way. */
export const isFolding = ({ count, began }: Folds): boolean =>
  count % 2 === 1 && Date.now() < began + maxFoldMs;

/** Where it lies how far an owner's folds have come. */
export const foldsKey = (list: Named, owner: string): Key => ({
  pk: ownerPartition(list, owner),
  sk: "folds",
});

/** Has an owner's folds go on from what was seen of them; stale where they have gone on since. */
export const goOn = (list: Named, owner: string, seen: Folds, next: Folds): Change => ({
  kind: "change",
  table: talliesTable,
  key: foldsKey(list, owner),
  set: { ...next },
  when: [
    seen.count === 0 ? { attribute: "count", is: "absent" } : { attribute: "count", equals: seen.count },
  ],
  refusal: stale,
});

const foldsItem = z.object({ count: plain.int, began: plain.int });

/** What the item says of the folds; none has begun without it. */
export const parseFolds = (item: RawItem | undefined): Folds =>
  item === undefined ? { count: 0, began: 0 } : z.parse(foldsItem, item);

/** How far the owner's folds have come by now. */
export const foldsOf = async (db: Database, list: Named, owner: string): Promise<Folds> =>
  parseFolds(await getItem(db, { table: talliesTable, key: foldsKey(list, owner) }));
