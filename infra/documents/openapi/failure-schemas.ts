/** The schemas of failures, beside those of records (docs/decisions.md, Envelopes). */
import { errorCodes, maxListed } from "../../../shared/common/problem.ts";
import { referenceTo, type Schema } from "./schemas.ts";

const text = (description: string, example: string): Schema => ({
  type: "string",
  description,
  examples: [example],
});

/** A field with a single value. */
const always = (value: boolean | number, description = `Always ${value}.`): Schema => ({
  const: value,
  description,
  examples: [value],
});

/** A field of the request, as it was sent. */
const asSent = (example: string | number): Schema => ({
  description: "As it was sent.",
  examples: [example],
});

/** An object with these fields. Those that are always there come first. */
const object = (
  description: string,
  required: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema => ({
  type: "object",
  description,
  properties: { ...required, ...optional },
  required: Object.keys(required),
});

const placeLike = (path: string, message: string) => ({
  path: text("The place, such as `data.0.items.1.sku`.", path),
  message: text("What is wrong there; it continues the path.", message),
});

const stored: Schema = {
  ...object(
    "One record of a bulk call: its fields if it was stored, else why it was not. A response that would be larger than 64 KB has only those of its fields that are numbers.",
    { success: { type: "boolean", description: "Whether the record was stored.", examples: [true] } },
    { message: text("Why it was not stored.", "already exists (DEMO-1)") },
  ),
  additionalProperties: true,
};

const response = object(
  "The outcome of the call.",
  {
    success: always(false),
    message: text(
      "What is wrong, as a sentence. It names the first of the wrong places.",
      "data.0.sku is required",
    ),
  },
  {
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
);

/** The schemas of failures, beside those of records. */
export const failureSchemas: Readonly<Record<string, Schema>> = {
  Place: object(
    "A field of the body that was ignored.",
    placeLike("data.0.colour", "is not a field of this call and was ignored"),
  ),
  InvalidPlace: object("A wrong place in the request.", placeLike("data.0.sku", "is required"), {
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
  }),
  Failure: object(
    "Why a call failed. Nothing was stored, unless `data` says otherwise.",
    { response },
    {
      data: {
        type: "array",
        description: "Only if a bulk call stored some of its records: the outcome of each, in their order.",
        items: stored,
      },
    },
  ),
  GatewayFailure: object(
    "Why API Gateway answered the call by itself. Such a response has an `apigw-requestid` and no `x-request-id`.",
    { message: text("What went wrong.", "Service Unavailable") },
  ),
};

/** The failure of a recount, which has a body of its own. */
export const recountSchemas: Readonly<Record<string, Schema>> = {
  RefusedCorrection: object(
    "An entry of a recount that was not queued.",
    {
      error: always(true),
      message: text("What is wrong.", "bin does not exist"),
      procces_correction: always(false),
    },
    { account_id: asSent(100), sku: asSent("DEMO-TEE"), bin: asSent("99"), location: asSent("A1") },
  ),
  RecountFailure: object("Why a recount was refused. Nothing was queued, unless `result` says otherwise.", {
    success: always(false),
    message: text("What is wrong, as a sentence.", "bin does not exist"),
    result: {
      type: "array",
      description:
        "The wrong entries. If only some entries could be queued, all entries in the order of the call.",
      items: { anyOf: [referenceTo("RefusedCorrection"), referenceTo("QueuedCorrection")] },
    },
    code: always(400, "The status of the response."),
  }),
};
