import * as z from "zod/mini";
import { setOnce } from "../common/fields.ts";
import * as primitive from "../common/primitives.ts";
import { delivery } from "./delivery.ts";
import { progress, webhook } from "./webhook.ts";
import type { WebhookState } from "./webhook-repository.ts";

export const webhookRecord = z.object({
  ...z.pick(webhook, {
    webhook_id: true,
    url: true,
    description: true,
    types: true,
    active: true,
    disabled_reason: true,
    disabled_at: true,
  }).shape,
  ...z.pick(progress, { failing_since: true, last_success_at: true }).shape,
  handed_over: progress.shape.cursor,
  ...z.pick(webhook, { created_at: true, updated_at: true, version: true }).shape,
});

/** The calls that change the fields which a PATCH leaves alone. */
export const webhookReadOnly = {
  webhook_id: setOnce,
  created_at: setOnce,
  handed_over: "POST /apirest/v4/oms/webhooks/{webhook_id}/replay sets it back",
} as const;

/** With the secret, which is shown once: a retry gets null, because responses are stored without it. */
export const webhookWithSecret = z.extend(webhookRecord, { secret: primitive.textOrNull });

export const presentWebhook = ({ webhook: settings, progress: own }: WebhookState) => ({
  ...settings,
  failing_since: own.failing_since,
  last_success_at: own.last_success_at,
  handed_over: own.cursor,
});

export const webhookPath = z.object({ webhook_id: primitive.idInPath });

/** A delivery as the webhook's account sees it. */
export const deliveryRecord = z.extend(z.omit(delivery, { content: true, expires_at: true }), {
  request_id: primitive.textOrNull,
});
