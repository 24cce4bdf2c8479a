/** Units on their way to a distribution center, which its stock record counts. */
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

/** Records on a stock record or shard when its incoming units changed (ISO 8601), since no movement does. */
export const incomingChanged = (at: string): Readonly<Record<string, string>> => ({ [incomingAt]: at });

/**
 * Whether a center's incoming units changed at `since` (ISO 8601) or later, by the product's records and
 * shards.
 */
export const hasIncomingChanged = (
  items: readonly RawItem[],
  distributionCenterId: number,
  since: string,
): boolean =>
  recordsWithShards(items)
    .filter(({ record }) => record["distribution_center_id"] === distributionCenterId)
    .flatMap(({ record, shards }) => [record, ...shards])
    .some(({ [incomingAt]: at }) => typeof at === "string" && at >= since);
