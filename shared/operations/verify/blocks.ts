/**
 * Holds the blocks that records lie in against those that tallies know. Nothing else finds a block: no page shows its
 * records, no count has them, and no rebuild reaches them. That comes about where tallies are restored from an earlier
 * moment than records.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { lists } from "../../data/lists.ts";
import { joined } from "../../store/keys.ts";
import { allBlocks } from "../../store/lists/all-blocks.ts";
import type { BlockList } from "../../store/lists/definitions.ts";
import { getItem, type Lookup } from "../../store/reads.ts";
import { scanPages } from "../../store/scan.ts";
import { keyIn } from "./entry-items.ts";
import { decideStock, type Verification } from "./finding.ts";

/** A record of a block that has no tally. */
interface Unknown {
  readonly list: BlockList;
  readonly block: number;
  readonly record: Lookup;
}

/**
 * Reports blocks that have records and no tally, for people to repair. It reads the index of cells whole, which is slim.
 * @returns the accounts of which what claims stock is not known
 */
export async function verifyBlocks(verification: Verification): Promise<ReadonlySet<number>> {
  const { db, accountId, report } = verification;
  const unclear = new Set<number>();
  for (const { list, block, record } of await unknownBlocks(verification)) {
    const { account_id } = (await getItem(db, record)) ?? {};
    if (typeof account_id !== "number") continue;
    if (accountId !== undefined && accountId !== account_id) continue;
    report({
      kind: "difference",
      record: `list ${list.name}, block ${block} of ${account_id}`,
      what: "its tally, without which nothing lists or counts its records",
      is: "not there",
      ought: "there, since its first record was created",
      state: "by_hand",
    });
    if (decideStock.has(list.name)) unclear.add(account_id);
  }
  return unclear;
}

/** A block is leased before it has records. So tallies are read behind records: those of all records show by then. */
async function unknownBlocks({ db, settle }: Verification): Promise<readonly Unknown[]> {
  const found = new Map<string, Unknown>();
  const listOf = new Map([...lists].map(([name, { list }]) => [name, list] as const));
  for (const [table, within] of Map.groupBy(listOf.values(), (list) => list.table)) {
    const partitions = within.map(({ name }) => joined(name, ""));
    for await (const items of scanPages(db, { table, partitions, index: "cells", keysOnly: true }))
      for (const item of items) {
        const key = keyIn(item);
        const [name = "", block] = key.pk.split("#");
        const list = listOf.get(name);
        if (list !== undefined && !found.has(key.pk))
          found.set(key.pk, { list, block: Number(block), record: { table, key } });
      }
  }
  await sleep(settle);
  for (const list of listOf.values())
    for await (const { block } of allBlocks(db, list)) found.delete(joined(list.name, block));
  return [...found.values()];
}
