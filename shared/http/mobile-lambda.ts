import { authenticateMobile } from "../auth/mobile.ts";
import type { BodySchema, Endpoint, RequestSchema } from "./endpoint.ts";
import { lambdaFor } from "./lambda.ts";

/** `lambda` for the area `mobile`, which checks sessions: it needs code for JWT and Secrets Manager. */
export const mobileLambda = <I extends RequestSchema, O extends BodySchema>(
  endpoint: Endpoint<"mobile", I, O>,
) => lambdaFor(endpoint, authenticateMobile);
