/**
 * Compares records with the lookup items that find them, and with the records that they refer to. The lookup
 * items of a record are those that its repository inserts with it (`infra/data-model/lookups.ts`).
 */
import { isDeepEqual } from "../../../../shared/common/deep-equal.ts";
import { type Key, keyIn } from "../../../../shared/store/dynamodb/keys.ts";
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
  lookupOf,
  removalOf,
  sagaAttribute,
  stale,
  unchanged,
  type Write,
} from "../../../../shared/store/dynamodb/writes.ts";
import { recordKey } from "../../../../shared/store/lists/block-list.ts";
import {
  facetKeyAttribute,
  isListedRecord,
  type ListedRecord,
} from "../../../../shared/store/lists/facets.ts";
import { archivedAttribute } from "../../../../shared/store/lookup-index.ts";
import { readSagaItems } from "../../../../shared/store/sagas/saga.ts";
import type { TableName } from "../../../../shared/store/tables.ts";
import { partitionOf } from "../../../data-model/kinds.ts";
import type { LaterIndex } from "../../../data-model/later-indexes.ts";
import {
  type Centers,
  type LookupKind,
  type LookupPartition,
  lookupKinds,
  prefixOf,
  readCenters,
} from "../../../data-model/lookups.ts";
import { comparison, type Fact, type FirstPass, type ListItem } from "../comparator.ts";
import { accountIn, isInScope, missing, restoreIt, restoreOrCancel, type Verification } from "../finding.ts";
import type { Id } from "../fingerprints.ts";
import {
  acceptable,
  type Fault,
  type Inspection,
  manual,
  nothingWrong,
  repairable,
  type Suspect,
} from "../inspection.ts";

/** An item, and its title in findings. */
interface Named {
  readonly key: Key;
  readonly title: string;
}

/** Entries of the `incomplete` indexes are not compared: `operator data migrate` is still to add some. */
export function lookupsCheck(
  verification: Verification,
  incomplete: readonly LaterIndex[],
): FirstPass<Suspect> {
  const isComplete = (partition: string): boolean => !incomplete.some(({ name }) => name === partition);
  const isCompared = ({ item }: Insert): boolean => isComplete(partitionOf({ pk: String(item["pk"]) }));
  return comparison({
    lists: lookupKinds.map(({ list }) => list),
    ofListItem: (item) => factsOfRecord(verification, item, isCompared),
    ofItems: lookupKinds.flatMap((kind) =>
      kind.partitions
        .filter(({ partition }) => isComplete(partition))
        .map((place) => ({
          table: place.table,
          kind: place.partition,
          isVerified: (item: RawItem) => isInScope(verification, ownerOf(item, place)),
          facts: (item: RawItem) => {
            if (idIn(item, place) === undefined || item[archivedAttribute] !== undefined) return [];
            const key = keyIn(item);
            const title = titleOf(place, key);
            const inspect = () => inspectLookup(verification, kind, place, { key, title });
            return [{ sum: textOf(place.table, item), by: -1, subject: { key, title, inspect } }];
          },
        })),
    ),
  });
}

function* factsOfRecord(
  verification: Verification,
  { list, key, item, record }: ListItem,
  isCompared: (one: Insert) => boolean,
): Generator<Fact<Suspect>, void> {
  const id = idOf(key);
  if (isListedRecord(item) && id !== undefined) yield { has: id };
  const kind = lookupKinds.find((one) => one.list === list);
  if (record === undefined || kind === undefined) return;
  const { title, lookups, refersTo } = record;
  const inspect = () => inspectRecord(verification, kind, { key, title }, isCompared);
  const subject = { key, title, inspect };
  for (const { table, item: lookup } of lookups.filter(isCompared))
    yield { sum: textOf(table, lookup), by: 1, subject };
  // The saga may be gone, and a record outside the lists has no id.
  if (item[sagaAttribute] !== undefined) yield { suspect: subject };
  for (const { key: other } of refersTo.values()) {
    const needs = idOf(other);
    yield needs === undefined ? { suspect: subject } : { needs, subject };
  }
}

/** The id of a record of a list; undefined for another item, such as a distribution center. */
const idOf = ({ pk, sk }: Key): Id | undefined =>
  /^\d+$/.test(sk) ? { kind: pk.split("#", 1)[0] ?? pk, id: Number(sk) } : undefined;

/** The same text for items with the same attributes. */
const textOf = (table: TableName, item: RawItem): string => JSON.stringify([table, sorted(item)]);

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return fields
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, field]) => [name, sorted(field)]);
}

/** The account of a lookup item: partitions begin with it, except those that all accounts share. */
const ownerOf = ({ pk, account_id }: RawItem, { partition }: LookupPartition): number =>
  typeof account_id === "number" ? account_id : accountIn(String(pk).slice(partition.length + 1));

function titleOf({ partition }: LookupPartition, { pk, sk }: Key): string {
  const rest = pk.slice(partition.length + 1);
  return `entry ${partition} ${rest} ${sk}`.replaceAll("\u0000", " ").trim();
}

/** An item that a saga has locked. If the saga is gone, a person has to decide about it. */
async function inspectLocked({ db }: Verification, item: RawItem, title: string): Promise<Inspection> {
  if ((await readSagaItems(db, String(item[sagaAttribute]))) !== undefined) return "busy";
  const difference = missing(title, "the saga that it waits for", "there, or done");
  return { state: item, faults: [manual(difference, restoreIt)] };
}

/** Centers are read after the record, which may refer to a new one. */
async function inspectRecord(
  verification: Verification,
  kind: LookupKind,
  { key, title }: Named,
  isCompared: (one: Insert) => boolean,
): Promise<Inspection> {
  const { db } = verification;
  const place = { table: kind.list.table, key };
  const record = await getItem(db, place);
  if (!isListedRecord(record)) return nothingWrong;
  if (record[sagaAttribute] !== undefined) return inspectLocked(verification, record, title);
  const { lookups: all, refersTo } = kind.read(record, await readCenters(db));
  const lookups = all.filter(isCompared);
  const find = await getItems(db, [...lookups.map(lookupOf), ...refersTo.values()]);
  const gone = [...refersTo].filter(([, other]) => find(other) === undefined).map(([name]) => name);
  const wrong = lookups.filter((one) => !isStoredAs(find(lookupOf(one)), one));
  if (wrong.some((one) => find(lookupOf(one))?.[sagaAttribute] !== undefined)) return "busy";
  const taken = await takenByOthers(db, kind, wrong, find);
  const state = [record, gone, wrong.map((one) => find(lookupOf(one)) ?? null)];
  const what = "a record that it refers to";
  const references = gone.map((name) =>
    manual({ record: title, what, actual: `${name} is not there`, expected: name }, restoreOrCancel),
  );
  const faults = wrong.map((one) =>
    faultOfLookup(title, one, find(lookupOf(one)), unchangedRecord(place, record), taken.has(one)),
  );
  return { state, faults: [...references, ...faults] };
}

/** Whether an item is this lookup item. Others may add attributes to it. */
const isStoredAs = (item: RawItem | undefined, { item: expected }: Insert): boolean =>
  item !== undefined && Object.entries(expected).every(([name, value]) => isDeepEqual(item[name], value));

function idIn(item: RawItem, { idAttribute }: LookupPartition): number | undefined {
  const { [idAttribute]: id } = item;
  return typeof id === "number" ? id : undefined;
}

/** Those of the lookup items that rightly belong to another record, or to one that is gone. */
async function takenByOthers(
  db: Verification["db"],
  kind: LookupKind,
  lookups: readonly Insert[],
  find: FindItem,
): Promise<ReadonlySet<Insert>> {
  const taken = new Set<Insert>();
  for (const one of lookups) {
    const found = find(lookupOf(one));
    if (found === undefined) continue;
    for (const other of lookupKinds)
      for (const place of other.partitions.filter((some) => String(found["pk"]).startsWith(prefixOf(some)))) {
        const id = idIn(found, place);
        if (id === undefined || (other === kind && id === idIn(one.item, place))) continue;
        const holder = await getItem(db, { table: other.list.table, key: recordKey(other.list, id) });
        if (!isListedRecord(holder) || isLookupOf(holder, found, other)) taken.add(one);
      }
  }
  return taken;
}

/** Where lookup items lie does not depend on centers. */
const noCenters: Centers = new Map();

/**
 * Whether a record has a lookup item at this place, whatever it says. An unreadable record is taken to have
 * it.
 */
function isLookupOf(record: RawItem | undefined, lookup: RawItem, kind: LookupKind): boolean {
  if (!isListedRecord(record)) return false;
  try {
    return kind.read(record, noCenters).lookupKeys.some((key) => isDeepEqual(key, keyIn(lookup)));
  } catch {
    return true;
  }
}

/** A missing or mismatched lookup item. If another record rightly has it, a person has to decide. */
function faultOfLookup(
  title: string,
  one: Insert,
  found: RawItem | undefined,
  isUnchanged: Change,
  isTaken: boolean,
): Fault {
  const { pk, sk, ...expected } = one.item;
  const difference = {
    record: title,
    what: `the entry that finds it (${[pk, sk].join(" ").replaceAll("\u0000", " ")})`,
    actual: found === undefined ? "not there" : JSON.stringify(found),
    expected: JSON.stringify(expected),
  };
  return isTaken
    ? manual(difference, "give one of the two records another name, or restore the other from a backup")
    : repairable(difference, isUnchanged, replacement(one, found));
}

/** A condition that a record is as it was read. Not every record has a version. */
const unchangedRecord = (place: Lookup, { [facetKeyAttribute]: facetKey, version }: ListedRecord): Change =>
  unchanged(place, { [facetKeyAttribute]: facetKey, ...(typeof version === "number" && { version }) });

function replacement(one: Insert, found: RawItem | undefined): Write {
  if (found === undefined) return { ...one, rejection: stale };
  const { pk, sk, ...set } = one.item;
  const remove = Object.keys(found).filter((name) => !(name in one.item));
  const place = { table: one.table, key: { pk, sk } };
  return { kind: "change", ...place, set, remove, when: unchangedIds(found) };
}

/** Conditions that the ids in a lookup item are as they were read. */
const unchangedIds = (found: RawItem): readonly Condition[] =>
  Object.entries(found).flatMap(([name, value]): readonly Condition[] =>
    name !== "pk" && name !== "sk" && typeof value === "number" ? [{ attribute: name, equals: value }] : [],
  );

/**
 * A lookup item that its record does not have any more is removed. One whose record is gone is kept, because
 * it names what is lost.
 */
async function inspectLookup(
  verification: Verification,
  kind: LookupKind,
  place: LookupPartition,
  { key, title }: Named,
): Promise<Inspection> {
  const { db } = verification;
  const lookup = { table: place.table, key };
  const found = await getItem(db, lookup);
  const id = found === undefined ? undefined : idIn(found, place);
  if (found === undefined || id === undefined) return nothingWrong;
  if (found[sagaAttribute] !== undefined) return inspectLocked(verification, found, title);
  const recordPlace = { table: kind.list.table, key: recordKey(kind.list, id) };
  const record = await getItem(db, recordPlace);
  if (record?.[sagaAttribute] !== undefined) return "busy";
  if (isLookupOf(record, found, kind)) return nothingWrong;
  const isGone = !isListedRecord(record);
  const difference = {
    record: title,
    what: `${kind.list.name} ${id}`,
    actual: isGone ? "of a record that is not there" : "of a record that has another name",
    expected: "not there",
  };
  const removal = removalOf(lookup, ...unchangedIds(found));
  const fault = isGone
    ? acceptable(difference, `restore ${kind.list.name} ${id} from a backup`, removal)
    : repairable(difference, unchangedRecord(recordPlace, record), removal);
  return { state: [found, record ?? null], faults: [fault] };
}
