import * as z from "zod/mini";
import { expectInFeed, readFeedHead } from "../../../shared/events/feed-repository.ts";
import { defineEndpoint } from "../../../shared/http/define-endpoint.ts";
import { whole } from "../../../shared/http/lists/pagination.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { storeOnce } from "../../../shared/store/idempotency.ts";
import { wakeWebhook, webhookQueue } from "../../../shared/webhooks/sending/queue.ts";
import { restartSending } from "../../../shared/webhooks/webhook-repository.ts";
import { getWebhook } from "../../../shared/webhooks/webhook-requests.ts";
import { presentWebhook, webhookPath, webhookRecord } from "../../../shared/webhooks/webhook-view.ts";

export const { endpoint, handler } = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/webhooks/{webhook_id}/replay",
    auth: "oms",
    summary: "Send a webhook all events after a sequence again",
    request: z.object({ params: webhookPath, query: z.object({ after: whole(0) }) }),
    response: dataOf(webhookRecord),
    access: { webhooks: ["read", "change"], events: "read" },
    sends: [webhookQueue],
  },
  async ({ params, query: { after } }, context) => {
    const { webhook, progress } = await getWebhook(context, params.webhook_id);
    const cursor = expectInFeed(after, await readFeedHead(context.db, context.account_id, context.now));
    const shown = presentWebhook({ webhook, progress: { ...progress, cursor } });
    const answer = await storeOnce(context, [restartSending(webhook.webhook_id, context.now, cursor)], {
      data: shown,
    });
    if (webhook.active) await wakeWebhook(context.db, webhook);
    return answer;
  },
);
