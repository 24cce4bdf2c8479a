import * as z from "zod/mini";
import type { Found } from "../../data/webhooks.ts";
import { disabledReasons } from "../../domain/webhooks/health.ts";

/** A webhook as its account sees it. */
export const webhookRecord = z.object({
  webhook_id: z.int(),
  url: z.string(),
  description: z.nullable(z.string()),
  types: z.array(z.string()),
  active: z.boolean(),
  disabled_reason: z.nullable(z.enum(disabledReasons)),
  disabled_at: z.nullable(z.string()),
  failing_since: z.nullable(z.string()),
  last_success_at: z.nullable(z.string()),
  handed_over: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** A webhook with its secret, which is shown once. To a retry it is null: secrets are kept with no answer. */
export const webhookWithSecret = z.extend(webhookRecord, { secret: z.nullable(z.string()) });

export const presentWebhook = ({ webhook, progress }: Found) => ({
  ...webhook,
  failing_since: progress.failing_since,
  last_success_at: progress.last_success_at,
  handed_over: progress.cursor,
});

export const webhookPath = z.object({ webhook_id: z.string() });
