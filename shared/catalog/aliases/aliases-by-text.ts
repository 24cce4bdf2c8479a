/** Finds the aliases that have a text. */
import * as z from "zod/mini";
import { mapConcurrently } from "../../common/concurrency.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { padded } from "../../store/dynamodb/keys.ts";
import { getItems, queryRange } from "../../store/dynamodb/reads.ts";
import type { Find } from "../../store/lookup-index.ts";
import { aliasEntry, aliasEntryLookup, candidatesFor, firstEntry, textPartition } from "./alias-names.ts";

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
    const names = candidatesFor({ alias: text, channel_id: channelId });
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
  const items = await queryRange(db, { table: "inventory", pk: textPartition(owner, text) });
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
  const inChannels = entries.filter(({ isForAll }) => !isForAll).map(({ sku }) => sku);
  return { everywhere: entries.find(({ isForAll }) => isForAll)?.sku, inChannels: [...new Set(inChannels)] };
}

/** Finds aliases by their text, in all channels. */
export const findAliasText: Find = (db, owner, wanted) =>
  mapConcurrently(wanted, async ({ text }) =>
    (await entriesOfText(db, owner, text)).map(({ alias_id }) => alias_id),
  );
