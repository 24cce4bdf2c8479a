/** What finds records and what records refer to, as sums over whole tables. They tell whether all of it fits. */
import {
  type Centers,
  type EntryKind,
  type EntryPlace,
  entryKinds,
  type Known,
} from "../../../../shared/schema/lookups.ts";
import type { Key } from "../../../../shared/store/dynamodb/keys.ts";
import type { RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import { sagaAttribute } from "../../../../shared/store/dynamodb/writes.ts";
import type { TableName } from "../../../../shared/store/tables.ts";
import { accountOf, isMeant, type Verification } from "../finding.ts";
import type { Taking } from "../reading.ts";
import { Fingerprints } from "./fingerprints.ts";
import { IdSet } from "./id-sets.ts";
import type { SuspectRecord } from "./lookup-faults.ts";
import { idIn, keyIn, readable } from "./lookup-items.ts";

/** The lists whose records others refer to have ids as sort keys; what else is referred to is looked up. */
const isOfList = ({ sk }: Key): boolean => /^\d+$/.test(sk);

/** Gathers records and entries, in whatever order they come. */
export class EntrySums {
  readonly #entries = new Fingerprints();
  readonly #records = new IdSet();
  readonly #referredTo = new IdSet();
  /** Records that steps hold, or that refer to what is not in a list: they are looked at by themselves. */
  readonly apart: SuspectRecord[] = [];
  #missing: IdSet | undefined;

  addRecord(kind: EntryKind, item: RawItem, key: Key, known: Known | undefined): void {
    this.#records.add(key);
    if (known === undefined) return;
    const { title, entries, refersTo } = known;
    for (const { table, item: entry } of entries) this.#entries.count(textOf(table, entry), 1);
    const keys = [...refersTo.values()].map((lookup) => lookup.key);
    for (const one of keys.filter(isOfList)) this.#referredTo.add(one);
    const isApart = item[sagaAttribute] !== undefined || keys.some((one) => !isOfList(one));
    if (isApart) this.apart.push({ kind, record: key, title });
  }

  addEntry(place: EntryPlace, item: RawItem): void {
    this.#entries.count(textOf(place.table, item), -1);
  }

  /** Whether all records are found, nothing else is, and what they refer to is there. */
  get fits(): boolean {
    return this.#entries.isEven && this.#absent.isEmpty;
  }

  get #absent(): IdSet {
    this.#missing ??= this.#referredTo.without(this.#records);
    return this.#missing;
  }

  /** Whether an entry may lack, or be one too many. */
  isUneven = (table: TableName, entry: RawItem): boolean => this.#entries.isUneven(textOf(table, entry));

  /** Whether something of a record may lack. */
  seemsWrong = ({ entries, refersTo }: Known): boolean =>
    entries.some(({ table, item }) => this.isUneven(table, item)) ||
    [...refersTo.values()].some(({ key }) => isOfList(key) && this.#absent.has(key));
}

/** A text that two items share where they are the same. */
const textOf = (table: TableName, item: RawItem): string => JSON.stringify([table, sorted(item)]);

/** The value with the fields of its objects in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return fields
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, field]) => [name, sorted(field)]);
}

/** Takes the entries of all kinds, of the accounts that are meant. A name may be of a product or of a synset. */
export const entryTakings = (
  verification: Verification,
  take: (kind: EntryKind, place: EntryPlace, item: RawItem) => void,
): readonly Taking[] =>
  entryKinds.flatMap((kind) =>
    kind.places.map((place) => ({
      table: place.table,
      kind: place.partition,
      take: (item) => {
        if (idIn(item, place) !== undefined && isMeant(verification, ownerOf(item, place)))
          take(kind, place, item);
      },
    })),
  );

/** Takes the records of these kinds that can be read, of the accounts that are meant. */
export const recordTakings = (
  verification: Verification,
  kinds: readonly EntryKind[],
  centers: Centers,
  take: (kind: EntryKind, known: Known, record: Key) => void,
): readonly Taking[] =>
  kinds.map((kind) => ({
    table: kind.list.table,
    kind: kind.list.name,
    take: (item) => {
      if (item["cell"] === undefined || !isMeant(verification, item["account_id"])) return;
      const known = readable(kind, item, centers);
      if (known !== undefined) take(kind, known, keyIn(item));
    },
  }));

/** Whose entry it is. Partitions name the account first, save those that are of all accounts. */
const ownerOf = ({ pk, account_id }: RawItem, { partition }: EntryPlace): number =>
  typeof account_id === "number" ? account_id : accountOf(String(pk).slice(partition.length + 1));
