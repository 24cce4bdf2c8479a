import { authenticateMobile } from "../auth/mobile.ts";
import { withBody } from "./define-endpoint.ts";
import {
  type BodyMethod,
  type BodySchema,
  type Contract,
  endpointOf,
  type Flow,
  type RequestSchema,
} from "./endpoint.ts";
import { lambdaFor } from "./lambda-for.ts";

/** As `defineEndpoint`, in the area `mobile`: checking sessions needs code for JWT and Secrets Manager. */
export function defineMobileEndpoint<I extends RequestSchema, O extends BodySchema>(
  contract: Contract<"mobile", I, O, BodyMethod>,
  flow: Flow<"mobile", I, O>,
) {
  const endpoint = endpointOf(contract, flow);
  return { endpoint, handler: lambdaFor(endpoint, authenticateMobile, withBody) };
}
