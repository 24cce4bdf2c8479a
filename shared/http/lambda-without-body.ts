/**
 * The Lambda handlers of GET and DELETE. Their calls are idempotent by themselves: a body and an
 * `Idempotency-Key` are ignored.
 */
import { authenticators, type SessionlessArea } from "../auth/authenticate.ts";
import type { BodySchema, Endpoint, RequestSchema } from "./endpoint.ts";
import { lambdaFor, noBody } from "./lambda-for.ts";

/** The Lambda handler of a GET or DELETE of any area but `mobile`. */
export const lambdaWithoutBody = <A extends SessionlessArea, I extends RequestSchema, O extends BodySchema>(
  endpoint: Endpoint<A, I, O, "GET" | "DELETE">,
) => lambdaFor<A, I, O>(endpoint, authenticators[endpoint.auth], noBody);
