import { expect, test } from "vitest";
import { deliverySteps } from "../../../infra/operator/commands/reading/trace.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { newDelivery } from "../../../shared/webhooks/delivery.ts";
import { insertDelivery, newDeliveryId } from "../../../shared/webhooks/delivery-repository.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { webhooksAhead } from "../../support/records/webhooks.ts";

const begin = Date.parse("2026-01-31T08:00:00.000Z");
const timeOf = (position: number) => new Date(begin + position).toISOString();

test.each([
  { count: 2_000, unread: [] },
  {
    count: 2_001,
    unread: [expect.stringContaining(`deliveries from ${timeOf(2_000)} on were not read`)],
  },
])(
  "a trace of a webhook with $count deliveries says from when on it did not read them",
  async ({ count, unread }) => {
    const { db } = faultyStore();
    const { accountId, webhook_id } = (await webhooksAhead({ db }, 1))();
    const event = { id: "evt_1", type: "order.created", sequence: 1 };
    const writes = Array.from({ length: count }, (_, position) => {
      const [at, delivery_id] = [timeOf(position), newDeliveryId(timeOf(position))];
      const sent = newDelivery({ webhook_id, delivery_id, cause: "event", request_id: "other", event }, at);
      return insertDelivery({ ...sent, status: "delivered", next_attempt_at: null });
    }).flat();
    for (let start = 0; start < writes.length; start += 100)
      await transact(db, writes.slice(start, start + 100));

    const steps = await deliverySteps(db, accountId, "call", [], timeOf(0));

    expect(steps.map(({ says }) => says)).toEqual(unread);
  },
);
