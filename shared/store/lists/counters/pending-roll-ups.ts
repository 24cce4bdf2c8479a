import type { Database } from "../../dynamodb/database.ts";
import { queryPages, type Range } from "../../dynamodb/reads.ts";
import type { Named } from "../definitions.ts";
import { ownerIn, talliesTable, unfoldedShards } from "./counters.ts";

/** An owner of a list, who may have something to fold. */
export interface Unfolded {
  readonly list: Named;
  readonly owner: string;
}

/** Entries of the index read at a time. */
const pageSize = 500;

/**
 * The owners that have a node or a slot that is noted for folding, each once. The index follows late, so an owner may have
 * nothing to fold any more. Another `turn` begins with other owners, so that no owner is always the last.
 */
export async function* unfoldedOwners(db: Database, turn = 0): AsyncGenerator<Unfolded, void> {
  const met = new Set<string>();
  const begin = turn % unfoldedShards.length;
  for (const shard of [...unfoldedShards.slice(begin), ...unfoldedShards.slice(0, begin)]) {
    const range: Range = {
      table: talliesTable,
      pk: shard,
      index: "unfolded",
      direction: Math.floor(turn / unfoldedShards.length) % 2 === 0 ? "asc" : "desc",
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
