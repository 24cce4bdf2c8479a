import * as z from "zod/mini";
import { defineRead } from "../../../shared/http/lists/define-read.ts";
import { getWebhook } from "../../../shared/webhooks/webhook-requests.ts";
import { presentWebhook, webhookPath, webhookRecord } from "../../../shared/webhooks/webhook-view.ts";

export const { endpoint, handler } = defineRead(
  {
    path: "/apirest/v4/oms/webhooks/{webhook_id}",
    summary: "Read a webhook",
    request: z.object({ params: webhookPath }),
    record: webhookRecord,
    access: { webhooks: "read" },
    forWriters: true,
  },
  async ({ params }, context) => presentWebhook(await getWebhook(context, params.webhook_id)),
);
