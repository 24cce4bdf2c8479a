/**
 * The Lambda handlers of GET and DELETE. Their calls are idempotent by themselves: a body and an
 * `Idempotency-Key` are ignored. The answer to a GET of one record has its version as `ETag`.
 */
import { authenticators, type SessionlessArea } from "../auth/authenticate.ts";
import { noIdempotencyKey } from "../store/idempotency.ts";
import type { BodySchema, Endpoint, RequestSchema } from "./endpoint.ts";
import { type Bodies, lambdaFor } from "./lambda-for.ts";
import { json } from "./responses.ts";
import { etagOf } from "./versions.ts";

export const noBody = {
  bodyOf: () => ({ part: {}, explained: (problem) => problem, warnings: () => ({}) }),
  respond: async ({ endpoint }, run) => {
    const answer = await run(noIdempotencyKey);
    return json(200, answer, etagOf(endpoint, answer));
  },
} satisfies Bodies;

/** The Lambda handler of a GET or DELETE of any area but `mobile`. */
export const lambdaWithoutBody = <A extends SessionlessArea, I extends RequestSchema, O extends BodySchema>(
  endpoint: Endpoint<A, I, O, "GET" | "DELETE">,
) => lambdaFor<A, I, O>(endpoint, authenticators[endpoint.auth], noBody);
