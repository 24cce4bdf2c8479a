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

/**
 * Alias lists can be filtered by channel (0 for every channel) and by distribution center id (0 for none).
 */
export const aliasFacets = facets("channel", "center");

const facetKeyOf = ({ channel_id: channel, distribution_center_id: center }: Alias): string =>
  aliasFacets.key({ channel: channel ?? 0, center: center ?? 0 });

export const aliases = repositoryOf(aliasList, alias, { idOf: ({ alias_id }) => alias_id, facetKeyOf });

/** The entry of an alias's name, separate from the alias, which keeps names unique. */
export const aliasEntry = z.object({ alias_id: primitive.int, sku: primitive.text });

/**
 * The partition of an account's aliases with one text, sorted by channel. The alias for every channel comes
 * first.
 */
const textPartition = (accountId: string | number, text: string): string =>
  joined("alias-text", accountId, text);

export const aliasEntryLookup = (accountId: number, { alias: text, channel_id }: AliasName): Lookup => ({
  table: aliasList.table,
  key: { pk: textPartition(accountId, text), sk: padded(channel_id ?? 0) },
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
  const records = await aliases.stored.findAll(
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

/**
 * The id of the account's alias with this text. In a channel, it is the alias that orders of the channel use:
 * the channel's own, or else the one for every channel. Without a channel, it is the newest.
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

/**
 * The entries of all the account's aliases with this text: at most one for each channel, and those are few.
 */
async function entriesOfText(db: Database, owner: string | number, text: string) {
  const items = await queryRange(db, { table: aliasList.table, pk: textPartition(owner, text) });
  return items.map((item) => ({ ...z.parse(aliasEntry, item), isForAll: item["sk"] === padded(0) }));
}

/**
 * The SKUs of the aliases with this text: of the alias for every channel, if it exists, and of the channels'
 * own.
 */
export async function skusOfAlias(
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

/** A name for a product, and the channel that uses it; null if the channel is unknown. */
export interface CalledName {
  readonly name: string;
  readonly channelId: number | null;
}

/**
 * The aliases that a name may refer to, in order of precedence: the channel's own, then the one for every
 * channel.
 */
const namesIn = ({ name: text, channelId }: CalledName): readonly AliasName[] => [
  ...(channelId === null ? [] : [{ alias: text, channel_id: channelId }]),
  { alias: text, channel_id: null },
];

const firstEntry = (find: FindItem, accountId: number, names: readonly AliasName[]) =>
  names
    .map((name) => parsed(aliasEntry, find(aliasEntryLookup(accountId, name))))
    .find((entry) => entry !== undefined);

/** Resolves aliases to products (docs/decisions.md, Aliases). Two round trips; none without names. */
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
 * Resolves names to products without a channel: by SKU, or else by the alias for every channel. One round
 * trip, and two more if a name is not a SKU.
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

/** Inserts an alias with its lookup entries. `path` is its place in the request (`data.0`). */
export const insertAlias = (created: Alias, path: string): readonly Write[] => [
  ...aliases.insert(created),
  ...aliasEntries(created, path),
];

/** The lookup entries of an alias: its text in its channel, and its SKU. */
export const aliasEntries = (found: Alias, path = "alias"): readonly Write[] => [
  insertEntry(found, path),
  ...aliasSkus.change(undefined, skuOf(found)),
];

/**
 * Stores `after` in place of `before`, with its tally and what its text stands for; stale where the alias
 * changed meanwhile. `path` is where the request holds it, should its new text be taken.
 */
export const saveAlias = (before: Stored<Alias>, after: Alias, path: string): readonly Write[] => [
  ...aliases.save(before, after),
  ...saveEntry(before.record, after, path),
  ...aliasSkus.change(skuOf(before.record), skuOf(after)),
];

/** The version of the alias guards its entry too, because both only change together. */
function saveEntry(before: Alias, after: Alias, path: string): readonly Write[] {
  const { table, key } = aliasEntryLookup(before.account_id, before);
  if (before.alias !== after.alias || before.channel_id !== after.channel_id) {
    return [{ kind: "removal", table, key, when: [], rejection: stale }, insertEntry(after, path)];
  }
  if (before.sku === after.sku) return [];
  const when = [{ attribute: "alias_id", equals: after.alias_id }];
  return [{ kind: "change", table, key, set: { sku: after.sku }, when, rejection: stale }];
}
