import { invalidAt } from "../../common/problem.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { getItems, parsed } from "../../store/dynamodb/reads.ts";
import {
  insertOf,
  type PlannedWrites,
  removalOf,
  type Write,
  withEffects,
} from "../../store/dynamodb/writes.ts";
import { type BlockList, standardBlocks } from "../../store/lists/block-list.ts";
import { facets } from "../../store/lists/facets.ts";
import { recordOf, repositoryOf, type Stored } from "../../store/lists/repository.ts";
import { sharedTexts } from "../../store/lookup-index.ts";
import { type Alias, type AliasKey, alias } from "./alias.ts";
import { type AliasName, aliasEntry, aliasEntryLookup } from "./alias-names.ts";
import { takenAlias } from "./alias-references.ts";

export const aliasList: BlockList = { table: "inventory", name: "alias", ...standardBlocks };

/**
 * Alias lists can be filtered by channel (0 for every channel) and by distribution center id (0 for none).
 */
export const aliasFacets = facets("channel", "center");

const facetKeyOf = ({ channel_id: channel, distribution_center_id: center }: Alias): string =>
  aliasFacets.key({ channel: channel ?? 0, center: center ?? 0 });

export const aliases = repositoryOf<Alias>(aliasList, recordOf(alias), {
  idOf: ({ alias_id }) => alias_id,
  facetKeyOf,
  entries: (created, path) => [insertEntry(created, path), ...aliasSkus.change(undefined, skuOf(created))],
});

/** The account's aliases by id or by name, in two round trips. */
export async function findAliases(
  db: Database,
  accountId: number,
  keys: readonly AliasKey[],
): Promise<(key: AliasKey) => Stored<Alias> | undefined> {
  const entryLookup = (key: AliasName) => aliasEntryLookup(accountId, key);
  const findEntry = await getItems(
    db,
    keys.flatMap((key) => ("alias_id" in key ? [] : [entryLookup(key)])),
  );
  const idOf = (key: AliasKey) =>
    "alias_id" in key ? key.alias_id : parsed(aliasEntry, findEntry(entryLookup(key)))?.alias_id;
  const records = await aliases.findAll(
    db,
    accountId,
    keys.flatMap((key) => idOf(key) ?? []),
  );
  return (key) => {
    const aliasId = idOf(key);
    const found = aliasId === undefined ? undefined : records.get(aliasId);
    // An alias that was renamed between the two reads no longer matches its old name.
    const isMeant =
      "alias_id" in key || (found?.record.alias === key.alias && found.record.channel_id === key.channel_id);
    return isMeant ? found : undefined;
  };
}

/** Aliases by the SKUs of their products. */
export const aliasSkus = sharedTexts("alias-sku");

const skuOf = ({ account_id: owner, sku: text, alias_id: id }: Alias) => ({ owner, text, id });

const insertEntry = (held: Alias, path: string): Write =>
  insertOf(
    aliasEntryLookup(held.account_id, held),
    { alias_id: held.alias_id, sku: held.sku },
    { rejection: () => invalidAt([takenAlias(held, path)]) },
  );

/**
 * Stores `after` in place of `before`, with its counts and what its text stands for; stale if the alias
 * changed meanwhile. `path` is where the request holds it, should its new text be taken.
 */
export const saveAlias = (before: Stored<Alias>, after: Alias, path: string): PlannedWrites =>
  withEffects(aliases.save(before, after), [
    ...saveEntry(before.record, after, path),
    ...aliasSkus.change(skuOf(before.record), skuOf(after)),
  ]);

/** The version of the alias guards its entry too, because both only change together. */
function saveEntry(before: Alias, after: Alias, path: string): readonly Write[] {
  const entry = aliasEntryLookup(before.account_id, before);
  if (before.alias !== after.alias || before.channel_id !== after.channel_id) {
    return [removalOf(entry), insertEntry(after, path)];
  }
  if (before.sku === after.sku) return [];
  const when = [{ attribute: "alias_id", equals: after.alias_id }];
  return [{ kind: "change", ...entry, set: { sku: after.sku }, when }];
}
