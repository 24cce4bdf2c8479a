/** The schemas of failures, beside those of records (docs/decisions.md, Envelopes). */
import { errorCodes, maxListed } from "../../../shared/common/problem.ts";
import { referenceTo, type Schema } from "./schemas.ts";

const placeLike = (path: string, message: string): Record<string, Schema> => ({
  path: {
    type: "string",
    description: "The place, such as `data.0.items.1.sku`.",
    examples: [path],
  },
  message: {
    type: "string",
    description: "What is wrong there; it continues the path.",
    examples: [message],
  },
});

const ignoredField: Schema = {
  type: "object",
  description: "A field of the body that was ignored.",
  properties: placeLike("data.0.colour", "is not a field of this call and was ignored"),
  required: ["path", "message"],
};

const invalidPlace: Schema = {
  type: "object",
  description: "A wrong place in the request.",
  properties: {
    ...placeLike("data.0.sku", "is required"),
    code: {
      type: "string",
      enum: [...errorCodes],
      description:
        "What a program can act on without reading the message. Only there if it is one of these; later versions may have more.",
    },
    order_id: {
      type: "integer",
      description:
        "The order that `already_exists`. Only there if another one took the number before the call.",
    },
  },
  required: ["path", "message"],
};

const stored: Schema = {
  type: "object",
  description:
    "One record of a bulk call: its fields if it was stored, else why it was not. An answer that would be larger than 64 KB has only those of its fields that are numbers.",
  properties: {
    success: { type: "boolean", description: "Whether the record was stored.", examples: [true] },
    message: { type: "string", description: "Why it was not stored.", examples: ["already exists (DEMO-1)"] },
  },
  required: ["success"],
  additionalProperties: true,
};

/** The schemas of failures, beside those of records. */
export const failureSchemas: Readonly<Record<string, Schema>> = {
  Place: ignoredField,
  InvalidPlace: invalidPlace,
  Failure: {
    type: "object",
    description: "Why a call failed. Nothing was stored, unless `data` says otherwise.",
    properties: {
      response: {
        type: "object",
        description: "The outcome of the call.",
        properties: {
          success: { const: false, description: "Always false.", examples: [false] },
          message: {
            type: "string",
            description: "What is wrong, as a sentence. It names the first of the wrong places.",
            examples: ["data.0.sku is required"],
          },
          errors: {
            type: "array",
            description: "The wrong places in the request: the first 100, or fewer if they are long.",
            items: referenceTo("InvalidPlace"),
            maxItems: maxListed,
          },
          errors_total: {
            type: "integer",
            description: "How many wrong places there are. Only there if `errors` does not list all of them.",
          },
        },
        required: ["success", "message"],
      },
      data: {
        type: "array",
        description: "Only if a bulk call stored some of its records: the outcome of each, in their order.",
        items: stored,
      },
    },
    required: ["response"],
  },
  GatewayFailure: {
    type: "object",
    description:
      "Why API Gateway answered the call by itself. Such an answer has an `apigw-requestid` and no `x-request-id`.",
    properties: {
      message: { type: "string", description: "What went wrong.", examples: ["Service Unavailable"] },
    },
    required: ["message"],
  },
};

/** The failure of a recount, which has a body of its own. */
export const recountSchemas: Readonly<Record<string, Schema>> = {
  RefusedCorrection: {
    type: "object",
    description: "An entry of a recount that was not queued.",
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
  RecountFailure: {
    type: "object",
    description: "Why a recount was refused. Nothing was queued, unless `result` says otherwise.",
    properties: {
      success: { const: false, description: "Always false.", examples: [false] },
      message: {
        type: "string",
        description: "What is wrong, as a sentence.",
        examples: ["bin does not exist"],
      },
      result: {
        type: "array",
        description:
          "The wrong entries. If only some entries could be queued, all entries in the order of the call.",
        items: {
          anyOf: [referenceTo("RefusedCorrection"), referenceTo("QueuedCorrection")],
        },
      },
      code: { const: 400, description: "The status of the answer.", examples: [400] },
    },
    required: ["success", "message", "result", "code"],
  },
};
