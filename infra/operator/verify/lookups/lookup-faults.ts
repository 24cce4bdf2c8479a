/** Looks at one record and its entries, or at one entry and its record, and tells what would mend them. */
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepEqual } from "../../../../shared/common/deep-equal.ts";
import {
  beginsOf,
  type EntryKind,
  type EntryPlace,
  entryKinds,
  readCenters,
} from "../../../../shared/schema/lookups.ts";
import type { Key } from "../../../../shared/store/dynamodb/keys.ts";
import {
  type FindItem,
  getItem,
  getItems,
  type Lookup,
  type RawItem,
} from "../../../../shared/store/dynamodb/reads.ts";
import {
  type Change,
  type Condition,
  type Insert,
  sagaAttribute,
  stale,
  unchanged,
  type Write,
} from "../../../../shared/store/dynamodb/writes.ts";
import { recordKey } from "../../../../shared/store/lists/block-list.ts";
import { isSagaInProgress } from "../../../../shared/store/sagas/saga.ts";
import { byHand, type Fault, mendable } from "../fault.ts";
import type { Verification } from "../finding.ts";
import { holds, idIn, isEntryOf, lookupOf, readable } from "./lookup-items.ts";

/** What is wrong with a suspect, `busy` where that can't be told just now. */
export type Look = readonly Fault[] | "busy";

/** An entry whose record looks wrong. */
export interface SuspectEntry {
  readonly kind: EntryKind;
  readonly place: EntryPlace;
  readonly entry: Lookup;
  readonly title: string;
}

/** A record whose entries look wrong, or that steps hold. */
export interface SuspectRecord {
  readonly kind: EntryKind;
  readonly record: Key;
  readonly title: string;
}

/** Looks at an item that steps hold: they may be done any moment, or be gone for good. Then people have to decide about it. */
async function lookAtHeld(
  { db, settle }: Verification,
  lookup: Lookup,
  item: RawItem,
  title: string,
): Promise<Look> {
  if (await isSagaInProgress(db, String(item[sagaAttribute]))) return "busy";
  await sleep(settle);
  if (!isDeepEqual(item, await getItem(db, lookup))) return "busy";
  const what = "the steps that it waits for";
  return [byHand({ record: title, what, actual: "not there", expected: "there, or done" })];
}

/** Reads a record twice, and its entries between. Centers are read behind the record, which may refer to a new one. */
export async function lookAtRecord(
  verification: Verification,
  { kind, record: key, title }: SuspectRecord,
): Promise<Look> {
  const { db, settle } = verification;
  const lookup = { table: kind.list.table, key };
  const record = await getItem(db, lookup);
  if (record?.["cell"] === undefined) return [];
  if (record[sagaAttribute] !== undefined) return lookAtHeld(verification, lookup, record, title);
  const known = readable(kind, record, await readCenters(db));
  if (known === undefined) return "busy";
  const { entries, refersTo } = known;
  await sleep(settle);
  const find = await getItems(db, [...entries.map(lookupOf), ...refersTo.values()]);
  await sleep(settle);
  if (!isDeepEqual(record, await getItem(db, lookup))) return "busy";
  const missing = [...refersTo].filter(([, to]) => find(to) === undefined);
  const wrong = entries.filter((entry) => !holds(find(lookupOf(entry)), entry));
  if (wrong.some((entry) => find(lookupOf(entry))?.[sagaAttribute] !== undefined)) return "busy";
  const held = await holdersOf(db, kind, wrong, find);
  return [
    ...missing.map(([name]) =>
      byHand({
        record: title,
        what: "a record that it refers to",
        actual: `${name} is not there`,
        expected: name,
      }),
    ),
    ...wrong.map((entry) =>
      faultOfEntry(title, entry, { record, lookup, found: find(lookupOf(entry)) }, held),
    ),
  ];
}

/** Those of the entries that another record rightly has. */
async function holdersOf(
  db: Verification["db"],
  kind: EntryKind,
  entries: readonly Insert[],
  find: FindItem,
): Promise<ReadonlySet<Insert>> {
  const held = new Set<Insert>();
  for (const entry of entries) {
    const found = find(lookupOf(entry));
    if (found === undefined) continue;
    for (const other of entryKinds)
      for (const place of other.places) {
        const id =
          found["pk"] !== undefined && String(found["pk"]).startsWith(beginsOf(place))
            ? idIn(found, place)
            : undefined;
        if (id === undefined || (other === kind && id === idIn(entry.item, place))) continue;
        const holder = await getItem(db, { table: other.list.table, key: recordKey(other.list, id) });
        if (isEntryOf(holder, found, other)) held.add(entry);
      }
  }
  return held;
}

interface Found {
  readonly record: RawItem;
  readonly lookup: Lookup;
  readonly found: RawItem | undefined;
}

/** An entry that lacks, or says something else. One that another record has is for people to decide about. */
function faultOfEntry(title: string, entry: Insert, read: Found, held: ReadonlySet<Insert>): Fault {
  const { found } = read;
  const { pk, sk, ...expected } = entry.item;
  const difference = {
    record: title,
    what: `the entry that finds it (${[pk, sk].join(" ").replaceAll("\u0000", " ")})`,
    actual: found === undefined ? "not there" : JSON.stringify(found),
    expected: JSON.stringify(expected),
  };
  if (held.has(entry)) return byHand(difference);
  return mendable(difference, asItWas(read), mended(entry, found));
}

/** A condition that a record is as it was read. Not every record has a version. */
const asItWas = ({ record: { cell, version }, lookup }: Pick<Found, "record" | "lookup">): Change =>
  unchanged(lookup, { cell: String(cell), ...(typeof version === "number" && { version }) });

function mended(entry: Insert, found: RawItem | undefined): Write {
  if (found === undefined) return { ...entry, rejection: stale };
  const { pk, sk, ...set } = entry.item;
  const gone = Object.keys(found).filter((name) => !(name in entry.item));
  return {
    kind: "change",
    table: entry.table,
    key: { pk, sk },
    set,
    remove: gone,
    when: asRead(found),
    rejection: stale,
  };
}

/** Conditions that an entry's ids are as they were read. */
const asRead = (found: RawItem): readonly Condition[] =>
  Object.entries(found).flatMap(([name, value]): readonly Condition[] =>
    name !== "pk" && name !== "sk" && typeof value === "number" ? [{ attribute: name, equals: value }] : [],
  );

/** Reads an entry twice, and its record between. An entry that is of no record is taken away. */
export async function lookAtEntry(
  verification: Verification,
  { kind, place, entry, title }: SuspectEntry,
): Promise<Look> {
  const { db, settle } = verification;
  const found = await getItem(db, entry);
  const id = found === undefined ? undefined : idIn(found, place);
  if (found === undefined || id === undefined) return [];
  if (found[sagaAttribute] !== undefined) return lookAtHeld(verification, entry, found, title);
  await sleep(settle);
  const lookup = { table: kind.list.table, key: recordKey(kind.list, id) };
  const record = await getItem(db, lookup);
  if (record?.[sagaAttribute] !== undefined) return "busy";
  if (isEntryOf(record, found, kind)) return [];
  await sleep(settle);
  if (!isDeepEqual(found, await getItem(db, entry))) return "busy";
  const actual =
    record?.["cell"] === undefined ? "of a record that is not there" : "of a record that has another name";
  const removal: Write = { kind: "removal", ...entry, when: asRead(found), rejection: stale };
  const writes = record?.["cell"] === undefined ? [removal] : [asItWas({ record, lookup }), removal];
  return [
    mendable({ record: title, what: `${kind.list.name} ${id}`, actual, expected: "not there" }, ...writes),
  ];
}
