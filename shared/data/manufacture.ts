import * as z from "zod/mini";
import { type ManufactureOrder, manufactureOrder } from "../domain/manufacture.ts";
import { counted, listed, recordKey } from "./block-list.ts";
import type { Database } from "./database.ts";
import { joined, only } from "./keys.ts";
import { manufactureList } from "./lists.ts";
import { type PageRequest, readPage } from "./pages.ts";
import { getItem, type Lookup, type RawItem } from "./reads.ts";
import { type Change, stale, type Write } from "./writes.ts";

/** Manufacture orders are listed unfiltered. */
const cell = "|";

export const manufactureLookup = (manufactureId: number): Lookup => ({
  table: manufactureList.table,
  key: recordKey(manufactureList, manufactureId),
});

const numberLookup = (accountId: number, number: string): Lookup => ({
  table: manufactureList.table,
  key: { pk: joined("manufacture-number", accountId, number), sk: only },
});

const pointer = z.object({ manufacture_id: z.int() });

const parseManufactureOrder = (item: RawItem): ManufactureOrder => z.parse(manufactureOrder, item);

/** The account's manufacture order with this id. */
export async function findManufactureOrder(
  db: Database,
  accountId: number,
  manufactureId: number,
): Promise<ManufactureOrder | undefined> {
  const item = await getItem(db, manufactureLookup(manufactureId));
  const found = item === undefined ? undefined : parseManufactureOrder(item);
  return found?.account_id === accountId ? found : undefined;
}

/** The account's manufacture order with this number. */
export async function findManufactureNumber(
  db: Database,
  accountId: number,
  number: string,
): Promise<ManufactureOrder | undefined> {
  const entry = await getItem(db, numberLookup(accountId, number));
  return entry === undefined
    ? undefined
    : findManufactureOrder(db, accountId, z.parse(pointer, entry).manufacture_id);
}

/** Stores a new manufacture order, found by its number; stale where the account has one of that number meanwhile. */
export function insertManufactureOrder(created: ManufactureOrder): readonly Write[] {
  const { account_id, manufacture_id, manufacture_number, created_at } = created;
  return [
    {
      kind: "insert",
      table: manufactureList.table,
      item: { v: 1, ...created, ...listed(manufactureList, manufacture_id, cell, created_at) },
      refusal: stale,
    },
    {
      kind: "insert",
      table: manufactureList.table,
      item: { v: 1, ...numberLookup(account_id, manufacture_number).key, manufacture_id },
      refusal: stale,
    },
    counted(manufactureList, String(account_id), manufacture_id, cell),
  ];
}

/** Stores `after` in place of `before`, which has the same number; stale where it changed meanwhile. */
export function saveManufactureOrder(before: ManufactureOrder, after: ManufactureOrder): Change {
  const { account_id: _account, manufacture_id: _id, manufacture_number: _number, ...fields } = after;
  return {
    kind: "change",
    table: manufactureList.table,
    key: manufactureLookup(before.manufacture_id).key,
    set: fields,
    when: [{ attribute: "version", equals: before.version }],
    refusal: stale,
  };
}

/** The account's manufacture orders of one page, and how many it has. */
export async function readManufactureOrders(
  db: Database,
  accountId: number,
  request: PageRequest,
): Promise<{ readonly orders: readonly ManufactureOrder[]; readonly total: number }> {
  const { items, total } = await readPage(db, manufactureList, String(accountId), request);
  return { orders: items.map(parseManufactureOrder), total };
}
