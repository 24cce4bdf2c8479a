import type { Write } from "../../../shared/store/dynamodb/writes.ts";

/**
 * Counts a record in the shard of its own id, as if it were stored alone, so that few transactions fill many
 * shards.
 */
export function alone(write: Write): Write {
  if (write.kind !== "count") return write;
  const { group: _, ...own } = write;
  return own;
}
