import type { Database } from "../../dynamodb/database.ts";
import { queryPages, type Range } from "../../dynamodb/reads.ts";
import type { Named } from "../definitions.ts";
import { countersTable, ownerIn, rollUpPartitions } from "./counters.ts";

/** An owner of a list, who may have something to fold. */
export interface PendingOwner {
  readonly list: Named;
  readonly owner: string;
}

/** Entries of the index read at a time. */
const pageSize = 500;

/**
 * The owners that have a node or a slot that is noted for folding, each once. The index follows late, so an owner may have
 * nothing to fold any more. Another `turn` begins with other owners, so that no owner is always the last.
 */
export async function* pendingOwners(db: Database, turn = 0): AsyncGenerator<PendingOwner, void> {
  const met = new Set<string>();
  const begin = turn % rollUpPartitions.length;
  for (const shard of [...rollUpPartitions.slice(begin), ...rollUpPartitions.slice(0, begin)]) {
    const range: Range = {
      table: countersTable,
      pk: shard,
      index: "unfolded",
      direction: Math.floor(turn / rollUpPartitions.length) % 2 === 0 ? "asc" : "desc",
    };
    for await (const entries of queryPages(db, range, pageSize)) {
      for (const { pk } of entries) {
        if (typeof pk !== "string" || met.has(pk)) continue;
        met.add(pk);
        yield ownerIn(pk);
      }
    }
  }
}
