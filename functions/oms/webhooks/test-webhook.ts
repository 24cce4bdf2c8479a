import * as z from "zod/mini";
import { defineEndpoint } from "../../../shared/http/define-endpoint.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { newDelivery, testEvent } from "../../../shared/webhooks/delivery.ts";
import { newDeliveryId } from "../../../shared/webhooks/delivery-repository.ts";
import { webhookQueue } from "../../../shared/webhooks/sending/queue.ts";
import { getWebhook, requestDelivery } from "../../../shared/webhooks/webhook-requests.ts";
import { deliveryRecord, webhookPath } from "../../../shared/webhooks/webhook-view.ts";

export const { endpoint, handler } = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/webhooks/{webhook_id}/test",
    auth: "oms",
    summary: "Send a test event, once, also while the webhook is switched off",
    request: z.object({ params: webhookPath }),
    response: dataOf(deliveryRecord),
    access: { webhooks: ["read", "insert", "change"] },
    sends: [webhookQueue],
  },
  async ({ params }, context) => {
    const { webhook } = await getWebhook(context, params.webhook_id);
    const delivery_id = newDeliveryId(context.now);
    const event = testEvent(webhook, delivery_id, context);
    const { request_id } = event;
    const made = { webhook_id: webhook.webhook_id, delivery_id, event, content: event, request_id };
    return requestDelivery(context, webhook, newDelivery({ ...made, cause: "test" }, context.now));
  },
);
