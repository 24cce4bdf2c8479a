import * as z from "zod/mini";
import { isDeepEqual } from "../../../shared/common/deep-equal.ts";
import { nextVersion } from "../../../shared/common/versioned.ts";
import { defineEndpoint } from "../../../shared/http/define-endpoint.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { untilFresh } from "../../../shared/store/dynamodb/transact.ts";
import type { RecordWrites } from "../../../shared/store/dynamodb/writes.ts";
import { storeOnce } from "../../../shared/store/idempotency.ts";
import { healthy } from "../../../shared/webhooks/sending/health.ts";
import { wakeWebhook, webhookQueue } from "../../../shared/webhooks/sending/queue.ts";
import type { Webhook } from "../../../shared/webhooks/webhook.ts";
import { allTypes, type WebhookPatch, webhookPatch } from "../../../shared/webhooks/webhook-input.ts";
import { restartSending, saveWebhook } from "../../../shared/webhooks/webhook-repository.ts";
import { getWebhook } from "../../../shared/webhooks/webhook-requests.ts";
import {
  presentWebhook,
  webhookPath,
  webhookReadOnly,
  webhookRecord,
} from "../../../shared/webhooks/webhook-view.ts";

export const { endpoint, handler } = defineEndpoint(
  {
    method: "PATCH",
    path: "/apirest/v4/oms/webhooks/{webhook_id}",
    auth: "oms",
    summary: "Change a webhook, or switch it off and on",
    request: z.object({ params: webhookPath, body: dataOf(webhookPatch) }),
    response: dataOf(webhookRecord),
    readOnly: webhookReadOnly,
    takesVersion: true,
    access: { webhooks: ["read", "change"] },
    sends: [webhookQueue],
  },
  async ({ params, body: { data: sent } }, context) =>
    untilFresh(context.db, async () => {
      const found = await getWebhook(context, params.webhook_id, sent.version);
      const { webhook: before, progress } = found;
      const changed = changedBy(before, sent);
      const names = Object.keys(changed);
      if (names.length === 0) return { data: presentWebhook(found) };
      // A new or re-enabled receiver starts without its failure history.
      const isAnew = names.includes("url") || changed.active === true;
      const after = nextVersion(before, changed, context.now);
      const shown = presentWebhook({
        webhook: after,
        progress: isAnew ? { ...progress, ...healthy } : progress,
      });
      const writes: RecordWrites = [
        saveWebhook(before, changed, context.now),
        ...(isAnew ? [restartSending(before.webhook_id, after.updated_at)] : []),
      ];
      const answer = await storeOnce(context, writes, { data: shown });
      if (after.active) await wakeWebhook(context.db, after);
      return answer;
    }),
);

/** The fields that a change modifies. Null resets a field to its default. */
function changedBy(before: Webhook, { url, types, description, active }: WebhookPatch): Partial<Webhook> {
  const sent = {
    url: url ?? before.url,
    types: types === null ? [...allTypes] : (types ?? before.types),
    description: description === undefined ? before.description : description,
    active: active === null ? true : (active ?? before.active),
  };
  const isSwitched = sent.active !== before.active;
  return {
    ...(sent.url === before.url ? {} : { url: sent.url }),
    ...(isDeepEqual(sent.types, before.types) ? {} : { types: sent.types }),
    ...(sent.description === before.description ? {} : { description: sent.description }),
    ...(isSwitched ? { active: sent.active, disabled_reason: null, disabled_at: null } : {}),
  };
}
