import {
  distributionCenterIn,
  type Reference,
  readAccepted,
  referencesTo,
  storeLookup,
  unknownIn,
} from "../../registries/registry-repository.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { getItems, parsed } from "../../store/dynamodb/reads.ts";
import { nameLookup, skuIn } from "../name-repository.ts";
import type { AliasInput } from "./alias.ts";
import { aliasEntry, aliasEntryLookup } from "./alias-names.ts";
import type { AliasReferences } from "./alias-references.ts";

/**
 * Reads everything that the aliases of a call refer to, and the owners of their names. One round trip, and
 * one more if a reference is unknown.
 */
export async function readAliasReferences(
  db: Database,
  accountId: number,
  aliases: readonly AliasInput[],
): Promise<AliasReferences> {
  const references = aliases.flatMap(({ channel_id: id, distribution_center }): readonly Reference[] => [
    ...(id ? [{ registry: "store_id", lookup: storeLookup(accountId, id) } as const] : []),
    ...referencesTo.distributionCenter(distribution_center),
  ]);
  const find = await getItems(db, [
    ...references.map(({ lookup }) => lookup),
    ...aliases.flatMap(({ sku, alias, channel_id = null }) => [
      nameLookup(accountId, sku),
      aliasEntryLookup(accountId, { alias, channel_id }),
    ]),
  ]);
  return {
    product: (sku) => skuIn(find(nameLookup(accountId, sku))),
    hasStore: (id) => find(storeLookup(accountId, id)) !== undefined,
    center: (code) => distributionCenterIn(find, code),
    holder: (name) => parsed(aliasEntry, find(aliasEntryLookup(accountId, name)))?.alias_id,
    accepted: await readAccepted(db, accountId, unknownIn(references, find)),
  };
}
