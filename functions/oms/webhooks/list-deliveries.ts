import * as z from "zod/mini";
import * as primitive from "../../../shared/common/primitives.ts";
import { defineEndpointWithoutBody } from "../../../shared/http/define-without-body.ts";
import { whole } from "../../../shared/http/lists/pagination.ts";
import { isDeliveryId, readDeliveries } from "../../../shared/webhooks/delivery-repository.ts";
import { getWebhook } from "../../../shared/webhooks/webhook-requests.ts";
import { deliveryRecord, webhookPath } from "../../../shared/webhooks/webhook-view.ts";

const before = z.string().check(z.refine(isDeliveryId, "must be the delivery_id of a delivery"));

export const { endpoint, handler } = defineEndpointWithoutBody(
  {
    method: "GET",
    path: "/apirest/v4/oms/webhooks/{webhook_id}/deliveries",
    auth: "oms",
    summary: "List a webhook's deliveries, the latest first",
    request: z.object({
      params: webhookPath,
      query: z.object({ before: z.optional(before), limit: z._default(whole(1, 100), 20) }),
    }),
    response: z.object({ data: z.array(deliveryRecord), next_before: primitive.textOrNull }),
    access: { webhooks: "read" },
    forWriters: true,
  },
  async ({ params, query }, context) => {
    const { webhook } = await getWebhook(context, params.webhook_id);
    const { limit, before } = query;
    // Reads one more than is shown, to know whether there are more.
    const found = await readDeliveries(context.db, webhook.webhook_id, { before, limit: limit + 1 });
    const data = found.slice(0, limit);
    const next_before = found.length > limit ? (data.at(-1)?.delivery_id ?? null) : null;
    return { data, next_before };
  },
);
