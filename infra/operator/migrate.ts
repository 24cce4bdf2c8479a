/**
 * Moves stored data to the layout of this release, while the service is in use. A run that was stopped is resumed by the next one.
 *
 * Expand: the deployment's record says that items are written in the new layout from now on. Functions notice within `settle`; what
 * is read has been either layout since the release was deployed. Backfill: items of the previous layout are moved one by one, and
 * the record says how far that has come. Contract: once a whole look has found none, the record says that the layout is reached.
 */
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import { forEachConcurrently } from "../../shared/common/concurrency.ts";
import * as primitive from "../../shared/common/primitives.ts";
import type { Database } from "../../shared/store/dynamodb/database.ts";
import { storedKey } from "../../shared/store/dynamodb/keys.ts";
import type { RawItem } from "../../shared/store/dynamodb/reads.ts";
import { type ScanPosition, scanFrom } from "../../shared/store/dynamodb/scan.ts";
import { transact } from "../../shared/store/dynamodb/transact.ts";
import { type Change, type Condition, stale } from "../../shared/store/dynamodb/writes.ts";
import {
  type Deployment,
  deploymentLookup,
  parseDeployment,
  readDeploymentItem,
} from "../../shared/store/layouts/deployment.ts";
import { moveItem } from "../../shared/store/layouts/layout-moves.ts";
import { movedKinds, toBeMoved } from "../../shared/store/layouts/layouts.ts";
import { type TableName, tableNames } from "../../shared/store/tables.ts";

/**
 * How long functions may take to write the new layout, in milliseconds: they read the record again after 30 seconds, and the
 * longest run that had begun before takes 50.
 */
const usualSettle = 120_000;

/** What a run did. */
export interface Migrated {
  /** Items that were looked at, and those that were moved. */
  readonly read: number;
  readonly moved: number;
}

interface Migration {
  readonly db: Database;
  readonly settle?: number;
  /** Called as a phase begins. */
  readonly note: (line: string) => void;
  /** Called with the number of items of each page that was read. */
  readonly onPage: (items: number) => void;
}

const progressItem = z.object({
  expanded_at: z.optional(primitive.int),
  /** Where the backfill goes on: it does the tables in their order. */
  backfill: z.optional(z.object({ table: z.enum(tableNames), after: storedKey })),
  backfilled: z.optional(primitive.boolean),
});

/**
 * Moves what there is to move. Where the layout is reached already, it looks for items that were stored in the previous one all the
 * same, as a table has them that was restored from an older backup.
 * @throws if the deployment was changed meanwhile: it can be run again
 */
export async function migrate(migration: Migration): Promise<Migrated> {
  const { db, note } = migration;
  const { current } = db.layouts;
  const done = { read: 0, moved: 0 };
  const deployment = parseDeployment(await readDeploymentItem(db));
  if (deployment === undefined || movedKinds(db.layouts).length === 0) return done;
  const isReached = deployment.layout === current;
  if (!isReached) {
    await expand(migration, deployment);
    await backfill(migration, done);
  }
  note("All items are looked at once more.");
  while ((await look(migration, done)) > 0) note("Some were left, and are moved.");
  if (!isReached)
    await store(db, {
      set: { data_layout: current },
      remove: ["expanded_at", "backfilled"],
      when: [{ attribute: "writes_layout", equals: current }],
    });
  return done;
}

/** Has items written in the new layout, and waits until all functions do so. */
async function expand({ db, note, settle = usualSettle }: Migration, deployment: Deployment): Promise<void> {
  const { current } = db.layouts;
  if (deployment.writes !== current) {
    note(`Items are written in layout ${current} from now on.`);
    const when: readonly Condition[] = [{ attribute: "data_layout", equals: deployment.layout }];
    await store(db, { set: { writes_layout: current, expanded_at: Date.now() }, when });
  }
  await db.layouts.refresh();
  const { expanded_at = 0 } = z.parse(progressItem, await readDeploymentItem(db));
  const left = expanded_at + settle - Date.now();
  if (left <= 0) return;
  note(`Functions notice that within ${Math.ceil(left / 1000)} s.`);
  await sleep(left);
}

/** Moves items of the previous layout, from where an earlier run was stopped. */
async function backfill(migration: Migration, done: Done): Promise<void> {
  const { db, note } = migration;
  const { backfill: from, backfilled } = z.parse(progressItem, await readDeploymentItem(db));
  if (backfilled === true) return;
  note("Items of the previous layout are moved.");
  await look(migration, done, { isNoted: true, from });
  await store(db, { set: { backfilled: true }, remove: ["backfill"], when: [] });
}

/** Counts as a run goes on. */
interface Done {
  read: number;
  moved: number;
}

interface Place {
  readonly table: TableName;
  readonly after: ScanPosition;
}

const store = (db: Database, change: Pick<Change, "set" | "remove" | "when">): Promise<void> =>
  transact(db, [{ kind: "change", ...deploymentLookup, ...change, rejection: stale }]);

/**
 * Looks through the tables whose items are to be moved, and moves these. The backfill notes how far it has come.
 * @returns how many items had the previous layout
 */
async function look(
  migration: Migration,
  done: Done,
  { isNoted = false, from }: { readonly isNoted?: boolean; readonly from?: Place | undefined } = {},
): Promise<number> {
  const { db, onPage } = migration;
  const tables = tableNames.filter((table) => movedKinds(db.layouts).some((kind) => kind.table === table));
  let found = 0;
  for (const table of tables.slice(from === undefined ? 0 : tables.indexOf(from.table))) {
    const start = from?.table === table ? from.after : undefined;
    for await (const { items, position } of scanFrom(db, table, start)) {
      const old = items.filter((item) => toBeMoved(db.layouts, table, item) !== undefined);
      await forEachConcurrently(old, async (item) => {
        if (await moved(db, table, item)) done.moved += 1;
      });
      found += old.length;
      done.read += items.length;
      onPage(items.length);
      if (isNoted && position !== undefined)
        await store(db, { set: { backfill: { table, after: position } }, when: [] });
    }
  }
  return found;
}

const moved = async (db: Database, table: TableName, item: RawItem): Promise<boolean> => {
  const kind = toBeMoved(db.layouts, table, item);
  return kind !== undefined && moveItem(db, kind, item);
};
