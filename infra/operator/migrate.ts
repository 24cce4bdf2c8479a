/**
 * Moves stored data to the layout of this release, while the service is in use. A run resumes one that was
 * interrupted. Then it adds the records of earlier releases to new lookup indexes, from the start of each.
 *
 * Expand: the release before learned to read the layout, and this one writes it. Backfill: items of the
 * previous layout are moved one by one, and the deployment's record holds the position. Contract: once a
 * whole pass has found none, the record says that the layout is reached, and the release before is refused.
 */

import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import { forEachConcurrently } from "../../shared/common/concurrency.ts";
import * as primitive from "../../shared/common/primitives.ts";
import { tryChange } from "../../shared/store/dynamodb/change-one.ts";
import type { Database } from "../../shared/store/dynamodb/database.ts";
import { joined, keyIn, storedKey } from "../../shared/store/dynamodb/keys.ts";
import { getItem, getItems, type Lookup, type RawItem } from "../../shared/store/dynamodb/reads.ts";
import { transact, untilFresh } from "../../shared/store/dynamodb/transact.ts";
import {
  type Change,
  exists,
  type Insert,
  lookupOf,
  still,
  unchanged,
} from "../../shared/store/dynamodb/writes.ts";
import { type Deployment, deploymentLookup, parseDeployment } from "../../shared/store/layouts/deployment.ts";
import {
  layoutAttribute,
  type MovedKind,
  movedKinds,
  pickAttributes,
  toBeMoved,
} from "../../shared/store/layouts/layouts.ts";
import { isUnreadable } from "../../shared/store/layouts/unreadable.ts";
import { facetKeyAttribute, isListedRecord, type ListedRecord } from "../../shared/store/lists/facets.ts";
import { type TableName, tableNames } from "../../shared/store/tables.ts";
import { incompleteIndexes, type LaterIndex } from "../data-model/later-indexes.ts";
import { type ScanPosition, scanFrom } from "../data-model/scan.ts";

/**
 * How long the previous release may still write its layout: the longest run takes 50 s, and the sagas that it
 * leaves are finished within a minute.
 */
const layoutSettleMs = 120_000;

/**
 * How long functions of the previous release may go on storing records, in milliseconds, after the stacks are
 * deployed: the longest run takes 50 s.
 */
const indexSettleMs = 60_000;

/** How stored data are migrated. A dry run of the store counts what would be stored. */
interface Migration {
  readonly db: Database;
  readonly settleMs?: number;
  readonly note: (line: string) => void;
  /** Called with the number of items of each page that was read. */
  readonly onPage: (items: number) => void;
}

/** Waits until functions of the previous release have ended. */
async function untilEnded({ note }: Pick<Migration, "note">, settleMs: number): Promise<void> {
  note(`Functions of the previous release end within ${Math.ceil(settleMs / 1000)} s.`);
  await sleep(settleMs);
}

const progressItem = z.object({
  /** Where the backfill continues, in the order of the tables. */
  backfill: z.optional(z.object({ table: z.enum(tableNames), after: storedKey })),
  backfilled: z.optional(primitive.boolean),
});

/** The record of what is deployed; undefined before the first deployment. */
export const readDeployment = async (db: Database): Promise<Deployment | undefined> =>
  parseDeployment(await getItem(db, deploymentLookup));

/**
 * Moves all items of the previous layout, and completes the lookup indexes that this release added. If the
 * layout is reached already, it still looks for items to move: a table that was restored from an older backup
 * has them.
 * @returns how many items were `read` and `moved`, and how many records were added to lookup indexes
 * @throws if the deployment changed meanwhile: it can be run again
 */
export async function migrate(migration: Migration) {
  const counts = await moveToLayout(migration);
  return { ...counts, indexed: await completeIndexes(migration) };
}

async function moveToLayout(migration: Migration): Promise<MoveCounts> {
  const { db, note, settleMs = layoutSettleMs } = migration;
  const { current } = db.layouts;
  const counts = { read: 0, moved: 0 };
  const deployment = await readDeployment(db);
  if (deployment === undefined || movedKinds(db.layouts).length === 0) return counts;
  if (db.dryRun !== undefined) {
    const moved = await moveAll(migration, counts);
    return { ...counts, moved };
  }
  const isReached = deployment.data_layout === current;
  if (!isReached) {
    await untilEnded(migration, settleMs);
    await backfill(migration, counts);
  }
  note("All items are looked at once more.");
  while ((await moveAll(migration, counts)) > 0) note("Some were left, and are moved.");
  if (!isReached)
    await saveProgress(db, {
      set: { data_layout: current },
      remove: ["backfilled"],
      when: [{ attribute: "release_layout", equals: current }],
    });
  return counts;
}

/** Moves items of the previous layout, from where an earlier run was interrupted. */
async function backfill(migration: Migration, counts: MoveCounts): Promise<void> {
  const { db, note } = migration;
  const { backfill: from, backfilled } = z.parse(progressItem, await getItem(db, deploymentLookup));
  if (backfilled === true) return;
  note("Items of the previous layout are moved.");
  await moveAll(migration, counts, { isNoted: true, from });
  await saveProgress(db, { set: { backfilled: true }, remove: ["backfill"], when: [] });
}

interface MoveCounts {
  read: number;
  moved: number;
}

interface ScanStart {
  readonly table: TableName;
  readonly after: ScanPosition;
}

const saveProgress = (db: Database, change: Pick<Change, "set" | "remove" | "when">): Promise<void> =>
  transact(db, [{ kind: "change", ...deploymentLookup, ...change }]);

/**
 * Moves the items of the previous layout in all tables that may have some. The backfill stores its position.
 * @returns how many items had the previous layout
 */
async function moveAll(
  migration: Migration,
  counts: MoveCounts,
  { isNoted = false, from }: { readonly isNoted?: boolean; readonly from?: ScanStart | undefined } = {},
): Promise<number> {
  const { db, onPage } = migration;
  const tables = tableNames.filter((table) => movedKinds(db.layouts).some((kind) => kind.table === table));
  let found = 0;
  for (const table of tables.slice(from === undefined ? 0 : tables.indexOf(from.table))) {
    const start = from?.table === table ? from.after : undefined;
    for await (const { items, position } of scanFrom(db, table, start)) {
      const old = items.flatMap((item) => {
        const kind = toBeMoved(db.layouts, table, item);
        return kind === undefined ? [] : [{ kind, item }];
      });
      await forEachConcurrently(db.dryRun === undefined ? old : [], async ({ kind, item }) => {
        if (await moveItem(db, kind, item)) counts.moved += 1;
      });
      found += old.length;
      counts.read += items.length;
      onPage(items.length);
      if (isNoted && position !== undefined)
        await saveProgress(db, { set: { backfill: { table, after: position } }, when: [] });
    }
  }
  return found;
}

/**
 * Moves an item to the layout of its kind. Writes only the attributes of the change, and only if they are as
 * they were read, so that no concurrent change is lost.
 * @returns false if the item has changed since
 */
async function moveItem(
  db: Database,
  { table, layout, change: { previous, from, upcast } }: MovedKind,
  item: RawItem,
): Promise<boolean> {
  const write: Change = {
    kind: "change",
    table,
    key: keyIn(item),
    set: { ...upcast(pickAttributes(item, from)), [layoutAttribute]: layout },
    remove: [...from],
    when: [
      exists,
      still(layoutAttribute, previous === 1 ? undefined : previous),
      ...from.map((name) => still(name, item[name])),
    ],
  };
  return "changed" in (await tryChange(db, write));
}

/**
 * Completes the indexes, and records that they are complete. @returns the entries that were added
 * @throws if another release is deployed meanwhile: it can be run again
 */
async function completeIndexes(migration: Migration): Promise<number> {
  const { db, note, settleMs = indexSettleMs } = migration;
  const isDry = db.dryRun !== undefined;
  const incomplete = await incompleteIndexes(db);
  if (incomplete.length > 0 && settleMs > 0 && !isDry) await untilEnded(migration, settleMs);
  let added = 0;
  for (const index of incomplete) {
    const deployment = await readDeployment(db);
    if (deployment === undefined) return added;
    note(`Records are added to the index ${index.name}.`);
    added += await addMissing(migration, index);
    if (!isDry) await recordComplete(db, deployment, index);
  }
  return added;
}

/** Adds the missing entries of an index. @returns how many were missing */
async function addMissing({ db, onPage }: Migration, { list, entryOf }: LaterIndex): Promise<number> {
  let missing = 0;
  for await (const { items } of scanFrom(db, list.table)) {
    const records = items
      .filter(isListedRecord)
      .filter(({ pk }) => String(pk).startsWith(joined(list.name, "")))
      .flatMap((record) => {
        try {
          return [{ record, entry: entryOf(record) }];
        } catch (error) {
          if (!isUnreadable(error)) throw error;
          // Nothing shows an unreadable record. `data verify` names it, and adds its entry once it is
          // readable.
          return [];
        }
      });
    const find = await getItems(
      db,
      records.map(({ entry }) => lookupOf(entry)),
    );
    const without = records.filter(({ entry }) => find(lookupOf(entry)) === undefined);
    missing += without.length;
    await forEachConcurrently(db.dryRun === undefined ? without : [], ({ record, entry }) =>
      add(db, { table: list.table, key: keyIn(record) }, record, entry),
    );
    onPage(items.length);
  }
  return missing;
}

/** Adds an entry unless another run has added it. Its record must still be there. */
const add = (db: Database, place: Lookup, record: ListedRecord, entry: Insert): Promise<void> =>
  untilFresh(db, async () => {
    const find = await getItems(db, [lookupOf(entry)]);
    if (find(lookupOf(entry)) === undefined)
      await transact(db, [entry, unchanged(place, { [facetKeyAttribute]: record[facetKeyAttribute] })]);
  });

const recordComplete = async (
  db: Database,
  { release, complete_indexes }: Deployment,
  { name }: LaterIndex,
): Promise<void> => {
  const set = { complete_indexes: [...complete_indexes, name], indexes_release: release };
  const when = [{ attribute: "release", equals: release }];
  await transact(db, [{ kind: "change", ...deploymentLookup, set, when }]);
  await db.layouts.refresh();
};
