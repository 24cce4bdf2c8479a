/**
 * The answers to dry runs (docs/decisions.md, Dry runs): those of the calls, with null for everything that
 * only a stored record has. They are separate alternatives and components, so that the fields of records are
 * not nullable for everyone else.
 */
import type { Definitions, Schema } from "./schemas.ts";

const ofNewOrder = ["order_id", "order_api", "nbtybarcode"];
const ofWebhook = ["webhook_id", "secret"];
const ofDelivery = ["delivery_id", "event_id"];

/**
 * The fields that may be null in a dry run, by call. Calls of one component have the same fields, since they
 * share its variant.
 */
const unassigned: Readonly<Record<string, readonly string[]>> = {
  createOrders: ofNewOrder,
  v2AddOrders: ofNewOrder,
  createProducts: ["product_id"],
  createAliases: ["alias_id"],
  createHolds: ["hold_id"],
  createReplenishments: ["replenishment_id"],
  createReturns: ["return_id"],
  createSynsets: ["synset_id"],
  createWebhook: ofWebhook,
  rotateSecret: ofWebhook,
  testWebhook: ofDelivery,
  resendDelivery: ofDelivery,
  wmsUpdateWeight: ["job_id"],
  wmsRecount: ["correction_id"],
  wmsRevertShipments: ["job_id"],
};

/** The answer to a dry run of a call, by its operation id. @returns `undefined` if no field of it is null */
export function inDryRun(name: string, answer: Schema, definitions: Definitions): Schema | undefined {
  const nullable = unassigned[name];
  if (nullable === undefined) return undefined;
  const convert = (schema: Schema): Schema => {
    const { $ref, properties, items, anyOf } = schema;
    if ($ref !== undefined) return definitions.variant(schema, "InDryRun", convert);
    return {
      ...schema,
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([field, value]) => [
            field,
            nullable.includes(field) ? orNull(value) : convert(value),
          ]),
        ),
      }),
      ...(items && { items: convert(items) }),
      ...(anyOf && { anyOf: anyOf.map(convert) }),
    };
  };
  return convert(answer);
}

const orNull = ({ type = [], ...field }: Schema): Schema => ({
  ...field,
  type: [...new Set([type, "null" as const].flat())],
});
