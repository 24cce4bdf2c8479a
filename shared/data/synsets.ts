import * as z from "zod/mini";
import { synset } from "../domain/synset.ts";
import { joined, only } from "./keys.ts";
import { synsetList } from "./lists.ts";
import type { Lookup } from "./reads.ts";

/** What a kit's name stands for: the kit's id and, so that orders need not read the kit, its components. */
export const synsetEntry = z.object({ synset_id: z.int(), items: synset.shape.items });
export type SynsetEntry = z.output<typeof synsetEntry>;

export const synsetEntryLookup = (accountId: number, name: string): Lookup => ({
  table: synsetList.table,
  key: { pk: joined("synset-name", accountId, name), sk: only },
});
