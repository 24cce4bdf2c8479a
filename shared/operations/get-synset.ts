import { findSynsets, synsets } from "../data/synsets.ts";
import type { Synset } from "../domain/catalog/synset.ts";
import { idIn } from "../domain/fields.ts";
import { notFound } from "../domain/problem.ts";
import type { Database } from "../store/database.ts";

/**
 * The account's synset with this name or, where none has it, with this id.
 * @throws Problem `not_found`
 */
export async function getSynset(db: Database, accountId: number, identifier: string): Promise<Synset> {
  const synsetId = idIn(identifier);
  const [byName, byId] = await Promise.all([
    findSynsets(db, accountId, [identifier]),
    synsetId === undefined ? undefined : synsets.find(db, accountId, synsetId),
  ]);
  const found = byName.get(identifier) ?? byId;
  if (found === undefined) throw notFound(`There is no synset with the name or id ${identifier}`);
  return found;
}
