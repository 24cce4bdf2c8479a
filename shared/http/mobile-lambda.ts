import { authenticateMobile } from "../auth/mobile.ts";
import type { BodyMethod, BodySchema, Endpoint, RequestSchema } from "./endpoint.ts";
import { withBody } from "./lambda.ts";
import { lambdaFor } from "./lambda-for.ts";

/** `lambda` for the area `mobile`, which checks sessions: it needs code for JWT and Secrets Manager. */
export const mobileLambda = <I extends RequestSchema, O extends BodySchema>(
  endpoint: Endpoint<"mobile", I, O, BodyMethod>,
) => lambdaFor(endpoint, authenticateMobile, withBody);
