import type { AliasInput } from "../domain/catalog/alias.ts";
import type { AliasReferences } from "../domain/catalog/alias-references.ts";
import type { Database } from "../store/database.ts";
import { getItems } from "../store/reads.ts";
import { aliasEntry, aliasEntryLookup } from "./aliases.ts";
import { nameLookup, skuIn } from "./names.ts";
import { distributionCenter, distributionCenterLookup, parsed, storeLookup } from "./registries.ts";

/** Everything that the aliases of one call refer to, and who holds their names: one round trip. */
export async function readAliasReferences(
  db: Database,
  accountId: number,
  aliases: readonly AliasInput[],
): Promise<AliasReferences> {
  const find = await getItems(
    db,
    aliases.flatMap(({ sku, alias, channel_id = null, distribution_center }) => [
      nameLookup(accountId, sku),
      ...(channel_id === null ? [] : [storeLookup(accountId, channel_id)]),
      aliasEntryLookup(accountId, { alias, channel_id }),
      ...(distribution_center ? [distributionCenterLookup(distribution_center)] : []),
    ]),
  );
  return {
    product: (sku) => skuIn(find(nameLookup(accountId, sku))),
    hasStore: (id) => find(storeLookup(accountId, id)) !== undefined,
    center: (code) => parsed(distributionCenter, find(distributionCenterLookup(code))),
    holder: (name) => parsed(aliasEntry, find(aliasEntryLookup(accountId, name)))?.alias_id,
  };
}
