import type { Write } from "../../../shared/store/dynamodb/writes.ts";

/**
 * Has a record counted in the slot of its own id, as if it were stored alone: so that few transactions fill
 * many slots.
 */
export function alone(write: Write): Write {
  if (write.kind !== "count") return write;
  const { group: _, ...own } = write;
  return own;
}
