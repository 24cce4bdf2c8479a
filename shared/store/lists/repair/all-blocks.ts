import type { Database } from "../../dynamodb/database.ts";
import { scanPages } from "../../dynamodb/scan.ts";
import { readBlocks } from "../counters/counter-tree.ts";
import { countersTable, ownerPartition } from "../counters/counters.ts";
import { nodesBegin } from "../counters/nodes.ts";
import type { Named } from "../definitions.ts";
import type { Block } from "./rebuild-context.ts";

/** A block of a list, and when its first record can have been created. */
export interface DatedBlock extends Block {
  /** The day (UTC); below all days in a list that has the ids of another. */
  readonly firstDay: number;
}

/**
 * All blocks of the list, owner by owner: for operators' commands alone. Nothing else names all owners, so their nodes are
 * scanned. `isMeant` tells whose blocks are wanted; everybody's without it.
 */
export async function* allBlocks(
  db: Database,
  list: Named,
  isMeant: (owner: string) => boolean = () => true,
): AsyncGenerator<DatedBlock, void> {
  const owners = ownerPartition(list, "");
  let last: unknown;
  const nodes = { table: countersTable, partitions: [owners], begins: nodesBegin, keysOnly: true } as const;
  for await (const items of scanPages(db, nodes))
    for (const { pk } of items) {
      // A scan hands out the items of a partition one after another.
      if (pk === last) continue;
      last = pk;
      const owner = String(pk).slice(owners.length);
      if (isMeant(owner))
        for await (const { block, firstDay } of readBlocks(db, list, owner)) yield { owner, block, firstDay };
    }
}
