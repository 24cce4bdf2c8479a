import * as z from "zod/mini";
import * as primitive from "../../../shared/common/primitives.ts";
import { invalid, notFound } from "../../../shared/common/problem.ts";
import { defineEndpoint } from "../../../shared/http/define-endpoint.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { newDelivery } from "../../../shared/webhooks/delivery.ts";
import { findDelivery, isDeliveryId, newDeliveryId } from "../../../shared/webhooks/delivery-repository.ts";
import { eventOfDelivery } from "../../../shared/webhooks/sending/batch.ts";
import { webhookQueue } from "../../../shared/webhooks/sending/queue.ts";
import { getWebhook, requestDelivery } from "../../../shared/webhooks/webhook-requests.ts";
import { deliveryRecord } from "../../../shared/webhooks/webhook-view.ts";

export const { endpoint, handler } = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/webhooks/{webhook_id}/deliveries/{delivery_id}/resend",
    auth: "oms",
    summary: "Send the event of a delivery once more",
    request: z.object({ params: z.object({ webhook_id: primitive.idInPath, delivery_id: primitive.text }) }),
    response: dataOf(deliveryRecord),
    access: { webhooks: ["read", "insert", "change"], events: "read" },
    sends: [webhookQueue],
  },
  async ({ params }, context) => {
    const { db, account_id, now } = context;
    const { webhook } = await getWebhook(context, params.webhook_id);
    const { webhook_id } = webhook;
    const id = params.delivery_id;
    const earlier = isDeliveryId(id) ? await findDelivery(db, webhook_id, id) : undefined;
    if (earlier === undefined) throw notFound(`There is no delivery with delivery_id ${id}`);
    const event = await eventOfDelivery(db, account_id, earlier);
    if (event === undefined) throw invalid("The delivery's event is not kept any more");
    const { content, cause } = earlier;
    const made = { webhook_id, event, delivery_id: newDeliveryId(now), request_id: db.requestId ?? null };
    return requestDelivery(
      context,
      webhook,
      newDelivery({ ...made, cause: cause === "test" ? "test" : "resend", content }, now),
    );
  },
);
