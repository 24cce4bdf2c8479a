import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { aloneAt, getItem, type Lookup } from "../../store/dynamodb/reads.ts";
import { insertOf } from "../../store/dynamodb/writes.ts";
import { type BlockList, standardBlocks } from "../../store/lists/block-list.ts";
import { recordOf, repositoryOf, type Stored } from "../../store/lists/repository.ts";
import { type ManufactureOrder, manufactureOrder } from "./manufacture-order.ts";

export const manufactureList: BlockList = { table: "inventory", name: "manufacture", ...standardBlocks };

export const manufactureOrders = repositoryOf<ManufactureOrder>(manufactureList, recordOf(manufactureOrder), {
  idOf: ({ manufacture_id }) => manufacture_id,
  title: "manufacture order",
  // Stale if the account has one with this number.
  entries: ({ account_id, manufacture_id, manufacture_number }) => [
    insertOf(numberLookup(account_id, manufacture_number), { manufacture_id }),
  ],
});

const numberLookup = (accountId: number, number: string): Lookup =>
  aloneAt(manufactureList.table, "manufacture-number", accountId, number);

const pointer = z.object({ manufacture_id: primitive.int });

export async function findManufactureNumber(
  db: Database,
  accountId: number,
  number: string,
): Promise<Stored<ManufactureOrder> | undefined> {
  const entry = await getItem(db, numberLookup(accountId, number));
  return entry === undefined
    ? undefined
    : manufactureOrders.find(db, accountId, z.parse(pointer, entry).manufacture_id);
}
