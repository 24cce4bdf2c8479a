/** Entries and records as they are stored, as far as a verification reads them. */

import { isDeepEqual } from "../../../../shared/common/deep-equal.ts";
import type { Centers, EntryKind, EntryPlace, Known } from "../../../../shared/schema/lookups.ts";
import type { Key } from "../../../../shared/store/dynamodb/keys.ts";
import type { Lookup, RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import { type Insert, keyOf } from "../../../../shared/store/dynamodb/writes.ts";

export const keyIn = ({ pk, sk }: RawItem): Key => ({ pk: String(pk), sk: String(sk) });

export const lookupOf = (entry: Insert): Lookup => ({ table: entry.table, key: keyOf(entry) });

/** Whether an item is this entry. Others may add attributes to it. */
export const holds = (item: RawItem | undefined, { item: expected }: Insert): boolean =>
  item !== undefined && Object.entries(expected).every(([name, value]) => isDeepEqual(item[name], value));

export const idIn = (item: RawItem, { idAttribute }: EntryPlace): number | undefined => {
  const { [idAttribute]: id } = item;
  return typeof id === "number" ? id : undefined;
};

/** What an item of a list means; undefined where it can't be read. */
export function readable(kind: EntryKind, item: RawItem, centers: Centers): Known | undefined {
  try {
    return kind.know(item, centers);
  } catch {
    return undefined;
  }
}

/** Where entries lie does not depend on centers, nor does what orders and returns hold. */
export const noCenters: Centers = new Map();

/**
 * Whether an entry lies where one of this record does. What it tells is another matter (`holds`). One of a record that
 * can't be read is taken for right.
 */
export function isEntryOf(record: RawItem | undefined, entry: RawItem, kind: EntryKind): boolean {
  if (record?.["cell"] === undefined) return false;
  const known = readable(kind, record, noCenters);
  return known === undefined || known.entryKeys.some((key) => isDeepEqual(key, keyIn(entry)));
}
