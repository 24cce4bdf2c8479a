import { authenticators, type SessionlessArea } from "../auth/authenticate.ts";
import { type BodySchema, type Contract, endpointOf, type Flow, type RequestSchema } from "./endpoint.ts";
import { lambdaFor, noBody } from "./lambda-for.ts";

/**
 * Defines a GET or DELETE of any area but `mobile`. Its calls are idempotent by themselves: a body and an
 * `Idempotency-Key` are ignored.
 */
export function defineEndpointWithoutBody<
  A extends SessionlessArea,
  I extends RequestSchema,
  O extends BodySchema,
>(contract: Contract<A, I, O, "GET" | "DELETE">, flow: Flow<A, I, O>) {
  const endpoint = endpointOf(contract, flow);
  return { endpoint, handler: lambdaFor<A, I, O>(endpoint, authenticators[endpoint.auth], noBody) };
}
