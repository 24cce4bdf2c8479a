/**
 * Holds records against the entries that find them, and entries against the records that they find.
 *
 * Writers may go on. What looks wrong is read again: record, entries, record. It counts only where the record stayed as it
 * was, and nothing of it is underway. A record that has been given another name meanwhile is read again.
 */
import {
  type EntryKind,
  type EntryPlace,
  entryKinds,
  readCenters,
} from "../../../../shared/schema/lookups.ts";
import type { Key } from "../../../../shared/store/dynamodb/keys.ts";
import { getItems, type Lookup, type RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import { recordKey } from "../../../../shared/store/lists/block-list.ts";
import { settleFaults } from "../fault.ts";
import { decideEach, type Verification } from "../finding.ts";
import { readTables } from "../reading.ts";
import { ifReadable } from "../unreadable.ts";
import {
  type Look,
  lookAtEntry,
  lookAtRecord,
  type SuspectEntry,
  type SuspectRecord,
} from "./lookup-faults.ts";
import { holds, idIn, isEntryOf, keyIn, lookupOf, readable } from "./lookup-items.ts";
import { type EntrySums, entryTakings, recordTakings } from "./lookup-sums.ts";

/** Items looked up at a time. */
const together = 100;

/** A record whose entries look wrong, or an entry whose record does. */
type Suspect = SuspectRecord | SuspectEntry;

/** Verifies what finds records, and repairs that where it is asked for. Where the sums do not fit, the tables are read again. */
export async function verifyEntries(verification: Verification, sums: EntrySums): Promise<void> {
  const suspects: readonly Suspect[] = sums.fits
    ? sums.apart
    : [...sums.apart, ...(await whatSeemsWrong(verification, sums))];
  const look = async (suspect: Suspect) => {
    const seen = await lookAt(verification, suspect);
    return seen === "busy" || !(await settleFaults(verification, seen)) ? "busy" : "decided";
  };
  await decideEach(verification, suspects, look, ({ title }) => title);
}

const lookAt = (verification: Verification, suspect: Suspect): Promise<Look> =>
  "record" in suspect ? lookAtRecord(verification, suspect) : lookAtEntry(verification, suspect);

interface Entry {
  readonly kind: EntryKind;
  readonly place: EntryPlace;
  readonly item: RawItem;
}

/** Reads records and entries again, and those by themselves that the sums tell of. */
async function whatSeemsWrong(verification: Verification, sums: EntrySums): Promise<readonly Suspect[]> {
  const { db } = verification;
  const centers = await readCenters(db);
  const records: SuspectRecord[] = [];
  const entries: Entry[] = [];
  await readTables(verification, [
    ...recordTakings(verification, entryKinds, centers, (kind, known, record) => {
      if (sums.seemsWrong(known)) records.push({ kind, record, title: known.title });
    }),
    ...entryTakings(verification, (kind, place, item) => {
      if (sums.isUneven(place.table, item)) entries.push({ kind, place, item });
    }),
  ]);
  const suspects: Suspect[] = [];
  for (let start = 0; start < records.length; start += together)
    suspects.push(...(await recordsLacking(verification, records.slice(start, start + together))));
  for (const ofList of Map.groupBy(entries, ({ kind }) => kind.list.name).values())
    for (let start = 0; start < ofList.length; start += together)
      suspects.push(...(await entriesLost(verification, ofList.slice(start, start + together))));
  return suspects;
}

/** Those of the records that lack an entry, or refer to what is not there. */
async function recordsLacking(
  { db }: Verification,
  records: readonly SuspectRecord[],
): Promise<readonly SuspectRecord[]> {
  const centers = await readCenters(db);
  const lookup = ({ kind, record }: SuspectRecord): Lookup => ({ table: kind.list.table, key: record });
  const find = await getItems(db, records.map(lookup));
  const known = records.flatMap((suspect) => {
    const item = ifReadable(() => find(lookup(suspect)));
    const read = item === undefined || item === "unclear" ? undefined : readable(suspect.kind, item, centers);
    return read === undefined ? [] : [{ suspect, ...read }];
  });
  const found = await getItems(
    db,
    known.flatMap(({ entries, refersTo }) => [...entries.map(lookupOf), ...refersTo.values()]),
  );
  return known.flatMap(({ suspect, entries, refersTo }) => {
    const isRight = ifReadable(
      () =>
        entries.every((entry) => holds(found(lookupOf(entry)), entry)) &&
        [...refersTo.values()].every((one) => found(one) !== undefined),
    );
    return isRight === true ? [] : [suspect];
  });
}

/** Those of the entries that no record has, or whose record can't be read. */
async function entriesLost(
  { db }: Verification,
  entries: readonly Entry[],
): Promise<readonly SuspectEntry[]> {
  const recordOf = ({ kind: { list }, place, item }: Entry): Lookup => ({
    table: list.table,
    key: recordKey(list, idIn(item, place) ?? 0),
  });
  const find = await getItems(db, entries.map(recordOf));
  return entries
    .filter((entry) => ifReadable(() => isEntryOf(find(recordOf(entry)), entry.item, entry.kind)) !== true)
    .map(({ kind, place, item }) => ({
      kind,
      place,
      entry: { table: place.table, key: keyIn(item) },
      title: entryTitle(place, keyIn(item)),
    }));
}

const entryTitle = ({ partition }: EntryPlace, { pk, sk }: Key): string =>
  `entry ${partition} ${pk.slice(partition.length + 1)} ${sk}`.replaceAll("\u0000", " ").trim();
