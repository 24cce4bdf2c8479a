import type * as z from "zod/mini";
import { noIdempotencyKey } from "../lambda/context.ts";
import type { Area } from "../lambda/contract.ts";
import { type Contract, type Endpoint, isRetriable, type RequestSchema, stateEndpoint } from "./endpoint.ts";
import type { Handling, Schemas, SentBody } from "./handling.ts";
import { idempotently } from "./idempotency.ts";
import { jsonBody, rawBody } from "./request/body.ts";
import { unreadFields } from "./request/unread-fields.ts";
import { json } from "./responses.ts";

const withBody: Handling = {
  /** An empty body counts as left out, where the schema lets it be left out. */
  bodyOf: ({ shape: { body } }, event) => {
    if (body === undefined) return {};
    const mayBeLeftOut = body._zod.optin !== undefined;
    if (mayBeLeftOut && rawBody(event).trim() === "") return {};
    return { body: jsonBody(event) };
  },
  warningsOf: ({ request, response, alsoShown }: Schemas, { body: sent }: SentBody) => {
    const { body } = request.shape;
    if (body === undefined || sent === undefined) return [];
    return unreadFields(sent, body, alsoShown === undefined ? [response] : [response, alsoShown]);
  },
  answer: async (call, run) =>
    isRetriable(call.endpoint) ? idempotently(call, run) : json(200, await run(noIdempotencyKey)),
};

/**
 * States an endpoint whose calls may have a body and an `Idempotency-Key`: its contract, and its flow in the words of the
 * domain.
 */
export const defineWithBody = <
  A extends Area,
  I extends RequestSchema,
  O extends z.core.$ZodType<object, object>,
>(
  contract: Contract<A, I, O, "POST" | "PUT" | "PATCH">,
  flow: Endpoint<A, I, O>["flow"],
): Endpoint<A, I, O> => stateEndpoint(contract, withBody, flow);
