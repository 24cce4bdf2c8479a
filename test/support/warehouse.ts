/** What happens to orders in the warehouse between calls: they are claimed, picked and shipped. */

import { findAnyOrder } from "../../shared/data/orders.ts";
import type { Order } from "../../shared/domain/orders/order.ts";
import { claimOrder, shipOrder } from "../../shared/operations/advance-order.ts";
import { noForesight } from "../../shared/operations/context.ts";
import type { PickRequest } from "../../shared/operations/locate-picks.ts";
import { pickOrder } from "../../shared/operations/pick-order.ts";
import type { Database } from "../../shared/store/database.ts";
import { asItIs } from "./world.ts";

const picker = "manager";
const byPicker = () => ({
  actor: `user:${picker}`,
  user_name: picker,
  now: new Date().toISOString(),
});

export const claimed = (db: Database, orderId: number): Promise<Order> =>
  claimOrder({ ...byPicker(), db: db, foresee: noForesight }, orderId, picker);

export const picked = (db: Database, orderId: number, picks: readonly PickRequest[]): Promise<Order> =>
  pickOrder({ ...byPicker(), db: db, foresee: noForesight }, orderId, picks, asItIs);

export const shipped = (db: Database, orderId: number): Promise<Order> =>
  shipOrder({ ...byPicker(), db: db, foresee: noForesight }, orderId, null, asItIs);

/** An order as it is stored. */
export async function storedOrder(db: Database, orderId: number): Promise<Order> {
  const order = await findAnyOrder(db, orderId);
  if (order === undefined) throw new Error(`there is no order ${orderId}`);
  return order;
}
