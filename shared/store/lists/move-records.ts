import type { Database } from "../database.ts";
import { joined } from "../keys.ts";
import { queryPages, type RawItem } from "../reads.ts";
import { commit } from "../transact.ts";
import { type Change, type Condition, stale } from "../writes.ts";
import type { Block } from "./correct-tally.ts";
import type { Cell } from "./facets.ts";
import type { Listed } from "./records.ts";
import { tallyMove } from "./tallies.ts";

/** Records read at a time. DynamoDB hands out at most 1 MB at once, however large they are. */
const pageSize = 100;

/** Records moved in one transaction. More would meet writers more often, and then none of them is moved. */
const together = 20;

/**
 * Moves the block's records from the cells that they are stored in to those that they belong to, and answers how many.
 * A record that a writer changed meanwhile keeps its transaction from being stored. Then the block is read again, as
 * often as it takes: the writer has put that record into the right cell, so each time fewer are left.
 */
export async function moveRecords(db: Database, listed: Listed, place: Block): Promise<number> {
  let moved = 0;
  for (;;) {
    const pass = await passOver(db, listed, place);
    moved += pass.moved;
    if (pass.left === 0) return moved;
  }
}

/** How many records were moved, and how many were left in a wrong cell because something was changed meanwhile. */
interface Pass {
  readonly moved: number;
  readonly left: number;
}

/**
 * Reads the block once, page by page, and moves what each page has in a wrong cell. Where none is left, the whole block
 * is right: writers put what they store meanwhile into the right cell, behind this pass as well as before it.
 */
async function passOver(db: Database, listed: Listed, { owner, block }: Block): Promise<Pass> {
  const { list } = listed;
  const firstId = block * list.blockSize;
  const pass = { moved: 0, left: 0 };
  const range = { table: list.table, pk: joined(list.name, block) };
  for await (const items of queryPages(db, range, pageSize)) {
    const moves = items.map((item) => moveOf(listed, item)).filter(({ from, to }) => from !== to);
    for (let start = 0; start < moves.length; start += together) {
      const chosen = moves.slice(start, start + together);
      const broken = await commit(
        db,
        chosen.flatMap(({ change, from, to }) => [change, ...tallyMove(list, owner, firstId, from, to)]),
      );
      pass[broken === undefined ? "moved" : "left"] += chosen.length;
    }
  }
  return pass;
}

interface Move {
  readonly from: Cell;
  readonly to: Cell;
  readonly change: Change;
}

/** A record's move from its stored cell to the one it belongs to: on the condition that no writer has changed either. */
function moveOf({ list, cellOfItem }: Listed, item: RawItem): Move {
  const { pk, sk, cell: from, version } = item;
  if (typeof pk !== "string" || typeof sk !== "string" || typeof from !== "string")
    throw new Error(`an item of ${list.name} records lacks its key or cell`);
  const to = parsedCell(cellOfItem, item, `${pk} ${sk}`);
  const when: readonly Condition[] = [
    { attribute: "cell", equals: from },
    typeof version === "number"
      ? { attribute: "version", equals: version }
      : { attribute: "version", is: "absent" },
  ];
  const change: Change = {
    kind: "change",
    table: list.table,
    key: { pk, sk },
    set: { cell: to },
    when,
    refusal: stale,
  };
  return { from, to, change };
}

/** @throws where the item is no record, and says which it is */
function parsedCell(cellOfItem: Listed["cellOfItem"], item: RawItem, place: string): Cell {
  try {
    return cellOfItem(item);
  } catch (cause) {
    throw new Error(`the item ${place} is no record of its list`, { cause });
  }
}
