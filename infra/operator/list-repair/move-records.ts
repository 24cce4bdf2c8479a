import { clock } from "../../../shared/common/clock.ts";
import { inBatches } from "../../../shared/common/concurrency.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { keyIn } from "../../../shared/store/dynamodb/keys.ts";
import { queryPages } from "../../../shared/store/dynamodb/reads.ts";
import { isCommitted } from "../../../shared/store/dynamodb/transact.ts";
import { type Change, still } from "../../../shared/store/dynamodb/writes.ts";
import { Unreadable } from "../../../shared/store/layouts/layouts.ts";
import { blockItems } from "../../../shared/store/lists/block-list.ts";
import { countMove } from "../../../shared/store/lists/counters/counters.ts";
import {
  type FacetKey,
  facetKeyAttribute,
  isListedRecord,
  type ListedRecord,
} from "../../../shared/store/lists/facets.ts";
import type { RecordList } from "../../../shared/store/lists/repository.ts";
import type { Block } from "./all-blocks.ts";

/** Records per query. DynamoDB returns up to 1 MB at once. */
const pageSize = 100;

/** Records per transaction. With more, a concurrent writer is likelier to make the whole transaction fail. */
const maxMoves = 20;

/** How many records were moved, and whether all with a wrong facet key were. */
interface Moved {
  readonly moved: number;
  readonly complete: boolean;
}

/**
 * Reads a block once, page by page, and moves its records from their stored facet keys to the correct ones.
 * If a writer changes a record meanwhile, its transaction fails, and the block must be read again. Writers
 * store correct facet keys, so each pass leaves fewer, and the whole block is correct after a complete pass.
 * A pass that can no longer be complete stops at `until`, by `clock`.
 */
export async function moveRecords(
  db: Database,
  recordList: RecordList,
  { owner, block }: Block,
  { until, looksOnly }: { readonly until: number; readonly looksOnly: boolean },
): Promise<Moved> {
  const { list } = recordList;
  const firstId = block * list.blockSize;
  let [moved, complete] = [0, true];
  for await (const items of queryPages(db, blockItems(list, block), pageSize)) {
    const records = items.filter(isListedRecord);
    const moves = records.map((item) => moveOf(recordList, item)).filter(({ from, to }) => from !== to);
    if (looksOnly) moved += moves.length;
    for (const chosen of looksOnly ? [] : inBatches(moves, maxMoves)) {
      const stored = await isCommitted(
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

/** Moves a record that no writer has changed. @throws Unreadable if the item is no record of the list */
function moveOf({ list, facetKeyOfItem }: RecordList, item: ListedRecord): Move {
  const key = keyIn(item);
  const from = item[facetKeyAttribute];
  const when = [still(facetKeyAttribute, from), still("version", item["version"])];
  try {
    const to = facetKeyOfItem(item);
    const set = { [facetKeyAttribute]: to };
    return { from, to, change: { kind: "change", table: list.table, key, set, when } };
  } catch (cause) {
    throw new Unreadable(`the item ${key.pk} ${key.sk} is no record of its list`, { cause });
  }
}
