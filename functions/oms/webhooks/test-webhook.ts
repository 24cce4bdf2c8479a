import * as z from "zod/mini";
import { newDeliveryId } from "../../../shared/data/deliveries.ts";
import { newDelivery, testEvent } from "../../../shared/domain/webhooks/delivery.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf } from "../../../shared/http/pagination.ts";
import { deliveryRecord } from "../../../shared/http/records/delivery.ts";
import { webhookPath } from "../../../shared/http/records/webhook.ts";
import { defineWithBody } from "../../../shared/http/with-body.ts";
import { askFor } from "../../../shared/jobs/webhooks/ask.ts";
import { webhookJobs } from "../../../shared/jobs/webhooks/wake.ts";
import { getWebhook } from "../../../shared/operations/find-webhook.ts";

export const endpoint = defineWithBody(
  {
    method: "POST",
    path: "/apirest/v4/oms/webhooks/{webhook_id}/test",
    auth: "oms",
    summary: "Send a test event, once, also while the webhook is switched off",
    request: z.object({ params: webhookPath }),
    response: dataOf(deliveryRecord),
    access: { webhooks: ["read", "insert", "change"] },
    sends: [webhookJobs],
  },
  async ({ params }, context) => {
    const { webhook } = await getWebhook(context, params.webhook_id);
    const delivery_id = newDeliveryId(context.now);
    const event = testEvent(webhook, delivery_id, context);
    const made = { webhook_id: webhook.webhook_id, delivery_id, event, content: event };
    return askFor(context, webhook, newDelivery({ ...made, cause: "test" }, context.now));
  },
);

export const handler = lambda(endpoint);
