import * as z from "zod/mini";
import type { AccountContext } from "../runtime/context.ts";
import type { EndpointContract } from "../runtime/contract.ts";
import type { StatedAccess } from "../store/access.ts";
import { defineEndpoint } from "./define-endpoint.ts";
import type { BodyMethod, BodySchema, Endpoint, RequestSchema } from "./endpoint.ts";
import { queryBody } from "./lists/pagination.ts";

/** Defines a v2 endpoint with the body and response of an OMS endpoint. */
export const answeringAs = <I extends RequestSchema, O extends BodySchema>(
  endpoint: Endpoint<"oms", I, O, BodyMethod>,
  path: EndpointContract["path"],
) =>
  defineEndpoint({ ...endpoint, path, auth: "v2" }, (request: z.output<I>, context) =>
    endpoint.flow(request, context),
  );

type QuerySchema = z.core.$ZodType<object, Record<string, unknown>>;

/** The parts of an OMS list that its v2 endpoint uses. */
interface ListEndpoint<Q extends QuerySchema, O extends BodySchema>
  extends Pick<EndpointContract, "summary"> {
  readonly access: StatedAccess;
  readonly request: { readonly shape: { readonly query: Q } };
  readonly response: O;
  readonly flow: (request: { readonly query: z.output<Q> }, context: AccountContext) => Promise<z.input<O>>;
}

/** Defines a v2 endpoint that takes the query of an OMS list in its body, and returns the same response. */
export const listingAs = <Q extends QuerySchema, O extends BodySchema>(
  { summary, request, response, access, flow }: ListEndpoint<Q, O>,
  path: EndpointContract["path"],
) => {
  const body = queryBody(request.shape.query);
  return defineEndpoint(
    { method: "POST", path, auth: "v2", summary, request: z.object({ body }), response, access },
    ({ body: query }, context) => flow({ query }, context),
  );
};
