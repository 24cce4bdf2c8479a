import { defineWholeList } from "../../../shared/http/lists/define-read.ts";
import { webhooksOf, withProgress } from "../../../shared/webhooks/webhook-repository.ts";
import { presentWebhook, webhookRecord } from "../../../shared/webhooks/webhook-view.ts";

export const { endpoint, handler } = defineWholeList(
  {
    path: "/apirest/v4/oms/webhooks",
    summary: "List the account's webhooks",
    record: webhookRecord,
    access: { webhooks: "read" },
    forWriters: true,
  },
  async ({ db, account_id }) =>
    (await withProgress(db, await webhooksOf(db, account_id))).map(presentWebhook),
);
