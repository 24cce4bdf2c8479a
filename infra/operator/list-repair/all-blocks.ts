import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { NamedList } from "../../../shared/store/lists/block-list.ts";
import { type BlockRange, readBlocks } from "../../../shared/store/lists/counters/counter-tree.ts";
import { countersTable, ownerPartition } from "../../../shared/store/lists/counters/counters.ts";
import { nodeKeyPrefix } from "../../../shared/store/lists/counters/nodes.ts";
import { scanPages } from "../../data-model/scan.ts";

export interface Block {
  readonly owner: string;
  readonly block: number;
}

/** Owner by owner, for operators only: it scans the nodes, because nothing else names all owners. */
export async function* allBlocks(
  db: Database,
  list: NamedList,
  isMeant: (owner: string) => boolean = () => true,
): AsyncGenerator<Block & Pick<BlockRange, "firstAt">, void> {
  const owners = ownerPartition(list, "");
  let last: unknown;
  const nodes = {
    table: countersTable,
    partitions: [owners],
    begins: nodeKeyPrefix,
    keysOnly: true,
  } as const;
  for await (const items of scanPages(db, nodes))
    for (const { pk } of items) {
      // A scan returns the items of a partition consecutively.
      if (pk === last) continue;
      last = pk;
      const owner = String(pk).slice(owners.length);
      if (isMeant(owner))
        for await (const { block, firstAt } of readBlocks({ db, list, owner }))
          yield { owner, block, firstAt };
    }
}
