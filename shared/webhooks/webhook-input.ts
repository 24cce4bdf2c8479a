/** The request bodies of webhook calls (docs/decisions.md, Webhooks). */
import * as z from "zod/mini";
import { anyText, clearable, expectedVersion, optionalText, withDefault } from "../common/fields.ts";
import * as primitive from "../common/primitives.ts";
import { dataOf } from "../http/responses.ts";
import { loopbackVariable } from "../lambda/shared-names.ts";
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

/** The bodies to create and to change a webhook. `knownTypes` are the valid event types. */
export function webhookInputs(knownTypes: readonly string[]) {
  const types = z.pipe(
    z.array(z.enum(knownTypes)).check(z.minLength(1), z.maxLength(maxTypes)),
    z.transform((sent): string[] => [...new Set(sent)]),
  );
  return {
    created: dataOf(
      z.object({
        url,
        types: clearable(types),
        description: optionalText(maxDescriptionLength),
        active: withDefault(primitive.boolean, true),
      }),
    ),
    changed: dataOf(
      z.object({
        url: z.optional(url),
        types: clearable(types),
        description: clearable(anyText(maxDescriptionLength)),
        active: clearable(primitive.boolean),
        version: expectedVersion,
      }),
    ),
  };
}

/** A change of a webhook. Null resets a field to its default. */
export interface WebhookChange {
  readonly url?: string | undefined;
  readonly types?: string[] | null | undefined;
  readonly description?: string | null | undefined;
  readonly active?: boolean | null | undefined;
  /** The version that the webhook must have. */
  readonly version?: number | undefined;
}
