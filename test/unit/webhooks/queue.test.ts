import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { wakeWebhooks, wakeWebhooksOf } from "../../../shared/webhooks/sending/queue.ts";
import { webhookLookup, webhookProgressLookup } from "../../../shared/webhooks/webhook-repository.ts";
import { damage } from "../../support/damages/damage.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { newWebhooks } from "../../support/records/webhooks.ts";

/** The webhooks that were woken, each with its delay in seconds. */
let woken: [webhookId: number, delay: number | undefined][];
beforeEach(() => {
  woken = [];
  vi.stubEnv("QUEUE_WEBHOOK", "https://queues.invalid/1");
  vi.spyOn(SQSClient.prototype, "send").mockImplementation(async (command) => {
    const entries = command instanceof SendMessageBatchCommand ? (command.input.Entries ?? []) : [];
    for (const { MessageBody = "", DelaySeconds } of entries)
      woken.push([JSON.parse(MessageBody).webhook_id, DelaySeconds]);
    return {};
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test.each([
  [undefined, [[7, undefined]]],
  [0, [[7, 1]]],
  [1_001, [[7, 2]]],
  [400_000, [[7, 400]]],
  [400_001, []],
])(
  "a webhook that is to wait %s ms is woken by a message, or by the schedule if that is long",
  async (wait, by) => {
    await wakeWebhooks([{ account_id: 100, webhook_id: 7 }], wait);

    expect(woken).toEqual(by);
  },
);

test("an account's webhooks are woken, but for those that are switched off or probed", async () => {
  const { db } = faultyStore();
  const [off = 0, probed = 0, ready] = await newWebhooks({ db, accountId: 100 }, 3);
  await damage(db, webhookLookup(100, off), {}, { active: false });
  await damage(db, webhookProgressLookup(probed), {}, { probe_at: "2999-01-01T00:00:00.000Z" });

  await wakeWebhooksOf(db, 100);

  expect(woken).toEqual([[ready, undefined]]);
});
