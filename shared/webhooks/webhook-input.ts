/** What clients send to create and to change webhooks (docs/decisions.md, Webhooks). */
import * as z from "zod/mini";
import { anyText, clearable, expectedVersion, optionalText, withDefault } from "../common/fields.ts";
import * as primitive from "../common/primitives.ts";
import { typeFilters } from "../events/types.ts";
import { loopbackVariable } from "../runtime/shared-names.ts";
import { maxUrlLength, webhookUrl } from "./url.ts";

/** A URL in its normal form (docs/decisions.md, Receivers of webhooks). */
const url = z.pipe(
  z.string().check(z.trim(), z.minLength(1), z.maxLength(maxUrlLength)),
  z.transform((sent, context) => {
    const verdict = webhookUrl(sent, process.env[loopbackVariable] === "allowed");
    if ("url" in verdict) return verdict.url;
    context.issues.push({ code: "custom", message: verdict.problem, input: sent });
    return z.NEVER;
  }),
);

const maxTypes = 100;

/** The types of a webhook created without any: all events. */
export const allTypes: readonly string[] = ["*"];

const maxDescriptionLength = 255;

const types = clearable(
  z.pipe(
    z.array(z.enum(typeFilters)).check(z.minLength(1), z.maxLength(maxTypes)),
    z.transform((sent): string[] => [...new Set(sent)]),
  ),
);

export const webhookInput = z.object({
  url,
  types,
  description: optionalText(maxDescriptionLength),
  active: withDefault(primitive.boolean, true),
});

/** The input to change a webhook. Null resets a field to its default. */
export const webhookPatch = z.object({
  url: z.optional(url),
  types,
  description: clearable(anyText(maxDescriptionLength)),
  active: clearable(primitive.boolean),
  version: expectedVersion,
});
export type WebhookPatch = z.output<typeof webhookPatch>;
