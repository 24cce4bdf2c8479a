import * as z from "zod/mini";
import { distributionCenterWithId, parsed } from "../data/registries.ts";
import type { AttributeOwner, OwnerType } from "../domain/attribute.ts";
import { idIn } from "../domain/fields.ts";
import { notFound } from "../domain/problem.ts";
import type { Database } from "../store/database.ts";
import { recordKey } from "../store/lists/block-list.ts";
import {
  type BlockList,
  manufactureList,
  orderList,
  productList,
  replenishmentList,
  returnList,
} from "../store/lists/definitions.ts";
import { getItem } from "../store/reads.ts";
import type { AccountContext } from "./context.ts";

/** The list that holds the records of each kind of owner. Distribution centers are in no list. */
const lists: Readonly<Record<Exclude<OwnerType, "distribution_center">, BlockList>> = {
  order: orderList,
  product: productList,
  replenishment: replenishmentList,
  return: returnList,
  manufacture: manufactureList,
};

/**
 * The owner of attributes that a path names: a record of the account, or a distribution center, which belongs to all.
 * @throws Problem `not_found`
 */
export async function getAttributeOwner(
  { db, account_id }: Pick<AccountContext, "db" | "account_id">,
  { owner_type, owner_id }: { readonly owner_type: OwnerType; readonly owner_id: string },
): Promise<AttributeOwner> {
  const id = idIn(owner_id);
  if (id === undefined || !(await isOwner(db, { account_id, owner_type, owner_id: id }))) {
    throw notFound(`There is no ${owner_type} with the id ${owner_id}`);
  }
  return { account_id, owner_type, owner_id: id };
}

const owned = z.object({ account_id: z.int() });

async function isOwner(db: Database, { account_id, owner_type, owner_id }: AttributeOwner): Promise<boolean> {
  if (owner_type === "distribution_center") {
    return (await distributionCenterWithId(db, owner_id)) !== undefined;
  }
  const list = lists[owner_type];
  const item = await getItem(db, { table: list.table, key: recordKey(list, owner_id) });
  return parsed(owned, item)?.account_id === account_id;
}
