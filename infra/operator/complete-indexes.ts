/**
 * Adds the records of earlier releases to the lookup indexes of this one, while the service is in use: part
 * of `operator data migrate`. A run that was interrupted starts again, and passes over the entries that
 * exist.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { forEachConcurrently } from "../../shared/common/concurrency.ts";
import { incompleteIndexes, type LaterIndex } from "../../shared/schema/later-indexes.ts";
import type { Database } from "../../shared/store/dynamodb/database.ts";
import { joined, keyIn } from "../../shared/store/dynamodb/keys.ts";
import { getItems, type Lookup, type RawItem } from "../../shared/store/dynamodb/reads.ts";
import { scanFrom } from "../../shared/store/dynamodb/scan.ts";
import { transact, untilFresh } from "../../shared/store/dynamodb/transact.ts";
import { type Insert, lookupOf, unchanged } from "../../shared/store/dynamodb/writes.ts";
import {
  type Deployment,
  deploymentLookup,
  indexFields,
  parseDeployment,
  readDeploymentItem,
} from "../../shared/store/layouts/deployment.ts";

/**
 * How long functions of the previous release may go on storing records, in milliseconds, after the stacks are
 * deployed: the longest run takes 50 s.
 */
const usualSettleMs = 60_000;

/** How stored data are migrated. */
export interface Migration {
  readonly db: Database;
  readonly settleMs?: number;
  /** Called as a phase begins. */
  readonly note: (line: string) => void;
  /** Called with the number of items of each page that was read. */
  readonly onPage: (items: number) => void;
  /** Counts what would be stored. */
  readonly dryRun?: boolean;
}

/** Waits until functions of the previous release have ended. */
export async function untilEnded({ note }: Pick<Migration, "note">, settleMs: number): Promise<void> {
  note(`Functions of the previous release end within ${Math.ceil(settleMs / 1000)} s.`);
  await sleep(settleMs);
}

/**
 * Completes the indexes, and records that they are complete. @returns the entries that were added
 * @throws if another release is deployed meanwhile: it can be run again
 */
export async function completeIndexes(migration: Migration): Promise<number> {
  const { db, note, dryRun = false, settleMs = usualSettleMs } = migration;
  const incomplete = await incompleteIndexes(db);
  if (incomplete.length > 0 && settleMs > 0 && !dryRun) await untilEnded(migration, settleMs);
  let added = 0;
  for (const index of incomplete) {
    const deployment = parseDeployment(await readDeploymentItem(db));
    if (deployment === undefined) return added;
    note(`Records are added to the index ${index.name}.`);
    added += await addMissing(migration, index);
    if (!dryRun) await recordComplete(db, deployment, index);
  }
  return added;
}

/** Adds the missing entries of an index. @returns how many were missing */
async function addMissing(
  { db, onPage, dryRun = false }: Migration,
  { list, entryOf }: LaterIndex,
): Promise<number> {
  let missing = 0;
  for await (const { items } of scanFrom(db, list.table)) {
    const records = items
      .filter(({ pk, cell }) => String(pk).startsWith(joined(list.name, "")) && typeof cell === "string")
      .flatMap((record) => {
        try {
          return [{ record, entry: entryOf(record) }];
        } catch {
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
    await forEachConcurrently(dryRun ? [] : without, ({ record, entry }) =>
      add(db, { table: list.table, key: keyIn(record) }, record, entry),
    );
    onPage(items.length);
  }
  return missing;
}

/** Adds an entry unless another run has added it. Its record must still be there. */
const add = (db: Database, place: Lookup, { cell }: RawItem, entry: Insert): Promise<void> =>
  untilFresh(async () => {
    const find = await getItems(db, [lookupOf(entry)]);
    if (find(lookupOf(entry)) === undefined)
      await transact(db, [entry, unchanged(place, { cell: String(cell) })]);
  });

const recordComplete = async (
  db: Database,
  { release, indexes }: Deployment,
  { name }: LaterIndex,
): Promise<void> => {
  const set = indexFields(release, [...indexes, name]);
  const when = [{ attribute: "release", equals: release }];
  await transact(db, [{ kind: "change", ...deploymentLookup, set, when }]);
  await db.layouts.refresh();
};
