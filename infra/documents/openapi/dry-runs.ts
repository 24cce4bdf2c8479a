/**
 * The answers to dry runs (docs/decisions.md, Dry runs): those of the calls, but null where only a stored
 * record has a value. They are choices and components of their own, so that the fields of records are not
 * stated as possibly null to everyone else.
 */
import type { Definitions, Schema } from "./schemas.ts";

/** The fields that are null in a dry run, by component. Those without one are not in a component. */
const unassigned: Readonly<Record<string, readonly string[]>> = {
  "": ["hold_id", "job_id"],
  Alias: ["alias_id"],
  Delivery: ["delivery_id", "event_id"],
  Order: ["order_id", "order_api", "nbtybarcode"],
  Product: ["product_id"],
  QueuedCorrection: ["correction_id"],
  Replenishment: ["replenishment_id"],
  Return: ["return_id"],
  Synset: ["synset_id"],
  WebhookWithSecret: ["webhook_id", "secret"],
};

/** The answer to a dry run of a call. @returns the answer itself if no field of it is null */
export function inDryRun(answer: Schema, definitions: Definitions): Schema {
  const convert = (schema: Schema, component: string): Schema => {
    const { $ref, properties, items, anyOf } = schema;
    if ($ref !== undefined) return definitions.variant(schema, "InDryRun", convert);
    return {
      ...schema,
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, field]) => {
            if (typeof field === "boolean") return [name, field];
            return [name, isUnassigned(component, name) ? orNull(field) : convert(field, component)];
          }),
        ),
      }),
      ...(typeof items === "object" && !Array.isArray(items) && { items: convert(items, component) }),
      ...(anyOf && { anyOf: anyOf.map((choice) => convert(choice, component)) }),
    };
  };
  return convert(answer, "");
}

const isUnassigned = (component: string, name: string): boolean =>
  unassigned[component]?.includes(name) === true;

const orNull = ({ type = [], ...field }: Schema): Schema => ({
  ...field,
  type: [...new Set([type, "null" as const].flat())],
});
