/**
 * Attributes: named values that an account gives to its orders, products, replenishments, returns and
 * manufacture orders, and to distribution centers.
 *
 * The attributes of each owner are a block list, so they are paged with exact totals like any other list. A
 * name is unique within its owner: a lookup entry for each name lies in the owner's partition. `attribute.ts`
 * has the kinds of owners and the rules.
 */

import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { alreadyExists, invalidAt } from "../common/problem.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined } from "../store/dynamodb/keys.ts";
import { getItems, type Lookup, parsed } from "../store/dynamodb/reads.ts";
import {
  type Change,
  type Condition,
  exists,
  insertOf,
  type RecordWrites,
  removalOf,
  type Write,
} from "../store/dynamodb/writes.ts";
import type { BlockList } from "../store/lists/block-list.ts";
import { finderOf, recordOf, recordsIn, type Stored } from "../store/lists/repository.ts";
import { type Attribute, type AttributeOwner, attribute } from "./attribute.ts";

/** Each owner of attributes has its own list, with few records, so the blocks are small. */
export const attributeList: BlockList = { table: "inventory", name: "attribute", blockSize: 100 };

const { table } = attributeList;

/** The owner of the block list. It contains no free text, so it is unambiguous. */
export const ownerText = ({ account_id, owner_type, owner_id }: AttributeOwner): string =>
  joined(account_id, owner_type, owner_id);

export const attributes = recordsIn<Attribute>(attributeList, recordOf(attribute), {
  idOf: ({ attribute_id }) => attribute_id,
  ownerOf: ownerText,
});

const { findAll } = finderOf(attributes);

/** Keeps a name unique within its owner, whose names share a partition. */
export const attributeNameLookup = (owner: AttributeOwner, name: string): Lookup => ({
  table,
  key: { pk: joined("attribute-name", ownerText(owner)), sk: name },
});

const nameEntry = z.object({ attribute_id: primitive.int });

export async function findAttributes(
  db: Database,
  owner: AttributeOwner,
  names: readonly string[],
): Promise<ReadonlyMap<string, Stored<Attribute>>> {
  const findEntry = await getItems(
    db,
    names.map((name) => attributeNameLookup(owner, name)),
  );
  const ids = names.flatMap(
    (name) => parsed(nameEntry, findEntry(attributeNameLookup(owner, name)))?.attribute_id ?? [],
  );
  const found = await findAll(db, ownerText(owner), ids);
  return new Map([...found.values()].map((stored) => [stored.record.attribute, stored]));
}

/** Inserts an attribute with its name. `path` is where the name is in the request. */
export const insertAttribute = (created: Attribute, path: string): RecordWrites => [
  ...attributes.insert(created, created.created_at),
  ...attributeEntries(created, path),
];

/** The lookup entry of an attribute: its name, within its owner. */
export const attributeEntries = (found: Attribute, path = "attribute"): readonly Write[] => [
  insertOf(
    attributeNameLookup(found, found.attribute),
    { attribute_id: found.attribute_id },
    { rejection: () => invalidAt([alreadyExists(found.attribute, path)]) },
  ),
];

/** Stores a new value. Stale if the attribute was deleted. Of concurrent changes, the last one wins. */
export const saveValue = (after: Attribute): Change => ({
  kind: "change",
  table,
  key: attributes.keyOf(after),
  set: { value: after.value, updated_at: after.updated_at },
  when: [exists],
});

/** Deletes an attribute and frees its name. Stale if it was deleted before, or a condition does not hold. */
export const removeAttribute = (
  removed: Stored<Attribute>,
  ...conditions: readonly Condition[]
): RecordWrites => [
  ...attributes.remove(removed, ...conditions),
  removalOf(attributeNameLookup(removed.record, removed.record.attribute), {
    attribute: "attribute_id",
    equals: removed.record.attribute_id,
  }),
];
