import * as z from "zod/mini";
import { joined, padded } from "./keys.ts";
import { aliasList } from "./lists.ts";
import type { Lookup } from "./reads.ts";

/** What an alias stands for in a channel. Its account's aliases of one text lie side by side, by channel. */
export const aliasEntry = z.object({ alias_id: z.int(), sku: z.string() });
export type AliasEntry = z.output<typeof aliasEntry>;

export const aliasEntryLookup = (accountId: number, channelId: number, alias: string): Lookup => ({
  table: aliasList.table,
  key: { pk: joined("alias-text", accountId, alias), sk: padded(channelId) },
});
