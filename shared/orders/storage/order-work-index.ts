/**
 * The index of what the warehouse has to do with orders of all accounts, oldest first. It lags moments behind
 * the orders, because global indexes are eventually consistent. So a flow that acts on an entry reads the
 * order itself.
 */
import { joined, padded } from "../../store/dynamodb/keys.ts";
import type { Order } from "../order.ts";
import { type Work, workOf } from "../order-status.ts";

/** Every new order is written to one of these partitions, each of which takes 1000 writes a second. */
export const pendingShards = 8;

export const pendingPartition = (shard: number): string => joined("pending", shard);

function partitionOf(work: Work, orderId: number): string {
  switch (work.stage) {
    case "pending":
      return pendingPartition(orderId % pendingShards);
    case "picking":
      return joined("picker", work.picker);
    case "released":
    case "picked":
      return work.stage;
  }
}

/** The attributes that put an order into the index. */
const attributes = ["work", "work_at"] as const;

/**
 * Returns the attributes to set and those to remove, so that the index holds the order as it is. Picked
 * orders are indexed by their ids, so that a page of them is found by counts of blocks of ids; see
 * `pickedPage`.
 */
export function workIndexed(order: Order): {
  readonly set: Readonly<Record<string, string>>;
  readonly remove: readonly string[];
} {
  const work = workOf(order);
  if (work === undefined) return { set: {}, remove: attributes };
  const { order_id, created_at } = order;
  const work_at = work.stage === "picked" ? padded(order_id) : joined(created_at, padded(order_id));
  const set = { work: partitionOf(work, order_id), work_at };
  return { set, remove: [] };
}
