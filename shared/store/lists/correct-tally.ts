import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../database.ts";
import { joined } from "../keys.ts";
import { getItem, type Lookup, queryRange, type RawItem } from "../reads.ts";
import { backOff } from "../retry.ts";
import { commit } from "../transact.ts";
import { type Change, stale } from "../writes.ts";
import type { BlockList } from "./definitions.ts";
import type { Cell } from "./facets.ts";
import { cellsOf, counter, revision, tallyKey } from "./tallies.ts";

/** A block of a list, and whose it is. */
export interface Block {
  readonly owner: string;
  readonly block: number;
}

/** Attempts to find a tally unchanged while its block is counted. */
const attempts = 200;

/**
 * Replaces a block's tally where it differs from what its records come to; answers whether it did.
 * Each count changes the tally's revision. The two are compared only where the revision stayed the same from before the
 * records were read until after, and the tally is replaced only where it still is. Of one transaction a query may see
 * the record sooner or later than the tally is seen, so there is a pause of `settle` milliseconds before it and after.
 */
export async function correctTally(
  db: Database,
  list: BlockList,
  { owner, block }: Block,
  settle: number,
): Promise<boolean> {
  const lookup = { table: list.table, key: tallyKey(list, owner, block) };
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const before = (await getItem(db, lookup)) ?? {};
    await sleep(settle);
    const cells = await cellsOfRecords(db, list, block);
    await sleep(settle);
    const after = (await getItem(db, lookup)) ?? {};
    if (before[revision] === after[revision]) {
      const change = correction(lookup, after, cells);
      if (change === undefined) return false;
      if ((await commit(db, [change])) === undefined) return true;
    }
    await backOff(Math.min(attempt, 3));
  }
  throw new Error(`block ${block} of ${owner} was written to without a pause; run this again`);
}

/** How many records of each cell the block holds, by the index. */
async function cellsOfRecords(
  db: Database,
  list: BlockList,
  block: number,
): Promise<ReadonlyMap<Cell, number>> {
  const entries = await queryRange(db, {
    table: list.table,
    pk: joined(list.name, block),
    index: { name: "cells", sortKey: "cell" },
  });
  const cells = new Map<Cell, number>();
  for (const { cell } of entries) cells.set(String(cell), (cells.get(String(cell)) ?? 0) + 1);
  return cells;
}

/** The change after which a tally says `cells`, without counters of other cells. Undefined where it says so already. */
function correction(lookup: Lookup, tally: RawItem, cells: ReadonlyMap<Cell, number>): Change | undefined {
  const counted = cellsOf(tally);
  const wrong = [...cells].filter(([cell, count]) => counted.get(cell) !== count);
  const gone = [...counted.keys()].filter((cell) => !cells.has(cell));
  if (wrong.length === 0 && gone.length === 0) return undefined;
  const last = tally[revision];
  return {
    kind: "change",
    ...lookup,
    set: Object.fromEntries(wrong.map(([cell, count]) => [counter(cell), count])),
    remove: gone.map(counter),
    add: { [revision]: 1 },
    when: [
      typeof last === "number"
        ? { attribute: revision, equals: last }
        : { attribute: revision, is: "absent" },
    ],
    refusal: stale,
  };
}
