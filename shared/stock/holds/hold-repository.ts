/** Stores holds: in a partition for each account, in the order in which they end. */

import * as z from "zod/mini";
import { notFound } from "../../common/problem.ts";
import { logger } from "../../runtime/log.ts";
import { commitEach } from "../../store/bulk/bulk.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { joined } from "../../store/dynamodb/keys.ts";
import { getItems, type Lookup, queryRange, type RawItem } from "../../store/dynamodb/reads.ts";
import {
  type Change,
  type Insert,
  insertOf,
  type RecordWrites,
  type Removal,
} from "../../store/dynamodb/writes.ts";
import { ifReadable } from "../../store/layouts/unreadable.ts";
import { partitionsOf } from "../../store/partitions.ts";
import type { Cause, MovementReason } from "../movements/movement.ts";
import { type StockLevel, stockEntriesOf, stockKeyText } from "../stock.ts";
import { changeHeldStock, readStockRecords } from "../stock-repository.ts";
import { type Hold, hold, holdIdsAt, partsOfHold } from "./hold.ts";

/** The table of jobs, so that the index of what is due finds the holds that have ended. */
const table = "jobs";

/** The access that reading current stock needs besides stock. */
export const heldAccess = { [table]: { "hold#": "read" } } as const;

/** The access of a function that creates, uses or ends holds. */
export const holdAccess = { [table]: { "hold#": "write" } } as const;

/** Partitions of the index `queued` with holds. */
export const holdPartitions = partitionsOf("holds", 4);

/** By the last character of the id, which is random. */
const indexPartitionOf = ({ hold_id }: Hold): string =>
  holdPartitions.of((hold_id.at(-1) ?? "").charCodeAt(0));

const partition = (accountId: number): string => joined("hold", accountId);

const lookup = ({ account_id, hold_id }: Pick<Hold, "account_id" | "hold_id">): Lookup => ({
  table,
  key: { pk: partition(account_id), sk: hold_id },
});

export const parseHold = (item: RawItem): Hold => z.parse(hold, item);

/**
 * The holds of items. An unreadable one is logged and left out, so that the account's stock and other holds
 * can still be read. Its units stay held until the item is repaired.
 */
export const readableHolds = (items: readonly RawItem[]): readonly Hold[] =>
  items.flatMap((item) =>
    ifReadable(
      () => [parseHold(item)],
      (_reason, error) => {
        logger.warn("hold unreadable", { error, hold_id: item["hold_id"] });
        return [];
      },
    ),
  );

export const insertHold = (created: Hold): Insert =>
  insertOf(lookup(created), { ...created, queued_shard: indexPartitionOf(created) }, { neverFails: true });

/** Reduces a hold to `left` units; removes it if none is left. Stale if it changed meanwhile. */
export function reduceHold(
  held: Pick<Hold, "account_id" | "hold_id" | "quantity">,
  left: number,
): Change | Removal {
  const when = [{ attribute: "quantity", equals: held.quantity }] as const;
  if (left === 0) return { kind: "removal", ...lookup(held), when };
  return { kind: "change", ...lookup(held), set: { quantity: left }, when };
}

/** The writes that end a hold and give its units back. */
export const endHold = (
  held: Hold,
  why: Pick<Cause, "by" | "at"> & { readonly reason: MovementReason },
): RecordWrites => [
  reduceHold(held, 0),
  ...changeHeldStock(stockEntriesOf(partsOfHold(held, -held.quantity, why))),
];

const isLive = ({ check_at }: Hold): boolean => check_at > new Date().toISOString();

/** The account's hold with this id. @throws Problem `not_found` if there is none, or it has ended */
export async function getHold(db: Database, accountId: number, holdId: string): Promise<Hold> {
  const found = (await findHolds(db, accountId, [holdId])).get(holdId);
  if (found === undefined) throw notFound(`There is no hold with hold_id ${holdId}; it may have ended`);
  return found;
}

/**
 * The account's holds with these ids, without those that have ended or can't be read. One round trip; none
 * without ids.
 */
export async function findHolds(
  db: Database,
  accountId: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Hold>> {
  const at = (hold_id: string) => lookup({ account_id: accountId, hold_id });
  const find = await getItems(db, ids.map(at));
  const found = readableHolds(ids.map((id) => find(at(id))).filter((item) => item !== undefined));
  return new Map(found.filter(isLive).map((one) => [one.hold_id, one]));
}

/** The account's holds that have not ended. */
export async function liveHolds(db: Database, accountId: number): Promise<readonly Hold[]> {
  const from = `${holdIdsAt(new Date().toISOString())}~`;
  return readableHolds(await queryRange(db, { table, pk: partition(accountId), between: [from, "~"] }));
}

/**
 * The account's holds that have ended by a time (ISO 8601) and whose units are still counted: usually those
 * of the last minute.
 */
export async function endedHolds(
  db: Database,
  accountId: number,
  until = new Date().toISOString(),
): Promise<readonly Hold[]> {
  const between = ["0", `${holdIdsAt(until)}~`] as const;
  return readableHolds(await queryRange(db, { table, pk: partition(accountId), between }));
}

/** The items of all of the account's holds. */
export const holdsOf = (db: Database, accountId: number): Promise<readonly RawItem[]> =>
  queryRange(db, { table, pk: partition(accountId) });

type Held = Pick<StockLevel, "account_id" | "product_id" | "distribution_center_id" | "held">;

/** The holds on these levels, as `endedHolds`. Nothing is read if no level has held units. */
export async function endedHoldsOf(
  db: Database,
  levels: readonly Held[],
  until?: string,
): Promise<readonly Hold[]> {
  const accounts = new Set(levels.flatMap(({ account_id, held = 0 }) => (held === 0 ? [] : [account_id])));
  const found = await Promise.all([...accounts].map((account) => endedHolds(db, account, until)));
  const keys = new Set(levels.map(stockKeyText));
  return found.flat().filter(({ goods }) => goods.some((part) => keys.has(stockKeyText(part))));
}

/**
 * Releases holds that have ended, as many in a transaction as fit. Their movements are dated by the ends of
 * the holds, so that movements add up to the stock of any moment.
 * @returns how many this call released, without those that others are ending, and the error after which it
 * released no more
 */
export async function releaseEnded(db: Database, holds: readonly Hold[]) {
  const { outcomes, stopped } = await commitEach(
    db,
    holds.map((held) => endHold(held, { reason: "hold_expired", by: held.created_by, at: held.check_at })),
  );
  return { released: outcomes.filter(({ kind }) => kind === "stored").length, stopped };
}

/** Whether no hold was given back since these levels were read. One round trip; none if no units are held. */
export async function areStillHeld(db: Database, levels: readonly StockLevel[]): Promise<boolean> {
  const holding = levels.filter(({ held = 0 }) => held !== 0);
  const recordAt = await readStockRecords(db, holding);
  return holding.every((level) => (recordAt(level)?.["holds_ended"] ?? 0) === (level.holds_ended ?? 0));
}
