/** The answers of calls that fail, by status (docs/decisions.md, Status codes). */
import type { EndpointContract } from "../../shared/contract.ts";
import { refusals } from "./security.ts";

const place = {
  type: "object",
  description: "A wrong place in the request, or a field that was left out.",
  properties: {
    path: {
      type: "string",
      description: "The place, such as `data.0.items.1.sku`.",
      examples: ["data.0.sku"],
    },
    message: {
      type: "string",
      description: "What is wrong there; it continues the path.",
      examples: ["is required"],
    },
  },
  required: ["path", "message"],
} as const;

const stored = {
  type: "object",
  description: "One record of a bulk call: its fields where it was stored, else why it was not.",
  properties: {
    success: { type: "boolean", description: "Whether the record was stored.", examples: [true] },
    message: { type: "string", description: "Why it was not stored.", examples: ["already exists (DEMO-1)"] },
  },
  required: ["success"],
} as const;

/** The schemas of failures, beside those of records. */
export const failureSchemas = {
  Place: place,
  Failure: {
    type: "object",
    description: "Why a call failed. Nothing was stored, unless `data` says otherwise.",
    properties: {
      response: {
        type: "object",
        description: "What became of the call.",
        properties: {
          success: { const: false, description: "Always false.", examples: [false] },
          message: {
            type: "string",
            description: "What is wrong, as a sentence. It names the first of the wrong places.",
            examples: ["data.0.sku is required"],
          },
          errors: {
            type: "array",
            description: "Every wrong place in the request.",
            items: { $ref: "#/components/schemas/Place" },
          },
        },
        required: ["success", "message"],
      },
      data: {
        type: "array",
        description:
          "Only where a bulk call stored some of its records: what became of each, in their order.",
        items: stored,
      },
    },
    required: ["response"],
  },
} as const;

/** The failure of a recount, which has a body of its own. */
export const recountSchemas = {
  RecountFailure: {
    type: "object",
    description: "Why a recount was refused. Nothing was queued.",
    properties: {
      success: { const: false, description: "Always false.", examples: [false] },
      message: {
        type: "string",
        description: "What is wrong, as a sentence.",
        examples: ["bin does not exist"],
      },
      result: {
        type: "array",
        description: "The wrong entries.",
        items: {
          type: "object",
          properties: {
            account_id: { description: "As it was sent.", examples: [100] },
            sku: { description: "As it was sent.", examples: ["DEMO-TEE"] },
            bin: { description: "As it was sent.", examples: ["99"] },
            location: { description: "As it was sent.", examples: ["A1"] },
            error: { const: true, description: "Always true.", examples: [true] },
            message: { type: "string", description: "What is wrong.", examples: ["bin does not exist"] },
            procces_correction: { const: false, description: "Always false.", examples: [false] },
          },
          required: ["error", "message", "procces_correction"],
        },
      },
      code: { const: 400, description: "The status of the answer.", examples: [400] },
    },
    required: ["success", "message", "result", "code"],
  },
} as const;

const failed = (message: string, more: object = {}) => ({ response: { success: false, message, ...more } });

const missing = failed("data.0.sku is required", {
  errors: [{ path: "data.0.sku", message: "is required" }],
});

const recountRefused = {
  success: false,
  message: "Recount not created for account 100, SKU DEMO-TEE: bin does not exist; nothing was queued",
  result: [
    {
      account_id: 100,
      sku: "DEMO-TEE",
      bin: "99",
      location: "A1",
      error: true,
      message: "bin does not exist",
      procces_correction: false,
    },
  ],
  code: 400,
};

const requestId = {
  "x-request-id": { description: "Id of the request, as the log has it.", schema: { type: "string" } },
};

const retryAfter = {
  "retry-after": {
    description: "Seconds after which to try again.",
    schema: { type: "integer", minimum: 1 },
  },
};

const response = (description: string, example: object, schema = "Failure", headers: object = {}) => ({
  description,
  headers: { ...requestId, ...headers },
  content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` }, example } },
});

type Described = Pick<EndpointContract, "auth" | "writes" | "path" | "request">;

/** Whether a call is about a record that may not exist: the path names it, or a field of the body does. */
const namesRecord = ({ request: { shape } }: Described): boolean =>
  "params" in shape || ("body" in shape && shape["body"] !== undefined);

/** The failures of a call. */
export function failuresOf(endpoint: Described): Record<string, object> {
  const refused = response("Credentials are missing or wrong.", failed(refusals[endpoint.auth]));
  return {
    400: endpoint.path.endsWith("/recount")
      ? response("The request is wrong; nothing was queued.", recountRefused, "RecountFailure")
      : response("The request is wrong. `errors` names every wrong place.", missing),
    401: refused,
    ...(endpoint.writes && {
      403: response(
        "The key may only read.",
        failed("The Key is invalid or does not have access to this API resource"),
      ),
    }),
    ...(namesRecord(endpoint) && {
      404: response(
        "The record that the call is about does not exist.",
        failed("There is no order with order_id 999"),
      ),
    }),
    429: response(
      "A limit is hit, or others keep the call from being stored. Nothing was stored; the same call may be sent again.",
      failed("The service is busy; nothing was stored, try again"),
      "Failure",
      retryAfter,
    ),
    500: response(
      "The service failed. Its log tells why, under the request id.",
      failed("The service failed to answer; nothing is known to be wrong with the request (6a2f…)"),
    ),
  };
}
