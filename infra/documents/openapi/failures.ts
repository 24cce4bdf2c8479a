/** The answers of calls that fail, by status (docs/decisions.md, Status codes). */
import type { Area, EndpointContract } from "../../../shared/runtime/contract.ts";
import { requestId, requestIdOfService, retryAfter } from "./headers.ts";
import { type Answer, content } from "./operation.ts";
import { referenceTo, type Schema } from "./schemas.ts";
import { rejections } from "./security.ts";

const failed = (message: string, more: object = {}) => ({ response: { success: false, message, ...more } });

/** What is wrong at one place, with which the message begins. */
const failedAt = (path: string, message: string) =>
  failed(`${path} ${message}`, { errors: [{ path, message }] });

const missing = failedAt("data.0.sku", "is required");

const outdated = "order 1003 has version 9, not 7: read it again";

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

const response = (description: string, example: object, schema: Schema, headers: object): Answer => ({
  description,
  headers,
  content: content(schema, example),
});

/** An answer of the service. */
const rejection = (description: string, example: object, headers: object = {}, schema = "Failure") =>
  response(description, example, referenceTo(schema), { ...requestId, ...headers });

/** An answer of the service, or of API Gateway in its own format. */
const trouble = (description: string, example: object, headers: object = {}) =>
  response(
    description,
    example,
    { anyOf: [referenceTo("Failure"), referenceTo("GatewayFailure")] },
    { ...requestIdOfService, ...headers },
  );

/** An answer that only API Gateway gives. */
const ofGateway = (description: string, message: string) =>
  response(description, { message }, referenceTo("GatewayFailure"), {});

type Described = Pick<
  EndpointContract,
  "auth" | "writes" | "path" | "request" | "bodyNamesRecord" | "takesVersion" | "needsStock" | "isMultiStep"
>;

/** Areas whose keys may be read-only. */
const keyed: ReadonlySet<Area> = new Set(["oms", "wms", "v2"]);

/**
 * The failures of a call. `kept` are the headers of failures that a retry may receive again, `limited` those
 * of all failures after authentication.
 */
export function failuresOf(
  { auth, writes, path, request: { shape }, ...details }: Described,
  kept: object,
  limited: object,
): Record<number, Answer> {
  const { bodyNamesRecord = false, takesVersion = false, needsStock = false, isMultiStep = false } = details;
  const refusal = (description: string, example: object, schema?: string) =>
    rejection(description, example, { ...kept, ...limited }, schema);
  return {
    400: path.endsWith("/recount")
      ? refusal(
          "The request is wrong. Nothing was queued, unless `result` says otherwise.",
          recountRefused,
          "RecountFailure",
        )
      : refusal("The request is invalid. `errors` names the first 100 invalid places.", missing),
    401: rejection("Credentials are missing or wrong.", failed(rejections[auth])),
    ...(writes &&
      keyed.has(auth) && {
        403: rejection(
          isMultiStep ? "The key may only read, or the account is no sandbox." : "The key may only read.",
          failed("The Key is invalid or does not have access to this API resource", {
            errors: [{ path: "Key", message: "is read-only; a call that writes needs a key that may write" }],
          }),
          limited,
        ),
      }),
    ...(("params" in shape || bodyNamesRecord) && {
      404: refusal(
        "The record that the call is about does not exist.",
        failed("There is no order with order_id 999"),
      ),
    }),
    ...(needsStock && {
      409: refusal(
        "Too little is available, and the call asked to be refused in that case. Nothing was stored.",
        failedAt("data.0.items.0.quantity", "is short: 3 of DEMO-TEE available in MAIN, 5 wanted"),
      ),
    }),
    ...(isMultiStep && {
      409: refusal(
        "The warehouse could not do it. Steps that were done until then stay done.",
        failed("goods are short: 1 of DEMO-TEE in the bins of the order's center, 2 wanted"),
      ),
    }),
    ...(takesVersion && {
      412: refusal(
        "The record has another version than the call states. Nothing was stored: read the record again.",
        failed(outdated, { errors: [{ path: "data.0.version", message: outdated }] }),
      ),
    }),
    ...("body" in shape && {
      413: trouble(
        "The body is larger than 1 MB, as sent or unpacked.",
        failed("The body must have at most 1048576 bytes"),
        limited,
      ),
      415: rejection(
        "The body is packed otherwise than by gzip.",
        failed("The Content-Encoding must be gzip, or left out"),
        limited,
      ),
    }),
    429: trouble(
      "A limit is hit, or others keep the call from being stored. Nothing was stored; the same call may be sent again.",
      failed("The service is too busy for this call just now; send it again"),
      { ...retryAfter, ...limited },
    ),
    500: trouble(
      "The service failed. Its log states the cause, under the request id.",
      failed("The service failed to answer; nothing is known to be wrong with the request (6a2f…)"),
      limited,
    ),
    503: ofGateway(
      "The service took too long to answer. The same call may be sent again.",
      "Service Unavailable",
    ),
  };
}
