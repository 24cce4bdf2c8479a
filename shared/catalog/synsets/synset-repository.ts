import { isUnchanged } from "../../common/deep-equal.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { getItems } from "../../store/dynamodb/reads.ts";
import { type PlannedWrites, withEffects } from "../../store/dynamodb/writes.ts";
import { type BlockList, standardBlocks } from "../../store/lists/block-list.ts";
import { recordOf, repositoryOf, type Stored } from "../../store/lists/repository.ts";
import { changeName, insertName, nameLookup, synsetIn } from "../name-repository.ts";
import { type Synset, synset } from "./synset.ts";

export const synsetList: BlockList = { table: "inventory", name: "synset", ...standardBlocks };

export const synsets = repositoryOf<Synset>(synsetList, recordOf(synset), {
  idOf: ({ synset_id }) => synset_id,
  entries: ({ account_id, synset, synset_id, items }, path) => [
    insertName(account_id, synset, { synset_id, items }, `${path}.synset`),
  ],
});

/** The account's synsets by name. Unknown names are absent from the result. */
export async function findSynsets(
  db: Database,
  accountId: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, Stored<Synset>>> {
  const findEntry = await getItems(
    db,
    names.map((name) => nameLookup(accountId, name)),
  );
  const ids = names.flatMap((name) => synsetIn(findEntry(nameLookup(accountId, name)))?.synset_id ?? []);
  const found = await synsets.findAll(db, accountId, ids);
  return new Map([...found.values()].map((stored) => [stored.record.synset, stored]));
}

/**
 * Stores `after` in place of `before`, and what its name stands for; stale if the synset changed
 * meanwhile. If nothing changed, nothing is stored.
 */
export function saveSynset(before: Stored<Synset>, after: Synset): PlannedWrites {
  const saved = synsets.save(before, after);
  if (isUnchanged(before.record, after)) return saved;
  return withEffects(saved, [changeName(after.account_id, after.synset, { items: after.items })]);
}
