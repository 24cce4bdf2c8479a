import type { AliasInput } from "../domain/catalog/alias.ts";
import type { AliasReferences } from "../domain/catalog/alias-references.ts";
import type { Database } from "../store/database.ts";
import { getItems } from "../store/reads.ts";
import { aliasEntry, aliasEntryLookup } from "./aliases.ts";
import { skuEntry, skuLookup } from "./products.ts";
import { distributionCenter, distributionCenterLookup, parsed, storeLookup } from "./registries.ts";

/** Everything that the aliases of one call refer to, and who holds their names: one round trip. */
export async function readAliasReferences(
  db: Database,
  accountId: number,
  aliases: readonly AliasInput[],
): Promise<AliasReferences> {
  const find = await getItems(
    db,
    aliases.flatMap(({ sku, alias, channel_id, distribution_center }) => [
      skuLookup(accountId, sku),
      storeLookup(accountId, channel_id),
      aliasEntryLookup(accountId, channel_id, alias),
      ...(distribution_center ? [distributionCenterLookup(distribution_center)] : []),
    ]),
  );
  return {
    product: (sku) => parsed(skuEntry, find(skuLookup(accountId, sku))),
    hasStore: (id) => find(storeLookup(accountId, id)) !== undefined,
    center: (code) => parsed(distributionCenter, find(distributionCenterLookup(code))),
    holder: (alias, channelId) =>
      parsed(aliasEntry, find(aliasEntryLookup(accountId, channelId, alias)))?.alias_id,
  };
}
