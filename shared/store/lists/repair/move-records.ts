import { clock } from "../../../common/clock.ts";
import type { Database } from "../../dynamodb/database.ts";
import type { Key } from "../../dynamodb/keys.ts";
import { queryPages, type RawItem } from "../../dynamodb/reads.ts";
import { backOff } from "../../dynamodb/retry.ts";
import { Unreadable } from "../../dynamodb/unreadable.ts";
import { type Change, type Condition, stale } from "../../dynamodb/writes.ts";
import { itemsOf } from "../block-list.ts";
import { countMove } from "../counters/counters.ts";
import type { FacetKey } from "../facets.ts";
import type { Listed } from "../records.ts";
import { type Block, isStored, type Limits } from "./rebuild-context.ts";

/** Records read at a time. DynamoDB hands out at most 1 MB at once, however large they are. */
const pageSize = 100;

/** Records moved in one transaction. More would meet writers more often, and then none of them is moved. */
const together = 20;

/** What came of moving a block's records: how many were moved, and whether all that were in a wrong cell were. */
interface Moved {
  readonly moved: number;
  readonly complete: boolean;
}

/**
 * Moves the block's records from the cells that they are stored in to those that they belong to. A record that a writer
 * changed meanwhile keeps its transaction from being stored. Then the block is read again, until `until`: the writer
 * has put that record into the right cell, so each time fewer are left.
 */
export async function moveRecords(
  db: Database,
  listed: Listed,
  place: Block,
  { until, looksOnly = false }: Pick<Limits, "until" | "looksOnly">,
): Promise<Moved> {
  let moved = 0;
  for (let attempt = 1; ; attempt += 1) {
    const pass = await passOver(db, listed, place, { until, looksOnly });
    moved += pass.moved;
    if (pass.complete || clock() > until) return { ...pass, moved };
    await backOff(Math.min(attempt, 3));
  }
}

/**
 * Reads the block once, page by page, and moves what each page has in a wrong cell. After a complete pass the whole
 * block is right: writers put what they store into the right cell, wherever the pass has got to. A pass that can't be
 * complete any more ends at `until`.
 */
async function passOver(
  db: Database,
  listed: Listed,
  { owner, block }: Block,
  { until, looksOnly }: Required<Pick<Limits, "until" | "looksOnly">>,
): Promise<Moved> {
  const { list } = listed;
  const firstId = block * list.blockSize;
  let [moved, complete] = [0, true];
  for await (const items of queryPages(db, itemsOf(list, block), pageSize)) {
    // What has no cell is not listed: slots, and items that are to become records.
    const records = items.filter(({ cell }) => cell !== undefined);
    const moves = records.map((item) => moveOf(listed, item)).filter(({ from, to }) => from !== to);
    if (looksOnly) moved += moves.length;
    for (let start = 0; start < moves.length && !looksOnly; start += together) {
      const chosen = moves.slice(start, start + together);
      const stored = await isStored(
        db,
        chosen.flatMap(({ change, from, to }) => [change, ...countMove(list, owner, firstId, from, to)]),
      );
      if (stored) moved += chosen.length;
      else complete = false;
      if (!complete && clock() > until) return { moved, complete };
    }
  }
  return { moved, complete };
}

interface Move {
  readonly from: FacetKey;
  readonly to: FacetKey;
  readonly change: Change;
}

/** A record's move from its stored cell to the one it belongs to: on the condition that no writer has changed either. */
function moveOf({ list, facetKeyOfItem }: Listed, item: RawItem): Move {
  const { pk, sk, cell: from, version } = item;
  if (typeof pk !== "string" || typeof sk !== "string" || typeof from !== "string")
    throw new Error(`an item of ${list.name} records lacks its key or cell`);
  const to = parsedFacetKey(facetKeyOfItem, item, { pk, sk });
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
    rejection: stale,
  };
  return { from, to, change };
}

/** An item lies among the records of a list, and can't be read as one. */
export class NoRecord extends Unreadable {
  override readonly name = "NoRecord";
  readonly key: Key;

  constructor(key: Key, cause: unknown) {
    super(`the item ${key.pk} ${key.sk} is no record of its list`, { cause });
    this.key = key;
  }
}

/** @throws NoRecord */
function parsedFacetKey(facetKeyOfItem: Listed["facetKeyOfItem"], item: RawItem, key: Key): FacetKey {
  try {
    return facetKeyOfItem(item);
  } catch (cause) {
    throw new NoRecord(key, cause);
  }
}
