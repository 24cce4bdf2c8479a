/** Returns orders of other accounts that were assigned to the smoke test's picker by mistake. */

import { findJob } from "../../../shared/jobs/job-repository.ts";
import type { Order } from "../../../shared/orders/order.ts";
import { isBeingPickedBy } from "../../../shared/orders/order-status.ts";
import { orders } from "../../../shared/orders/storage/order-repository.ts";
import { ordersOfPicker } from "../../../shared/orders/storage/order-work.ts";
import type { Reversion } from "../../../shared/picking/reversion.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { anyOwner } from "../../../shared/store/lists/repository.ts";
import { pollUntil } from "./steps.ts";
import { namesOf } from "./test-account.ts";
import { acceptUnsent } from "./unsent-job.ts";

/** The number of the picker's orders that are checked. The test itself creates one. */
const maxOrders = 200;

/** The sweeper sends the message within a minute, and a worker reverts the order. */
const revertTimeoutSeconds = 180;

async function misassignedOrders(db: Database, accountId: number): Promise<readonly Order[]> {
  const { user } = namesOf(accountId);
  const entries = await ordersOfPicker(db, user, maxOrders);
  const ids = entries.map(({ order_id }) => order_id);
  const found = [...(await orders.findAll(db, anyOwner, ids)).values()].map(({ record }) => record);
  return found.filter((order) => order.account_id !== accountId && isBeingPickedBy(order, user));
}

/**
 * Reverts misassigned orders to Pending by the same jobs as the API, and prints each. The test's picker must
 * still exist.
 * @throws if an order can't be reverted
 */
export async function returnMisassigned(
  db: Database,
  accountId: number,
  note: (line: string) => void,
): Promise<void> {
  for (const { order_id, account_id, reverted_by } of await misassignedOrders(db, accountId)) {
    const title = `order ${order_id} of account ${account_id}`;
    const payload: Reversion = { order_id, last: reverted_by ?? null };
    const jobId = await acceptUnsent(db, "revert", payload);
    await pollUntil(`${title} is reverted to Pending`, revertTimeoutSeconds, async () => {
      const job = await findJob(db, jobId);
      if (job?.status === "failed") throw new Error(`${title} could not be reverted: ${job.reason}`);
      return job?.status === "applied";
    });
    note(`The test's picker was given ${title}. The order is Pending again.`);
  }
}
