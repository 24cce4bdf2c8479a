import * as z from "zod/mini";
import { loopbackVariable } from "../../contract.ts";
import type { Found } from "../../data/webhooks.ts";
import { clearable, optionalText, orElse } from "../../domain/fields.ts";
import { disabledReasons } from "../../domain/webhooks/health.ts";
import { longestUrl, webhookUrl } from "../../domain/webhooks/url.ts";
import { askableTypes } from "../../events/kinds/index.ts";

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

/** A URL in its normal form (docs/decisions.md, Receivers of webhooks). */
const url = z.pipe(
  z.string().check(z.trim(), z.minLength(1), z.maxLength(longestUrl)),
  z.transform((sent, context) => {
    const verdict = webhookUrl(sent, process.env[loopbackVariable] === "allowed");
    if ("url" in verdict) return verdict.url;
    context.issues.push({ code: "custom", message: verdict.problem, input: sent });
    return z.NEVER;
  }),
);

const mostTypes = 100;

const types = z.pipe(
  z.array(z.enum(askableTypes)).check(z.minLength(1), z.maxLength(mostTypes)),
  z.transform((sent): string[] => [...new Set(sent)]),
);

/** What a webhook has that states no types: all events. */
export const allTypes: readonly string[] = ["*"];

const longestDescription = 255;

const webhookFields = z.object({
  url,
  types: clearable(types),
  description: optionalText(longestDescription),
  active: orElse(z.boolean(), true),
});

const webhookChange = z.object({
  url: z.optional(url),
  types: clearable(types),
  description: clearable(z.string().check(z.maxLength(longestDescription))),
  active: clearable(z.boolean()),
});
export type WebhookChange = z.output<typeof webhookChange>;

/** One record as `data`, as a GET answers it. It may also stand there without `data` around it, or in a list of one. */
const single = <T extends z.core.$ZodType>(record: T) =>
  z.pipe(
    z.transform((sent: unknown) => {
      const body = z.safeParse(z.looseObject({}), sent);
      if (!body.success) return sent;
      if (!("data" in body.data)) return { data: sent };
      const { data } = body.data;
      return Array.isArray(data) && data.length === 1 ? { ...body.data, data: data[0] } : sent;
    }),
    z.object({ data: record }),
  );

export const newWebhook = single(webhookFields);
export const changedWebhook = single(webhookChange);

/** The fields of a webhook where they stand without `data` around them. */
export const bareWebhook = z.partial(webhookRecord);

export const webhookPath = z.object({ webhook_id: z.string() });
