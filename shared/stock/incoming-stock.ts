/** Units on their way to a distribution center, as its stock record counts them. */
import type { RawItem } from "../store/dynamodb/reads.ts";
import type { Write } from "../store/dynamodb/writes.ts";
import { recordsWithShards } from "./stock-levels.ts";
import { stockLookup } from "./stock-repository.ts";

/** Adds to the incoming units at a time (ISO 8601). Writes no movement. */
export function changeIncoming(
  productId: number,
  distributionCenterId: number,
  units: number,
  at: string,
): Write {
  const { table, key } = stockLookup(productId, distributionCenterId);
  const set = incomingChanged(at);
  return { kind: "count", table, key, add: { incoming: units }, set, traced: true, shard: 0 };
}

const incomingAt = "incoming_at";

/** The time (ISO 8601) at which a record's or shard's incoming units changed, as there is no movement. */
export const incomingChanged = (at: string): Readonly<Record<string, string>> => ({ [incomingAt]: at });

/** Whether a center's incoming units have changed since a time (ISO 8601), by its records and shards. */
export const hasIncomingChanged = (
  items: readonly RawItem[],
  distributionCenterId: number,
  since: string,
): boolean =>
  recordsWithShards(items)
    .filter(({ record }) => record["distribution_center_id"] === distributionCenterId)
    .flatMap(({ record, shards }) => [record, ...shards])
    .some(({ [incomingAt]: at }) => typeof at === "string" && at >= since);
