import * as z from "zod/mini";
import { defineEndpointWithoutBody } from "../../../shared/http/define-without-body.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { transact, untilFresh } from "../../../shared/store/dynamodb/transact.ts";
import { removeWebhook } from "../../../shared/webhooks/webhook-repository.ts";
import { getWebhook } from "../../../shared/webhooks/webhook-requests.ts";
import { presentWebhook, webhookPath, webhookRecord } from "../../../shared/webhooks/webhook-view.ts";

export const { endpoint, handler } = defineEndpointWithoutBody(
  {
    method: "DELETE",
    path: "/apirest/v4/oms/webhooks/{webhook_id}",
    auth: "oms",
    summary: "Delete a webhook with its secrets",
    request: z.object({ params: webhookPath }),
    response: dataOf(webhookRecord),
    takesVersion: true,
    access: { webhooks: ["read", "change", "remove"], secrets: "remove" },
  },
  async ({ params }, context) =>
    untilFresh(context.db, async () => {
      const found = await getWebhook(context, params.webhook_id);
      await transact(context.db, removeWebhook(found.webhook));
      return { data: presentWebhook(found) };
    }),
);
