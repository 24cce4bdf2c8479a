/** The command that shows an account with what it has. */
import { endpoint as listOrders } from "../../../../functions/oms/orders/list-orders.ts";
import type { Account } from "../../../../shared/accounts/account-repository.ts";
import { readFeedHead } from "../../../../shared/events/feed-repository.ts";
import { orderStatuses, statusIds } from "../../../../shared/orders/order.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { webhooksOf } from "../../../../shared/webhooks/webhook-repository.ts";
import { answerOf } from "./answers.ts";

export async function figuresOf(db: Database, { account_id }: Account) {
  const totals = orderStatuses.map(async (status) => {
    const query = { per_page: "1", status_id: String(statusIds[status]) };
    const { metadata } = await answerOf(db, account_id, listOrders, { query });
    return [status, metadata.total_records] as const;
  });
  const [orders, webhooks, head] = await Promise.all([
    Promise.all(totals),
    webhooksOf(db, account_id),
    readFeedHead(db, account_id, new Date().toISOString()),
  ]);
  return {
    orders: Object.fromEntries(orders),
    webhooks: webhooks.map(({ webhook_id, active }) => ({ webhook_id, active })),
    events: { latest: head.sequence, oldest: head.oldest },
  };
}
