import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { joined, only } from "../../store/dynamodb/keys.ts";
import { getItem, type Lookup } from "../../store/dynamodb/reads.ts";
import { stale, type Write } from "../../store/dynamodb/writes.ts";
import { manufactureList } from "../../store/lists/definitions.ts";
import type { Stored } from "../../store/lists/records.ts";
import { repositoryOf } from "../../store/lists/repository.ts";
import { type ManufactureOrder, manufactureOrder } from "./manufacture-order.ts";

export const manufactureOrders = repositoryOf(manufactureList, manufactureOrder, {
  idOf: ({ manufacture_id }) => manufacture_id,
  title: "manufacture order",
});

const numberLookup = (accountId: number, number: string): Lookup => ({
  table: manufactureList.table,
  key: { pk: joined("manufacture-number", accountId, number), sk: only },
});

const pointer = z.object({ manufacture_id: primitive.int });

/** The account's manufacture order with this number. */
export async function findManufactureNumber(
  db: Database,
  accountId: number,
  number: string,
): Promise<Stored<ManufactureOrder> | undefined> {
  const entry = await getItem(db, numberLookup(accountId, number));
  return entry === undefined
    ? undefined
    : manufactureOrders.stored.find(db, accountId, z.parse(pointer, entry).manufacture_id);
}

/** Stores a new manufacture order, found by its number; stale where the account has one of that number meanwhile. */
export const insertManufactureOrder = (created: ManufactureOrder): readonly Write[] => [
  ...manufactureOrders.insert(created),
  ...manufactureEntries(created),
];

/** What finds a manufacture order: its number. */
export const manufactureEntries = ({
  account_id,
  manufacture_id,
  manufacture_number,
}: ManufactureOrder): readonly Write[] => [
  {
    kind: "insert",
    table: manufactureList.table,
    item: { ...numberLookup(account_id, manufacture_number).key, manufacture_id },
    rejection: stale,
  },
];

/** Stores `after` in place of `before`, which has the same number; stale where it changed meanwhile. */
export const saveManufactureOrder = manufactureOrders.save;
