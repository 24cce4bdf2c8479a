import * as z from "zod/mini";
import type { AttributeOwner, OwnerType } from "../attributes/attribute.ts";
import { findSku } from "../catalog/name-repository.ts";
import { productList } from "../catalog/products/product-lists.ts";
import { parseId } from "../common/fields.ts";
import * as primitive from "../common/primitives.ts";
import { invalidAt, notFound } from "../common/problem.ts";
import { replenishmentList, returnList } from "../inbound/inbound-repository.ts";
import { getOrder, orderIdentities } from "../orders/find-order.ts";
import { orderList } from "../orders/storage/order-repository.ts";
import { manufactureList } from "../registries/manufacture/manufacture-repository.ts";
import { distributionCenterWithId } from "../registries/registry-repository.ts";
import type { AccountReader } from "../runtime/context.ts";
import { getItem, type Lookup, parsed } from "../store/dynamodb/reads.ts";
import { type BlockList, recordKey } from "../store/lists/block-list.ts";

/** The fields that identify an owner, by its type. The default is the first: its id. */
const identities = {
  order: orderIdentities,
  product: ["product_id", "sku"],
  replenishment: ["replenishment_id"],
  return: ["return_id"],
  manufacture: ["manufacture_id"],
  distribution_center: ["distribution_center_id"],
} as const satisfies Readonly<Record<OwnerType, readonly string[]>>;

/** An owner of attributes as a call names it: `owner_id` is a value of the field `identify_by`. */
interface OwnerName {
  readonly owner_type: OwnerType;
  readonly owner_id: string;
  readonly identify_by?: string | undefined;
}

/** The list of each kind of owner. Distribution centers are not in a list. */
const ownerLists: Readonly<Record<Exclude<OwnerType, "distribution_center">, BlockList>> = {
  order: orderList,
  product: productList,
  replenishment: replenishmentList,
  return: returnList,
  manufacture: manufactureList,
};

/** An owner's lookup, by title. Empty for distribution centers, which are never removed. */
export function attributeOwnerOf({ owner_type, owner_id }: AttributeOwner): ReadonlyMap<string, Lookup> {
  if (owner_type === "distribution_center") return new Map();
  const list = ownerLists[owner_type];
  return new Map([[`${owner_type} ${owner_id}`, { table: list.table, key: recordKey(list, owner_id) }]]);
}

/**
 * The owner that a call names: a record of the account, or a distribution center, which all accounts share.
 * @throws Problem `not_found`; `invalid` if owners of this type have no field `identify_by`
 */
export async function getAttributeOwner(
  reader: AccountReader,
  { owner_type, owner_id: value, identify_by }: OwnerName,
): Promise<AttributeOwner> {
  const known: readonly string[] = identities[owner_type];
  const [byId] = known;
  const by = identify_by ?? byId;
  if (by === undefined || !known.includes(by)) {
    const message = `must be one of ${known.join(", ")} where owner_type is ${owner_type}`;
    throw invalidAt([{ path: "identify_by", message }]);
  }
  const id = by === byId ? parseId(value) : undefined;
  const owner_id =
    id !== undefined && (await isOwner(reader, owner_type, id))
      ? id
      : await idOtherwise(reader, owner_type, by, value);
  return { account_id: reader.account_id, owner_type, owner_id };
}

const owned = z.object({ account_id: primitive.int });

async function isOwner(
  { db, account_id }: AccountReader,
  owner_type: OwnerType,
  id: number,
): Promise<boolean> {
  if (owner_type === "distribution_center") return (await distributionCenterWithId(db, id)) !== undefined;
  const list = ownerLists[owner_type];
  const item = await getItem(db, { table: list.table, key: recordKey(list, id) });
  return parsed(owned, item)?.account_id === account_id;
}

/** The id of the owner that another field names. @throws Problem `not_found`, with a hint */
async function idOtherwise(
  reader: AccountReader,
  type: OwnerType,
  by: string,
  value: string,
): Promise<number> {
  switch (type) {
    case "order": {
      const identity = orderIdentities.find((one) => one === by) ?? "order_id";
      return (await getOrder(reader, identity, value)).record.order_id;
    }
    case "product": {
      const found = await findSku(reader.db, reader.account_id, value);
      if (found !== undefined && by === "sku") return found.product_id;
      if (by === "sku") throw notFound(`There is no product with the SKU ${value}`);
      const hint = found === undefined ? "" : "; identify_by=sku finds one";
      throw notFound(`There is no product with the id ${value}${hint}`);
    }
    case "replenishment":
    case "return":
    case "manufacture":
    case "distribution_center":
      throw notFound(`There is no ${type} with the id ${value}`);
  }
}
