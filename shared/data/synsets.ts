import * as z from "zod/mini";
import { invalidAt } from "../domain/problem.ts";
import { type Synset, synset } from "../domain/synset.ts";
import { counted, listed, recordKey } from "./block-list.ts";
import type { Database } from "./database.ts";
import { joined, only } from "./keys.ts";
import { synsetList } from "./lists.ts";
import { type PageRequest, readPage } from "./pages.ts";
import { getItem, getItems, type Lookup, type RawItem } from "./reads.ts";
import { parsed } from "./registries.ts";
import { stale, type Write } from "./writes.ts";

/** Synsets are listed unfiltered. */
const cell = "|";

/** What a kit's name stands for: the kit's id and, so that orders need not read the kit, its components. */
export const synsetEntry = z.object({ synset_id: z.int(), items: synset.shape.items });
export type SynsetEntry = z.output<typeof synsetEntry>;

export const synsetEntryLookup = (accountId: number, name: string): Lookup => ({
  table: synsetList.table,
  key: { pk: joined("synset-name", accountId, name), sk: only },
});

/** What this name stands for in the account. */
export const findSynsetEntry = async (
  db: Database,
  accountId: number,
  name: string,
): Promise<SynsetEntry | undefined> =>
  parsed(synsetEntry, await getItem(db, synsetEntryLookup(accountId, name)));

const synsetLookup = (synsetId: number): Lookup => ({
  table: synsetList.table,
  key: recordKey(synsetList, synsetId),
});

const parseSynset = (item: RawItem): Synset => z.parse(synset, item);

/** The account's synset with this id. */
export async function findSynset(
  db: Database,
  accountId: number,
  synsetId: number,
): Promise<Synset | undefined> {
  const found = parsed(synset, await getItem(db, synsetLookup(synsetId)));
  return found?.account_id === accountId ? found : undefined;
}

/** The account's synsets by name; a name that is none's is absent from the answer. */
export async function findSynsets(
  db: Database,
  accountId: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, Synset>> {
  const findEntry = await getItems(
    db,
    names.map((name) => synsetEntryLookup(accountId, name)),
  );
  const entries = names.flatMap((name) => {
    const entry = parsed(synsetEntry, findEntry(synsetEntryLookup(accountId, name)));
    return entry === undefined ? [] : [entry];
  });
  const find = await getItems(
    db,
    entries.map(({ synset_id }) => synsetLookup(synset_id)),
  );
  const found = entries.flatMap(({ synset_id }) => parsed(synset, find(synsetLookup(synset_id))) ?? []);
  return new Map(found.map((one) => [one.synset, one]));
}

/** Creates the synset with its name; `path` is where the request states the name. */
export const insertSynset = (created: Synset, path: string): readonly Write[] => [
  {
    kind: "insert",
    table: synsetList.table,
    item: { v: 1, ...created, ...listed(synsetList, created.synset_id, cell, created.created_at) },
    refusal: stale,
  },
  {
    kind: "insert",
    table: synsetList.table,
    item: {
      v: 1,
      ...synsetEntryLookup(created.account_id, created.synset).key,
      ...z.parse(synsetEntry, created),
    },
    refusal: () => invalidAt([{ path, message: `already exists (${created.synset})` }]),
  },
  counted(synsetList, String(created.account_id), created.synset_id, cell),
];

/** Stores `after` in place of `before`, and what its name stands for; stale where the synset changed meanwhile. */
export function saveSynset(before: Synset, after: Synset): readonly Write[] {
  const { account_id, synset_id, synset: name, ...fields } = after;
  return [
    {
      kind: "change",
      table: synsetList.table,
      key: synsetLookup(synset_id).key,
      set: fields,
      when: [{ attribute: "version", equals: before.version }],
      refusal: stale,
    },
    {
      kind: "change",
      table: synsetList.table,
      key: synsetEntryLookup(account_id, name).key,
      set: { items: after.items },
      // The record's version vouches for the entry, since they only ever change together.
      when: [{ attribute: "pk", is: "present" }],
      refusal: stale,
    },
  ];
}

/** The account's synsets of one page, and how many it has. */
export async function readSynsets(
  db: Database,
  accountId: number,
  request: PageRequest,
): Promise<{ readonly synsets: readonly Synset[]; readonly total: number }> {
  const { items, total } = await readPage(db, synsetList, String(accountId), request);
  return { synsets: items.map(parseSynset), total };
}
