/**
 * Holds records against the entries that find them, and entries against the records that they find.
 *
 * Writers may go on. What looks wrong is read again: record, entries, record. It counts only where the record stayed as it
 * was, and nothing of it is underway. A record that has been given another name meanwhile is read again.
 */
import {
  beginsOf,
  type Centers,
  type EntryKind,
  type EntryPlace,
  entryKinds,
  readCenters,
} from "../../data/entries.ts";
import type { Key } from "../../store/keys.ts";
import { allBlocks } from "../../store/lists/all-blocks.ts";
import { itemsOf, recordKey } from "../../store/lists/block-list.ts";
import { getItems, type Lookup, queryPages, type RawItem } from "../../store/reads.ts";
import { scanPages } from "../../store/scan.ts";
import { forEach } from "../../store/side-by-side.ts";
import { transact, unlessStale } from "../../store/transact.ts";
import { underway } from "../../store/writes.ts";

import {
  type Look,
  lookAtEntry,
  lookAtRecord,
  type SuspectEntry,
  type SuspectRecord,
} from "./entry-faults.ts";
import { holds, idIn, isEntryOf, keyIn, lookupOf, readable } from "./entry-items.ts";
import { reportUnreadable, untilDecided, type Verification } from "./finding.ts";
import { accountOf } from "./lists.ts";

const pageSize = 100;

/** A record whose entries look wrong, or an entry whose record does. */
type Suspect = SuspectRecord | SuspectEntry;

/** Verifies what finds records, and repairs that where it is asked for. It reads the tables `inventory` and `directory` whole. */
export async function verifyEntries(verification: Verification): Promise<void> {
  const { db, repairer, report } = verification;
  const centers = await readCenters(db);
  const suspects: Suspect[] = [];
  for (const kind of entryKinds) await recordsThatSeemWrong(verification, kind, centers, suspects);
  await entriesThatSeemWrong(verification, suspects);
  await untilDecided(
    verification,
    suspects,
    async (left) => {
      const undecided: Suspect[] = [];
      await forEach(left, async (suspect) => {
        const look = await lookAt(verification, suspect);
        if (look === "busy") undecided.push(suspect);
        else
          for (const { difference, writes } of look) {
            const isRepairing = repairer !== undefined && writes !== undefined;
            const isMended = isRepairing && (await unlessStale(() => transact(db, writes)));
            if (isRepairing && !isMended) {
              undecided.push(suspect);
              return;
            }
            const state = isMended ? "repaired" : writes === undefined ? "by_hand" : "found";
            report({ kind: "difference", ...difference, state });
          }
      });
      return undecided;
    },
    ({ title }) => title,
  );
}

const lookAt = (verification: Verification, suspect: Suspect): Promise<Look> =>
  "record" in suspect ? lookAtRecord(verification, suspect) : lookAtEntry(verification, suspect);

/** Finds the records of a list that lack an entry, or refer to what is not there. */
async function recordsThatSeemWrong(
  verification: Verification,
  kind: EntryKind,
  centers: Centers,
  suspects: Suspect[],
): Promise<void> {
  const { db, accountId } = verification;
  const blocks = allBlocks(db, kind.list, (owner) => isMeant(accountId, accountOf(owner)));
  await forEach(blocks, async ({ block }) => {
    for await (const items of queryPages(db, itemsOf(kind.list, block), pageSize)) {
      const records = items.filter(({ cell }) => cell !== undefined);
      const known = records.flatMap((item) => {
        const key = keyIn(item);
        const read = readable(kind, item, centers);
        if (read !== undefined) return [{ key, isHeld: item[underway] !== undefined, ...read }];
        reportUnreadable(verification, `list ${kind.list.name}`, key);
        return [];
      });
      const find = await getItems(
        db,
        known.flatMap(({ entries, refersTo }) => [...entries.map(lookupOf), ...refersTo.values()]),
      );
      for (const { key, isHeld, title, entries, refersTo } of known) {
        const isRight =
          !isHeld &&
          entries.every((entry) => holds(find(lookupOf(entry)), entry)) &&
          [...refersTo.values()].every((lookup) => find(lookup) !== undefined);
        if (!isRight) suspects.push({ kind, record: key, title });
      }
    }
  });
}

const isMeant = (accountId: number | undefined, owner: number): boolean =>
  accountId === undefined || accountId === owner;

/** Finds the entries that no record has. Each table of entries is read once. */
async function entriesThatSeemWrong(verification: Verification, suspects: Suspect[]): Promise<void> {
  const places = entryKinds.flatMap((kind) => kind.places.map((place) => ({ kind, place })));
  for (const [table, within] of Map.groupBy(places, ({ place }) => place.table)) {
    const partitions = [...new Set(within.map(({ place }) => beginsOf(place)))];
    for await (const items of scanPages(verification.db, { table, partitions }))
      for (const { kind, place } of within) {
        const its = items.filter(({ pk }) => String(pk).startsWith(beginsOf(place)));
        for (let start = 0; start < its.length; start += pageSize)
          suspects.push(...(await lostAmong(verification, kind, place, its.slice(start, start + pageSize))));
      }
  }
}

async function lostAmong(
  { db, accountId }: Verification,
  kind: EntryKind,
  place: EntryPlace,
  items: readonly RawItem[],
): Promise<readonly Suspect[]> {
  // A name may be of a product or of a synset, which are of different lists.
  const entries = items.filter(
    (item) => idIn(item, place) !== undefined && isMeant(accountId, ownerOf(item, place)),
  );
  const recordOf = (item: RawItem): Lookup => ({
    table: kind.list.table,
    key: recordKey(kind.list, idIn(item, place) ?? 0),
  });
  const find = await getItems(db, entries.map(recordOf));
  return entries
    .filter((item) => !isEntryOf(find(recordOf(item)), item, kind))
    .map((item) => ({
      kind,
      place,
      entry: { table: place.table, key: keyIn(item) },
      title: entryTitle(place, keyIn(item)),
    }));
}

const entryTitle = ({ partition }: EntryPlace, { pk, sk }: Key): string =>
  `entry ${partition} ${pk.slice(partition.length + 1)} ${sk}`.replaceAll("\u0000", " ").trim();

/** Whose entry it is. Partitions name the account first, save those that are of all accounts. */
const ownerOf = ({ pk, account_id }: RawItem, { partition }: EntryPlace): number =>
  typeof account_id === "number" ? account_id : Number.parseInt(String(pk).slice(partition.length + 1), 10);
