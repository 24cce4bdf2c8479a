/**
 * Moves stored data to the layout of this release, while the service is in use. A run resumes one that was
 * interrupted. Then `complete-indexes.ts` adds the records to new lookup indexes.
 *
 * Expand: the release before learned to read the layout, and this one writes it. Backfill: items of the
 * previous layout are moved one by one, and the deployment's record holds the position. Contract: once a
 * whole pass has found none, the record says that the layout is reached, and the release before is refused.
 */
import * as z from "zod/mini";
import { forEachConcurrently } from "../../shared/common/concurrency.ts";
import * as primitive from "../../shared/common/primitives.ts";
import { tryChange } from "../../shared/store/dynamodb/change-one.ts";
import type { Database } from "../../shared/store/dynamodb/database.ts";
import { keyIn, storedKey } from "../../shared/store/dynamodb/keys.ts";
import type { RawItem } from "../../shared/store/dynamodb/reads.ts";
import { type ScanPosition, scanFrom } from "../../shared/store/dynamodb/scan.ts";
import { transact } from "../../shared/store/dynamodb/transact.ts";
import { type Change, exists, still } from "../../shared/store/dynamodb/writes.ts";
import {
  deploymentLookup,
  parseDeployment,
  readDeploymentItem,
} from "../../shared/store/layouts/deployment.ts";
import {
  layoutAttribute,
  type MovedKind,
  movedKinds,
  picked,
  toBeMoved,
} from "../../shared/store/layouts/layouts.ts";
import { type TableName, tableNames } from "../../shared/store/tables.ts";
import { completeIndexes, type Migration, untilEnded } from "./complete-indexes.ts";

/**
 * How long the previous release may still write its layout: the longest run takes 50 s, and the sagas that it
 * leaves are finished within a minute.
 */
const usualSettleMs = 120_000;

export interface Migrated {
  /** Items that were read, and those that were moved. */
  readonly read: number;
  readonly moved: number;
  /** Records that were added to lookup indexes. */
  readonly indexed: number;
}

const progressItem = z.object({
  /** Where the backfill continues, in the order of the tables. */
  backfill: z.optional(z.object({ table: z.enum(tableNames), after: storedKey })),
  backfilled: z.optional(primitive.boolean),
});

/**
 * Moves all items of the previous layout, and completes the lookup indexes that this release added. If the
 * layout is reached already, it still looks for items to move: a table that was restored from an older backup
 * has them.
 * @throws if the deployment changed meanwhile: it can be run again
 */
export async function migrate(migration: Migration): Promise<Migrated> {
  const counts = await moveToLayout(migration);
  return { ...counts, indexed: await completeIndexes(migration) };
}

async function moveToLayout(migration: Migration): Promise<Counts> {
  const { db, note, settleMs = usualSettleMs } = migration;
  const { current } = db.layouts;
  const counts = { read: 0, moved: 0 };
  const deployment = parseDeployment(await readDeploymentItem(db));
  if (deployment === undefined || movedKinds(db.layouts).length === 0) return counts;
  if (migration.dryRun === true) {
    const moved = await moveAll(migration, counts);
    return { ...counts, moved };
  }
  const isReached = deployment.layout === current;
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
async function backfill(migration: Migration, counts: Counts): Promise<void> {
  const { db, note } = migration;
  const { backfill: from, backfilled } = z.parse(progressItem, await readDeploymentItem(db));
  if (backfilled === true) return;
  note("Items of the previous layout are moved.");
  await moveAll(migration, counts, { isNoted: true, from });
  await saveProgress(db, { set: { backfilled: true }, remove: ["backfill"], when: [] });
}

/** Counts as a run goes on. */
interface Counts {
  read: number;
  moved: number;
}

interface Place {
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
  counts: Counts,
  { isNoted = false, from }: { readonly isNoted?: boolean; readonly from?: Place | undefined } = {},
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
      await forEachConcurrently(migration.dryRun === true ? [] : old, async ({ kind, item }) => {
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
    set: { ...upcast(picked(item, from)), [layoutAttribute]: layout },
    remove: [...from],
    when: [
      exists,
      still(layoutAttribute, previous === 1 ? undefined : previous),
      ...from.map((name) =>
        name in item ? { attribute: name, equalsValue: item[name] } : still(name, undefined),
      ),
    ],
  };
  return "changed" in (await tryChange(db, write));
}
