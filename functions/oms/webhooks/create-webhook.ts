import * as z from "zod/mini";
import { invalid } from "../../../shared/common/problem.ts";
import { readFeedHead } from "../../../shared/events/feed-repository.ts";
import { defineEndpoint } from "../../../shared/http/define-endpoint.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { untilFresh } from "../../../shared/store/dynamodb/transact.ts";
import { storeOnce } from "../../../shared/store/idempotency.ts";
import { insertSecret } from "../../../shared/webhooks/secret-repository.ts";
import { newSecret } from "../../../shared/webhooks/signature.ts";
import { maxWebhooks, newProgress } from "../../../shared/webhooks/webhook.ts";
import { allTypes, webhookInput } from "../../../shared/webhooks/webhook-input.ts";
import { countWebhooks, insertWebhook, nextWebhookId } from "../../../shared/webhooks/webhook-repository.ts";
import { presentWebhook, webhookWithSecret } from "../../../shared/webhooks/webhook-view.ts";

const firstSecret = { version: 1, until: null };

const response = dataOf(webhookWithSecret);

export const { endpoint, handler } = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/webhooks",
    auth: "oms",
    summary: "Create a webhook: events are posted to a URL, as they happen",
    request: z.object({ body: dataOf(webhookInput) }),
    response,
    access: { webhooks: ["read", "insert", "change"], secrets: "insert", events: "read" },
  },
  async ({ body: { data: sent } }, context) => {
    const { db, account_id, now } = context;
    const webhook_id = await nextWebhookId(db);
    const { url, active } = sent;
    const fields = { url, active, description: sent.description || null, types: sent.types ?? [...allTypes] };
    const webhook = {
      account_id,
      webhook_id,
      ...fields,
      disabled_reason: null,
      disabled_at: null,
      secrets: [firstSecret],
      version: 1,
      created_at: now,
      updated_at: now,
    };
    const secret = newSecret();
    return untilFresh(db, async () => {
      const count = await countWebhooks(db, account_id);
      if (count !== undefined && count >= maxWebhooks)
        throw invalid(`The account has ${maxWebhooks} webhooks, which is the most; delete one first`);
      const progress = newProgress((await readFeedHead(db, account_id, now)).sequence, now);
      const created = { webhook, progress };
      const shown = presentWebhook(created);
      return storeOnce<z.input<typeof response>>(
        context,
        [...insertWebhook(created, count), insertSecret(webhook_id, firstSecret.version, secret)],
        { data: { ...shown, secret } },
        { data: { ...shown, secret: null } },
      );
    });
  },
);
