/** Bulk calls that are made on this machine, by the flows of the endpoints. */
import type * as z from "zod/mini";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import type { AccountContext } from "../../../shared/lambda/context.ts";
import type { Call } from "./by-call.ts";

interface Endpoint<I> {
  readonly request: z.ZodMiniType<I>;
  readonly flow: (request: I, context: AccountContext) => Promise<unknown>;
}

/** A bulk call of the API, with a context of its own each time. */
export const callOf =
  <I>({ request, flow }: Endpoint<I>, context: () => AccountContext): Call =>
  (body) =>
    flow(parseRequest(request, { body }), context());
