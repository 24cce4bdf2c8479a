import * as z from "zod/mini";
import { readHead } from "../../../shared/data/feed.ts";
import { beginAnew } from "../../../shared/data/webhooks.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf, whole } from "../../../shared/http/pagination.ts";
import { presentWebhook, webhookPath, webhookRecord } from "../../../shared/http/records/webhook.ts";
import { defineWithBody } from "../../../shared/http/with-body.ts";
import { wakeWebhook, webhookJobs } from "../../../shared/jobs/webhooks/wake.ts";
import { storeOnce } from "../../../shared/operations/context.ts";
import { getWebhook } from "../../../shared/operations/find-webhook.ts";
import { sequenceAfter } from "../../../shared/operations/sequence-after.ts";

export const endpoint = defineWithBody(
  {
    method: "POST",
    path: "/apirest/v4/oms/webhooks/{webhook_id}/replay",
    auth: "oms",
    summary: "Have a webhook go on after a sequence: all later events are sent, once more where they were",
    request: z.object({ params: webhookPath, query: z.object({ after: whole(0) }) }),
    response: dataOf(webhookRecord),
    access: { webhooks: ["read", "change"], events: "read" },
    sends: [webhookJobs],
  },
  async ({ params, query: { after } }, context) => {
    const { webhook, progress } = await getWebhook(context, params.webhook_id);
    const cursor = sequenceAfter(after, await readHead(context.db, context.account_id, context.now));
    const shown = presentWebhook({ webhook, progress: { ...progress, cursor } });
    const answer = await storeOnce(context, [beginAnew(webhook.webhook_id, context.now, cursor)], {
      data: shown,
    });
    if (webhook.active) await wakeWebhook(webhook);
    return answer;
  },
);

export const handler = lambda(endpoint);
