import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { invalidAt } from "../../common/problem.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { joined, padded } from "../../store/dynamodb/keys.ts";
import { type FindItem, getItems, type Lookup, parsed, queryRange } from "../../store/dynamodb/reads.ts";
import { stale, type Write } from "../../store/dynamodb/writes.ts";
import { aliasList } from "../../store/lists/definitions.ts";
import { facets } from "../../store/lists/facets.ts";
import type { Stored } from "../../store/lists/records.ts";
import { repositoryOf } from "../../store/lists/repository.ts";
import { type Find, sharedTexts } from "../../store/lookup-index.ts";
import type { SkuEntry } from "../name-repository.ts";
import { findSkus } from "../products/product-repository.ts";
import { type Alias, type AliasKey, type AliasName, alias } from "./alias.ts";
import { taken } from "./alias-references.ts";

/** What alias lists filter by: the channel, 0 for every channel, and the id of the distribution center, 0 for none. */
export const aliasFacets = facets("channel", "center");

const facetKeyOf = ({ channel_id: channel, distribution_center_id: center }: Alias): string =>
  aliasFacets.key({ channel: channel ?? 0, center: center ?? 0 });

export const aliases = repositoryOf(aliasList, alias, { idOf: ({ alias_id }) => alias_id, facetKeyOf });

/** What an alias' name stands for: kept apart from the alias itself, so that a name is unique. */
export const aliasEntry = z.object({ alias_id: primitive.int, sku: primitive.text });

/** An account's aliases of one text lie side by side, by channel; the one for every channel comes first. */
const textPartition = (accountId: string | number, text: string): string =>
  joined("alias-text", accountId, text);

export const aliasEntryLookup = (accountId: number, { alias: text, channel_id }: AliasName): Lookup => ({
  table: aliasList.table,
  key: { pk: textPartition(accountId, text), sk: padded(channel_id ?? 0) },
});

/** The account's aliases by their keys, which may be of both kinds; two round trips. */
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
  const records = await aliases.stored.findAll(
    db,
    accountId,
    keys.flatMap((key) => idOf(key) ?? []),
  );
  return (key) => {
    const aliasId = idOf(key);
    const found = aliasId === undefined ? undefined : records.get(aliasId);
    // One that was given another name between the two reads is no longer what its old name stands for.
    const isMeant =
      "alias_id" in key || (found?.record.alias === key.alias && found.record.channel_id === key.channel_id);
    return isMeant ? found : undefined;
  };
}

/**
 * The id of the account's alias with this text. In a channel, it is the alias that orders of the channel take: the
 * channel's own, else the one for every channel. Without a channel, it is the newest.
 */
export async function aliasIdByText(
  db: Database,
  accountId: number,
  text: string,
  channelId: number | undefined,
): Promise<number | undefined> {
  if (channelId !== undefined) {
    const names = namesIn({ name: text, channelId });
    const find = await getItems(
      db,
      names.map((name) => aliasEntryLookup(accountId, name)),
    );
    return firstEntry(find, accountId, names)?.alias_id;
  }
  const ids = (await entriesOfText(db, accountId, text)).map(({ alias_id }) => alias_id);
  return ids.length === 0 ? undefined : Math.max(...ids);
}

/** The entries of all the account's aliases with this text: at most one for each channel, and those are few. */
async function entriesOfText(db: Database, owner: string | number, text: string) {
  const items = await queryRange(db, { table: aliasList.table, pk: textPartition(owner, text) });
  return items.map((item) => ({ ...z.parse(aliasEntry, item), isForAll: item["sk"] === padded(0) }));
}

/** The SKUs that aliases of this text stand for: of the one for every channel, if there is one, and of the channels' own. */
export async function skusCalled(
  db: Database,
  accountId: number,
  text: string,
): Promise<{ readonly everywhere: string | undefined; readonly inChannels: readonly string[] }> {
  const entries = await entriesOfText(db, accountId, text);
  const own = entries.filter(({ isForAll }) => !isForAll).map(({ sku }) => sku);
  return { everywhere: entries.find(({ isForAll }) => isForAll)?.sku, inChannels: [...new Set(own)] };
}

/** Finds aliases by their text, in all channels. */
export const findAliasText: Find = async (db, owner, { text }) =>
  (await entriesOfText(db, owner, text)).map(({ alias_id }) => alias_id);

/** Aliases by the SKUs of their products. */
export const aliasSkus = sharedTexts("alias-sku");

const skuOf = ({ account_id: owner, sku: text, alias_id: id }: Alias) => ({ owner, text, id });

/** What somebody calls a product, and the channel in which they do; null where no channel is known. */
export interface CalledName {
  readonly name: string;
  readonly channelId: number | null;
}

/** The aliases that a name may mean, the first that exists counts: the channel's own goes before the one for all. */
const namesIn = ({ name: text, channelId }: CalledName): readonly AliasName[] => [
  ...(channelId === null ? [] : [{ alias: text, channel_id: channelId }]),
  { alias: text, channel_id: null },
];

const firstEntry = (find: FindItem, accountId: number, names: readonly AliasName[]) =>
  names
    .map((name) => parsed(aliasEntry, find(aliasEntryLookup(accountId, name))))
    .find((entry) => entry !== undefined);

/** The products that aliases mean (docs/decisions.md, Aliases): two round trips, and none where no name is asked for. */
export async function findAliased(
  db: Database,
  accountId: number,
  called: readonly CalledName[],
): Promise<(called: CalledName) => SkuEntry | undefined> {
  const find = await getItems(
    db,
    called.flatMap((one) => namesIn(one).map((name) => aliasEntryLookup(accountId, name))),
  );
  const targetOf = (one: CalledName) => firstEntry(find, accountId, namesIn(one))?.sku;
  const targets = called.flatMap((one) => targetOf(one) ?? []);
  const products = await findSkus(db, accountId, [...new Set(targets)]);
  return (one) => {
    const target = targetOf(one);
    return target === undefined ? undefined : products.get(target);
  };
}

/**
 * The products that these names mean where no channel is known: by SKU, else by alias for every channel. One round trip,
 * and two more where a name is no SKU.
 */
export async function findNamed(
  db: Database,
  accountId: number,
  names: readonly string[],
): Promise<(name: string) => SkuEntry | undefined> {
  const unique = [...new Set(names)];
  const products = await findSkus(db, accountId, unique);
  const called = (name: string): CalledName => ({ name, channelId: null });
  const others = unique.filter((name) => !products.has(name)).map(called);
  const aliased = await findAliased(db, accountId, others);
  return (name) => products.get(name) ?? aliased(called(name));
}

const insertEntry = (held: Alias, path: string): Write => ({
  kind: "insert",
  table: aliasList.table,
  item: {
    ...aliasEntryLookup(held.account_id, held).key,
    alias_id: held.alias_id,
    sku: held.sku,
  },
  rejection: () => invalidAt([taken(held, path)]),
});

/** Stores a new alias, found by its SKU, and by its text in its channel; `path` is where the request holds it (`data.0`). */
export const insertAlias = (created: Alias, path: string): readonly Write[] => [
  ...aliases.insert(created),
  ...aliasEntries(created, path),
];

/** What finds an alias: its text in its channel, and its SKU. */
export const aliasEntries = (found: Alias, path = "alias"): readonly Write[] => [
  insertEntry(found, path),
  ...aliasSkus.change(undefined, skuOf(found)),
];

/**
 * Stores `after` in place of `before`, with its tally and what its text stands for; stale where the alias changed
 * meanwhile. `path` is where the request holds it, should its new text be taken.
 */
export const saveAlias = (before: Stored<Alias>, after: Alias, path: string): readonly Write[] => [
  ...aliases.save(before, after),
  ...saveEntry(before.record, after, path),
  ...aliasSkus.change(skuOf(before.record), skuOf(after)),
];

/** The version of the alias guards its entry too: they only ever change together. */
function saveEntry(before: Alias, after: Alias, path: string): readonly Write[] {
  const { table, key } = aliasEntryLookup(before.account_id, before);
  if (before.alias !== after.alias || before.channel_id !== after.channel_id) {
    return [{ kind: "removal", table, key, when: [], rejection: stale }, insertEntry(after, path)];
  }
  if (before.sku === after.sku) return [];
  const when = [{ attribute: "alias_id", equals: after.alias_id }];
  return [{ kind: "change", table, key, set: { sku: after.sku }, when, rejection: stale }];
}
