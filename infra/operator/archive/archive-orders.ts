/**
 * Archives orders (docs/decisions.md, Archived orders): they are written to a file, the file is read back and
 * verified, and then each order that is still as the file has it is removed in one transaction. So nothing is
 * removed that is not in a verified file, and an interrupted run continues with the file that it has written.
 */
import { forEachConcurrently } from "../../../shared/common/concurrency.ts";
import { invalid } from "../../../shared/common/problem.ts";
import { recordNameOf, setAsideRecords } from "../../../shared/publishing/set-aside.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { unattendedBudgetMs, withBudget } from "../../../shared/store/dynamodb/retry.ts";
import { transact, unlessStale } from "../../../shared/store/dynamodb/transact.ts";
import { batchesOf } from "../batches.ts";
import { Usage } from "../cli/outcome.ts";
import { finishedOrders } from "../finished-orders.ts";
import {
  type Ending,
  type Heading,
  idsIn,
  recordLines,
  verifiedArchive,
  writeArchive,
} from "./archive-file.ts";
import type { ArchiveStore } from "./archive-store.ts";
import { findWhole, type Limits, type Obstacle } from "./whole-orders.ts";

export interface Archiving {
  /** A day (`YYYY-MM-DD`), at whose start (UTC) the last change must be past. */
  readonly before: string;
  readonly accountId: number | undefined;
  readonly to: ArchiveStore;
  /** Called for each order that is read, and for each that is removed. */
  readonly onRead: () => void;
  readonly onRemoved: () => void;
}

export type Left = ReadonlyMap<Obstacle, readonly number[]>;

const limitsOf = async (db: Database, before: string): Promise<Limits> => ({
  before: `${before}T00:00:00.000Z`,
  setAside: new Set((await setAsideRecords(db)).map(recordNameOf)),
});

/** Orders that are read at once, so that a file keeps their order. */
const atOnce = 16;

/** The lines of the orders to archive. Those that stay are added to `left`. */
async function* linesOf(
  db: Database,
  { before, accountId, onRead }: Archiving,
  left: Map<Obstacle, number[]>,
): AsyncGenerator<string, void> {
  const limits = await limitsOf(db, before);
  for await (const ids of batchesOf(finishedOrders(db, limits.before, accountId), atOnce))
    for (const [orderId, found] of await Promise.all(
      ids.map(async (id) => [id, await findWhole(db, id, limits)] as const),
    )) {
      onRead();
      if ("whole" in found) yield JSON.stringify(found.whole);
      else if ("obstacle" in found) left.set(found.obstacle, [...(left.get(found.obstacle) ?? []), orderId]);
    }
}

/** Counts the orders that would be archived, with the bytes of their lines, and says which are `left`. */
export async function measureArchive(db: Database, archiving: Archiving) {
  const left = new Map<Obstacle, number[]>();
  const sum = { orders: 0, bytes: 0 };
  for await (const line of linesOf(db, archiving, left)) {
    sum.orders += 1;
    sum.bytes += Buffer.byteLength(line) + 1;
  }
  return { ...sum, left };
}

/**
 * Archives orders; see above. If the archive is there already, only removes its orders.
 * @returns how many orders were removed, now and by an earlier run (`gone`), the ids of those that were
 * `changed` since they were written, so they stay, and those that were `left` out of the archive; undefined
 * if it was there already
 * @throws Usage if it is damaged, or was made for other orders
 */
export async function archiveOrders(db: Database, archiving: Archiving) {
  const { before, accountId, to } = archiving;
  const first: Heading = { archive: "orders", before, account_id: accountId ?? null };
  const left = new Map<Obstacle, number[]>();
  const isThere = await to.isThere();
  let written: Ending | undefined;
  if (!isThere)
    await to.keep(async (file) => {
      written = await writeArchive(file, first, linesOf(db, archiving, left));
      return written.count > 0;
    });
  if (written?.count === 0)
    return { orders: 0, sha256: written.sha256, removed: 0, gone: 0, changed: [], left };
  const verified = await verifiedArchive(to, "orders");
  if (verified.before !== before || verified.account_id !== first.account_id)
    throw new Usage(`${to.name} is an archive of other orders: choose another name`);
  if (written !== undefined && written.sha256 !== verified.sha256)
    throw invalid(`${to.name} does not hold what was written`);
  const { count: orders, sha256 } = verified;
  return { orders, sha256, ...(await removeArchived(db, archiving)), left: isThere ? undefined : left };
}

async function removeArchived(db: Database, { before, to, onRemoved }: Archiving) {
  const limits = await limitsOf(db, before);
  const changed: number[] = [];
  const sum = { removed: 0, gone: 0 };
  await forEachConcurrently(recordLines(to, "orders"), async (line) => {
    const { order_id: orderId } = idsIn(line);
    const found = await findWhole(db, orderId, limits);
    if ("missing" in found && found.missing === "gone") {
      sum.gone += 1;
      return;
    }
    const isRemoved =
      "whole" in found &&
      JSON.stringify(found.whole) === line &&
      (await unlessStale(() => withBudget(() => transact(db, found.removal), unattendedBudgetMs)));
    if (isRemoved) sum.removed += 1;
    else changed.push(orderId);
    if (isRemoved) onRemoved();
  });
  return { ...sum, changed: changed.toSorted((left, right) => left - right) };
}
