/** Orders of other accounts that the test's picker was given by mistake, and their way back. */

import { findJob } from "../../../shared/jobs/job-repository.ts";
import type { Order } from "../../../shared/orders/order.ts";
import { isBeingPickedBy } from "../../../shared/orders/order-work.ts";
import { findAnyOrders } from "../../../shared/orders/storage/order-repository.ts";
import { ordersOfPicker } from "../../../shared/orders/storage/order-work-index.ts";
import type { Reversion } from "../../../shared/picking/reversion.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { acceptUnsent } from "./checks/unsent-jobs.ts";
import { eventually } from "./steps.ts";
import { namesOf } from "./throw-away.ts";

/** Most orders of the picker that are looked at: the test has two of its own. */
const maxOrders = 200;

/** Seconds within which the sweeper has a worker revert an order. */
const revertSeconds = 180;

/** Orders of other accounts that are with the test's picker. */
async function strayOrders(db: Database, accountId: number): Promise<readonly Order[]> {
  const { user } = namesOf(accountId);
  const entries = await ordersOfPicker(db, user, maxOrders);
  const found = await findAnyOrders(
    db,
    entries.map(({ order_id }) => order_id),
  );
  return [...found.values()].filter(
    (order) => order.account_id !== accountId && isBeingPickedBy(order, user),
  );
}

/**
 * Has all orders of other accounts that are with the test's picker reverted to Pending, by jobs as the
 * warehouse's own, and notes each. Its picker must still exist.
 * @throws if one can't be reverted
 */
export async function giveBackStrays(
  db: Database,
  accountId: number,
  note: (line: string) => void,
): Promise<void> {
  for (const { order_id, account_id, reverted_by } of await strayOrders(db, accountId)) {
    const named = `order ${order_id} of account ${account_id}`;
    const payload: Reversion = { order_id, last: reverted_by ?? null };
    const jobId = await acceptUnsent(db, "revert", payload);
    await eventually(
      `${named}, which the test's picker was given, is Pending again`,
      revertSeconds,
      async () => {
        const job = await findJob(db, jobId);
        if (job?.status === "failed") throw new Error(`${named} could not be given back: ${job.reason}`);
        return job?.status === "applied" ? true : undefined;
      },
    );
    note(`The test's picker was given ${named}. It is Pending again.`);
  }
}
