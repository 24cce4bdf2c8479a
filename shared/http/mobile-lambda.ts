import type * as z from "zod/mini";
import { authenticateMobile } from "../auth/mobile.ts";
import type { Endpoint, RequestSchema } from "./endpoint.ts";
import { lambdaFor } from "./lambda.ts";

/**
 * The Lambda handler of an endpoint of the mobile application: as `lambda`, for users who signed in. It has a module of
 * its own, because the code that checks a session (JWT, Secrets Manager) would else be in every function's bundle.
 */
export const mobileLambda = <I extends RequestSchema, O extends z.core.$ZodType<object, object>>(
  endpoint: Endpoint<"mobile", I, O>,
) => lambdaFor(endpoint, authenticateMobile);
