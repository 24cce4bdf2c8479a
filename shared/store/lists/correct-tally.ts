import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../database.ts";
import { joined } from "../keys.ts";
import { getItem, type Lookup, queryRange, type RawItem } from "../reads.ts";
import { backOff } from "../retry.ts";
import { type Change, stale } from "../writes.ts";
import type { BlockList } from "./definitions.ts";
import type { Cell } from "./facets.ts";
import { type Block, isStored, type Limits } from "./rebuild-steps.ts";
import { cellsOf, counter, revision, tallyKey } from "./tallies.ts";

/** How many records there are of each cell. */
type Counts = ReadonlyMap<Cell, number>;

/** What a tally was found to be; it is right after either. */
export type Found = "right" | "wrong";

/**
 * Replaces a block's tally where it differs from what its records come to. Answers what it was, or undefined where writers
 * changed it without a pause until `until`. Counters of 0 say what absent ones say, so they are swept, and are not wrong.
 * Each count changes the tally's revision. The two are compared only where the revision stayed the same from before the
 * records were read until after, and the tally is replaced only where it still is. Of one transaction a query may see
 * the record sooner or later than the tally is seen, so there is a pause of `settle` before it and after.
 */
export async function correctTally(
  db: Database,
  list: BlockList,
  { owner, block }: Block,
  { settle, until }: Limits,
): Promise<Found | undefined> {
  const lookup = { table: list.table, key: tallyKey(list, owner, block) };
  for (let attempt = 1; ; attempt += 1) {
    const before = (await getItem(db, lookup)) ?? {};
    await sleep(settle);
    const cells = await cellsOfRecords(db, list, block);
    await sleep(settle);
    const after = (await getItem(db, lookup)) ?? {};
    if (before[revision] === after[revision]) {
      const wrong = differences(cellsOf(after), cells);
      const change = correction(lookup, after, wrong);
      const stored = await isStored(db, change === undefined ? [] : [change]);
      // Zeros that could not be swept do no harm.
      if (wrong.size === 0) return "right";
      if (stored) return "wrong";
    }
    if (performance.now() > until) return undefined;
    await backOff(Math.min(attempt, 3));
  }
}

/** How many records of each cell the block holds, by the index. */
async function cellsOfRecords(db: Database, list: BlockList, block: number): Promise<Counts> {
  const entries = await queryRange(db, {
    table: list.table,
    pk: joined(list.name, block),
    index: { name: "cells", sortKey: "cell" },
  });
  const cells = new Map<Cell, number>();
  for (const { cell } of entries) cells.set(String(cell), (cells.get(String(cell)) ?? 0) + 1);
  return cells;
}

/** The cells that a tally counts wrongly, and how many records each of them has. */
function differences(counted: Counts, stored: Counts): Counts {
  const cells = [...new Set([...counted.keys(), ...stored.keys()])];
  const right = cells.map((cell) => [cell, stored.get(cell) ?? 0] as const);
  return new Map(right.filter(([cell, count]) => count !== (counted.get(cell) ?? 0)));
}

/** The change after which a tally says what is right of its `wrong` cells, and has no counter of 0. Undefined for none. */
function correction(lookup: Lookup, tally: RawItem, wrong: Counts): Change | undefined {
  const zeros = [...new Map([...cellsOf(tally), ...wrong])].filter(([, count]) => count === 0);
  if (wrong.size === 0 && zeros.length === 0) return undefined;
  const filled = [...wrong].filter(([, count]) => count !== 0);
  const last = tally[revision];
  return {
    kind: "change",
    ...lookup,
    set: Object.fromEntries(filled.map(([cell, count]) => [counter(cell), count])),
    remove: zeros.map(([cell]) => counter(cell)),
    add: { [revision]: 1 },
    when: [
      typeof last === "number"
        ? { attribute: revision, equals: last }
        : { attribute: revision, is: "absent" },
    ],
    refusal: stale,
  };
}
