/**
 * Exports old movements and history entries to an archive, and then drops those that it holds: an order that
 * is finished in between keeps its history.
 */
import * as z from "zod/mini";
import { forEachConcurrently } from "../../../shared/common/concurrency.ts";
import { isDeepEqual } from "../../../shared/common/deep-equal.ts";
import type { HistoryEntry } from "../../../shared/orders/order-history.ts";
import type { Movement } from "../../../shared/stock/movements/movement.ts";
import { totalProduct } from "../../../shared/stock/past/total-movements.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { type Heading, recordLines, verifiedArchive, writeArchive } from "../archive/archive-file.ts";
import type { ArchiveStore } from "../archive/archive-store.ts";
import { type Advance, operator } from "../cli/context.ts";
import { Usage } from "../cli/outcome.ts";
import { finishedOrders } from "../finished-orders.ts";
import { dropHistory, historyBefore } from "./drop-history.ts";
import { dropMovements, movementsBefore, productsMovedBefore } from "./drop-movements.ts";

interface HistoryArchive {
  /** A day (`YYYY-MM-DD`): what is older than its start (UTC) is meant. */
  readonly before: string;
  readonly archive: ArchiveStore;
  readonly advance: Advance;
}

/** The number of movements and history entries that a command has processed. */
export interface HistoryCounts {
  movements: number;
  entries: number;
}

const momentOf = (day: string): string => `${day}T00:00:00.000Z`;

const movementLine = (movement: Movement): string => JSON.stringify({ kind: "movement", ...movement });

const entryLine = (order_id: number, entry: HistoryEntry): string =>
  JSON.stringify({ kind: "history", order_id, ...entry });

/** The lines of an export. Adds to `counts`. */
async function* linesOf(
  db: Database,
  { before, advance }: HistoryArchive,
  counts: HistoryCounts,
): AsyncGenerator<string, void> {
  const moment = momentOf(before);
  for await (const productId of productsMovedBefore(db, moment))
    for await (const movement of movementsBefore(db, productId, moment)) {
      counts.movements += 1;
      advance();
      yield movementLine(movement);
    }
  for await (const orderId of finishedOrders(db, moment))
    for await (const entry of historyBefore(db, orderId, moment)) {
      counts.entries += 1;
      advance();
      yield entryLine(orderId, entry);
    }
}

/** @throws Usage if there is such an archive: it may hold the only copy of deleted records */
export async function exportHistory(db: Database, exporting: HistoryArchive): Promise<HistoryCounts> {
  const { before, archive } = exporting;
  if (await archive.isThere())
    throw new Usage(
      `${archive.name} exists already, and is not overwritten: name another file, or move it away`,
    );
  const first: Heading = { archive: "history", before, account_id: null };
  const counts: HistoryCounts = { movements: 0, entries: 0 };
  await archive.keep(async (file) => {
    await writeArchive(file, first, linesOf(db, exporting, counts));
    return true;
  });
  return counts;
}

const owned = z.union([
  z.object({ kind: z.literal("movement"), product_id: z.int() }),
  z.object({ kind: z.literal("history"), order_id: z.int() }),
]);

/** Lines of a product, oldest first, or all lines of an order. */
interface Exported {
  readonly owner: z.output<typeof owned>;
  readonly lines: Set<string>;
  /** Whether the next part has more lines of the product. */
  isContinued: boolean;
}

/** How many lines are in memory at once, about: some 50 MB. */
const maxLines = 100_000;

/**
 * What an archive holds, in parts of about `atOnce` lines. Lines of a product or an order are next to each
 * other. An order's stay together, as entries of its history that share an item are dropped together.
 */
async function* exportedIn(archive: ArchiveStore, atOnce: number): AsyncGenerator<readonly Exported[], void> {
  let part: Exported[] = [];
  let count = 0;
  for await (const line of recordLines(archive, "history")) {
    const owner = z.parse(owned, JSON.parse(line));
    let last = part.at(-1);
    const isNext = isDeepEqual(last?.owner, owner);
    if (count >= atOnce && !(isNext && owner.kind === "history")) {
      if (last !== undefined) last.isContinued = isNext;
      yield part;
      [part, count, last] = [[], 0, undefined];
    }
    if (isNext && last !== undefined) last.lines.add(line);
    else part.push({ owner, lines: new Set([line]), isContinued: false });
    count += 1;
  }
  yield part;
}

/**
 * Drops what a complete export holds. A dry run counts it.
 * @throws Usage, with nothing dropped, if the archive is damaged or was exported for another day
 */
export async function dropExported(
  db: Database,
  { before, archive, advance }: HistoryArchive,
  atOnce = maxLines,
): Promise<HistoryCounts> {
  const verified = await verifiedArchive(archive, "history");
  if (verified.before !== before)
    throw new Usage(`${archive.name} was exported for ${verified.before}, not for ${before}`);
  const counts: HistoryCounts = { movements: 0, entries: 0 };
  const dropOf = db.dryRun === undefined ? drop : heldOf;
  for await (const part of exportedIn(archive, atOnce))
    await forEachConcurrently(part, async (exported) => {
      const dropped = await dropOf(db, momentOf(before), exported);
      counts[exported.owner.kind === "movement" ? "movements" : "entries"] += dropped;
      advance(dropped);
    });
  return counts;
}

/** Totals a product after its last part, as each part removes the totals that the one before it would add. */
async function drop(db: Database, moment: string, { owner, lines, isContinued }: Exported): Promise<number> {
  if (owner.kind === "history") {
    const { order_id: orderId } = owner;
    return dropHistory(db, orderId, moment, (entry) => lines.has(entryLine(orderId, entry)));
  }
  const isExported = (movement: Movement) => lines.has(movementLine(movement));
  const dropped = await dropMovements(db, owner.product_id, { before: moment, by: operator, isExported });
  if (!isContinued) await totalProduct(db, owner.product_id);
  return dropped;
}

/** How many of the lines are still stored. */
async function heldOf(db: Database, moment: string, { owner, lines }: Exported): Promise<number> {
  const stored =
    owner.kind === "history"
      ? (await Array.fromAsync(historyBefore(db, owner.order_id, moment))).map((entry) =>
          entryLine(owner.order_id, entry),
        )
      : (await Array.fromAsync(movementsBefore(db, owner.product_id, moment))).map(movementLine);
  return stored.filter((line) => lines.has(line)).length;
}
