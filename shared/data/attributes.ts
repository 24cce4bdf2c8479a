/** Attributes: named values that an account gives to what it owns. An owner's attributes are a block list of their own. */
import * as z from "zod/mini";
import { type Attribute, type AttributeOwner, attribute } from "../domain/attribute.ts";
import { invalidAt } from "../domain/problem.ts";
import type { Database } from "../store/database.ts";
import { joined, type Key } from "../store/keys.ts";
import { listAttributes, recordKey } from "../store/lists/block-list.ts";
import { attributeList } from "../store/lists/definitions.ts";
import { type PageRequest, readPage } from "../store/lists/pages.ts";
import { tallyInsert, tallyRemoval } from "../store/lists/tallies.ts";
import { getItems, type Lookup } from "../store/reads.ts";
import { type Change, stale, type Write } from "../store/writes.ts";
import { parsed } from "./registries.ts";

const { table } = attributeList;

/** Attributes are listed unfiltered. */
const cell = "|";

/** Whose list it is. No part of it is free text, so that no two owners have the same. */
export const ownerText = ({ account_id, owner_type, owner_id }: AttributeOwner): string =>
  joined(account_id, owner_type, owner_id);

/** What keeps a name unique: an owner's names lie side by side, each with the id of its attribute. */
export const attributeNameLookup = (owner: AttributeOwner, name: string): Lookup => ({
  table,
  key: { pk: joined("attribute-name", ownerText(owner)), sk: name },
});

const nameEntry = z.object({ attribute_id: z.int() });

const attributeKey = ({ attribute_id }: Pick<Attribute, "attribute_id">): Key =>
  recordKey(attributeList, attribute_id);

/** The owner's attributes by name; a name that it has none of is absent from the answer. */
export async function findAttributes(
  db: Database,
  owner: AttributeOwner,
  names: readonly string[],
): Promise<ReadonlyMap<string, Attribute>> {
  const findEntry = await getItems(
    db,
    names.map((name) => attributeNameLookup(owner, name)),
  );
  const keys = names.flatMap((name) => {
    const entry = parsed(nameEntry, findEntry(attributeNameLookup(owner, name)));
    return entry === undefined ? [] : [attributeKey(entry)];
  });
  const find = await getItems(
    db,
    keys.map((key) => ({ table, key })),
  );
  const found = keys.flatMap((key) => parsed(attribute, find({ table, key })) ?? []);
  return new Map(found.map((one) => [one.attribute, one]));
}

/** Creates the attribute with its name; `path` is where the request states the name. */
export const insertAttribute = (created: Attribute, path: string): readonly Write[] => [
  {
    kind: "insert",
    table,
    item: {
      v: 1,
      ...created,
      ...listAttributes(attributeList, created.attribute_id, cell, created.created_at),
    },
    refusal: stale,
  },
  {
    kind: "insert",
    table,
    item: {
      v: 1,
      ...attributeNameLookup(created, created.attribute).key,
      attribute_id: created.attribute_id,
    },
    refusal: () => invalidAt([{ path, message: `already exists (${created.attribute})` }]),
  },
  tallyInsert(attributeList, ownerText(created), created.attribute_id, cell),
];

/** Stores another value; stale where the attribute was deleted meanwhile. Of two values at once the later one stays. */
export const saveValue = (after: Attribute): Change => ({
  kind: "change",
  table,
  key: attributeKey(after),
  set: { value: after.value, updated_at: after.updated_at },
  when: [{ attribute: "pk", is: "present" }],
  refusal: stale,
});

/** Deletes the attribute, whose name is free then; stale where that was done meanwhile. */
export const removeAttribute = (removed: Attribute): readonly Write[] => [
  {
    kind: "removal",
    table,
    key: attributeKey(removed),
    when: [{ attribute: "pk", is: "present" }],
    refusal: stale,
  },
  {
    kind: "removal",
    table,
    key: attributeNameLookup(removed, removed.attribute).key,
    when: [{ attribute: "attribute_id", equals: removed.attribute_id }],
    refusal: stale,
  },
  tallyRemoval(attributeList, ownerText(removed), removed.attribute_id, cell),
];

/** The owner's attributes of one page, and how many it has. */
export async function readAttributes(
  db: Database,
  owner: AttributeOwner,
  request: PageRequest,
): Promise<{ readonly attributes: readonly Attribute[]; readonly total: number }> {
  const { items, total } = await readPage(db, attributeList, ownerText(owner), request);
  return { attributes: items.map((item) => z.parse(attribute, item)), total };
}
