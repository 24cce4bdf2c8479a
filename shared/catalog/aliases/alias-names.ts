/** The meaning of aliases' texts. Each alias has an entry under its text and channel. */

import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { joined, padded } from "../../store/dynamodb/keys.ts";
import { type FindItem, getItems, type Lookup, parsed } from "../../store/dynamodb/reads.ts";
import { findSkus, type SkuEntry } from "../name-repository.ts";

const table = "inventory";

/** The entry of an alias's name, separate from the alias, which keeps names unique. */
export const aliasEntry = z.object({ alias_id: primitive.int, sku: primitive.text });

/** The name of an alias: its text and its channel; null for every channel. */
export interface AliasName {
  readonly alias: string;
  readonly channel_id: number | null;
}

/**
 * The partition of an account's aliases with one text, sorted by channel. The alias for every channel comes
 * first.
 */
export const textPartition = (accountId: string | number, text: string): string =>
  joined("alias-text", accountId, text);

export const aliasEntryLookup = (accountId: number, { alias: text, channel_id }: AliasName): Lookup => ({
  table,
  key: { pk: textPartition(accountId, text), sk: padded(channel_id ?? 0) },
});

/**
 * The aliases that a name may refer to in a channel (null if that is unknown), in order of precedence: the
 * channel's own, then the one for every channel.
 */
export const candidatesFor = ({ alias, channel_id }: AliasName): readonly AliasName[] => [
  ...(channel_id === null ? [] : [{ alias, channel_id }]),
  { alias, channel_id: null },
];

export const firstEntry = (find: FindItem, accountId: number, names: readonly AliasName[]) =>
  names
    .map((name) => parsed(aliasEntry, find(aliasEntryLookup(accountId, name))))
    .find((entry) => entry !== undefined);

/** Resolves aliases to products (docs/decisions.md, Aliases). Two round trips; none without names. */
export async function findAliased(
  db: Database,
  accountId: number,
  names: readonly AliasName[],
): Promise<(name: AliasName) => SkuEntry | undefined> {
  const find = await getItems(
    db,
    names.flatMap((name) => candidatesFor(name).map((each) => aliasEntryLookup(accountId, each))),
  );
  const targetOf = (name: AliasName) => firstEntry(find, accountId, candidatesFor(name))?.sku;
  const targets = names.flatMap((name) => targetOf(name) ?? []);
  const products = await findSkus(db, accountId, [...new Set(targets)]);
  return (name) => products.get(targetOf(name) ?? "");
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
  const forAll = (alias: string): AliasName => ({ alias, channel_id: null });
  const others = unique.filter((name) => !products.has(name)).map(forAll);
  const aliased = await findAliased(db, accountId, others);
  return (name) => products.get(name) ?? aliased(forAll(name));
}
