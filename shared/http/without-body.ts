import type * as z from "zod/mini";
import { noIdempotencyKey } from "../lambda/context.ts";
import type { Area } from "../lambda/contract.ts";
import { type Contract, type Endpoint, type RequestSchema, stateEndpoint } from "./endpoint.ts";
import type { Handling } from "./handling.ts";
import { json } from "./responses.ts";

/** A body that is sent is ignored, and so is an `Idempotency-Key`: to make such a call twice changes nothing more. */
const withoutBody: Handling = {
  bodyOf: () => ({}),
  warningsOf: () => [],
  answer: async (_call, run) => json(200, await run(noIdempotencyKey)),
};

/** States an endpoint whose calls have no body: its contract, and its flow in the words of the domain. */
export const defineWithoutBody = <
  A extends Area,
  I extends RequestSchema,
  O extends z.core.$ZodType<object, object>,
>(
  contract: Contract<A, I, O, "GET" | "DELETE">,
  flow: Endpoint<A, I, O>["flow"],
): Endpoint<A, I, O> => stateEndpoint(contract, withoutBody, flow);
