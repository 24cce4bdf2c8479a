import type { Database } from "../../dynamodb/database.ts";
import { queryPages, type Range } from "../../dynamodb/reads.ts";
import type { OwnedCounters } from "../block-list.ts";
import { countersTable, ownerIn, pendingAttribute, rollUpPartitions } from "./counters.ts";

export type PendingOwner = Omit<OwnedCounters, "db">;

const pageSize = 500;

/**
 * The owners with nodes or shards that wait for a roll-up, each once. The index is eventually consistent, so
 * some may have nothing left. Each `turn` starts with other owners, so that none is always last.
 */
export async function* pendingOwners(db: Database, turn = 0): AsyncGenerator<PendingOwner, void> {
  const seen = new Set<string>();
  const partitions = rollUpPartitions.all(turn);
  for (const partition of partitions) {
    const range: Range = {
      table: countersTable,
      pk: partition,
      index: pendingAttribute,
      direction: Math.floor(turn / partitions.length) % 2 === 0 ? "asc" : "desc",
    };
    for await (const entries of queryPages(db, range, pageSize)) {
      for (const { pk } of entries) {
        if (typeof pk !== "string" || seen.has(pk)) continue;
        seen.add(pk);
        yield ownerIn(pk);
      }
    }
  }
}
