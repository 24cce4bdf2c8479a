import * as z from "zod/mini";
import { type Synset, synset } from "../domain/catalog/synset.ts";
import { invalidAt } from "../domain/problem.ts";
import type { Database } from "../store/database.ts";
import { joined, only } from "../store/keys.ts";
import { synsetList } from "../store/lists/definitions.ts";
import { repositoryOf } from "../store/lists/repository.ts";
import { getItem, getItems, type Lookup } from "../store/reads.ts";
import { stale, type Write } from "../store/writes.ts";
import { parsed } from "./registries.ts";

export const synsets = repositoryOf(synsetList, synset, { idOf: ({ synset_id }) => synset_id });

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
  const ids = names.flatMap(
    (name) => parsed(synsetEntry, findEntry(synsetEntryLookup(accountId, name)))?.synset_id ?? [],
  );
  const found = await synsets.findAll(db, accountId, ids);
  return new Map([...found.values()].map((one) => [one.synset, one]));
}

/** Creates the synset with its name; `path` is where the request states the name. */
export const insertSynset = (created: Synset, path: string): readonly Write[] => [
  ...synsets.insert(created),
  {
    kind: "insert",
    table: synsetList.table,
    item: {
      ...synsetEntryLookup(created.account_id, created.synset).key,
      ...z.parse(synsetEntry, created),
    },
    refusal: () => invalidAt([{ path, message: `already exists (${created.synset})` }]),
  },
];

/**
 * Stores `after` in place of `before`, and what its name stands for; stale where the synset changed meanwhile. Where
 * `after` is `before` itself, nothing is to be stored.
 */
export function saveSynset(before: Synset, after: Synset): readonly Write[] {
  if (after === before) return [];
  return [
    ...synsets.save(before, after),
    {
      kind: "change",
      table: synsetList.table,
      key: synsetEntryLookup(after.account_id, after.synset).key,
      set: { items: after.items },
      // The record's version vouches for the entry, since they only ever change together.
      when: [{ attribute: "pk", is: "present" }],
      refusal: stale,
    },
  ];
}
