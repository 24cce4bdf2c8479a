import * as z from "zod/mini";
import { authenticate, requireWrite, type SessionlessArea } from "../auth/authenticate.ts";
import type { Authenticator } from "../auth/callers.ts";
import type { Context, Idempotency } from "../lambda/context.ts";
import type { Area } from "../lambda/contract.ts";
import { database } from "../lambda/database.ts";
import { logger } from "../lambda/log.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { withBudget } from "../store/dynamodb/retry.ts";
import type { Endpoint, RequestSchema } from "./endpoint.ts";
import { gateway, type HttpEvent } from "./gateway.ts";
import type { Handling, Schemas, SentBody } from "./handling.ts";
import { heedQuota } from "./quota.ts";
import { parameters, queryOf } from "./request/parameters.ts";
import { receivedOf } from "./request/received.ts";
import { parametersOf, unknownParameters } from "./request/unread-fields.ts";
import { parseRequest } from "./request/validation.ts";
import { type HttpResponse, handedOut } from "./responses.ts";

type BodySchema = z.core.$ZodType<object, object>;

/** The Lambda handler of an endpoint: authenticate → parse and validate → idempotency → flow → response schema. */
export const lambdaFor = <A extends Area, I extends RequestSchema, O extends BodySchema>(
  endpoint: Endpoint<A, I, O>,
  authenticator: Authenticator<A>,
  open: () => Promise<Database> = database,
) =>
  gateway(
    (event) => withBudget(async () => answer(endpoint, authenticator, event, await open())),
    endpoint.failure,
  );

/** The Lambda handler of an endpoint of any area but `mobile`; for that area see `mobileLambda`. */
export const lambda = <A extends SessionlessArea, I extends RequestSchema, O extends BodySchema>(
  endpoint: Endpoint<A, I, O>,
) => lambdaFor<A, I, O>(endpoint, (db, received) => authenticate(endpoint.auth, db, received));

async function answer<A extends Area, I extends RequestSchema, O extends BodySchema>(
  endpoint: Endpoint<A, I, O>,
  authenticator: Authenticator<A>,
  event: HttpEvent,
  db: Database,
): Promise<HttpResponse> {
  const weight = endpoint.weight?.(event.queryStringParameters ?? {});
  const caller = await authenticator(db, receivedOf(event, weight));
  logger.note({ area: endpoint.auth, actor: caller.actor });
  heedQuota(event, caller.quota);
  if (endpoint.writes) requireWrite(caller);
  const [query, params] = [queryOf(event), parameters(event.pathParameters)];
  const body = endpoint.handling.bodyOf(endpoint.request, event);
  const unknown = unknownParameters(query, parametersOf(endpoint.request.shape["query"]));
  const request = parseRequest(endpoint.request, { params, query, ...body }, unknown);
  const shape = shapeOf(endpoint, body);
  const run = async (idempotency: Idempotency): Promise<object> => {
    const context: Context = { db, actor: caller.actor, now: new Date().toISOString(), idempotency };
    return shape(await endpoint.flow(request, { ...caller.caller, ...context }));
  };
  const call = { db, endpoint, event, actor: caller.actor, shape, replay: replayOf(endpoint, db) };
  const response = await endpoint.handling.answer(call, run);
  // A write can't be taken back, so its answer is never refused for its size.
  return endpoint.writes ? response : handedOut(response);
}

/** What an endpoint does before a retry is told what an earlier call stored, given the body of that call's success. */
const replayOf =
  <A extends Area, I extends RequestSchema, O extends BodySchema>(
    { replayed, response }: Endpoint<A, I, O>,
    db: Database,
  ) =>
  async (body: unknown): Promise<void> =>
    replayed?.(z.parse(response, body), db);

/**
 * Removes from answers the fields that the response schema does not declare, and adds the `warnings` of the call, where it
 * has any. An answer that is first kept for a retry and then given is worked on only once.
 */
function shapeOf(
  endpoint: Schemas & { readonly handling: Handling },
  sent: SentBody,
): (answer: object) => object {
  const shaped = new WeakMap<object, object>();
  return (answer) => {
    const known = shaped.get(answer);
    if (known !== undefined) return known;
    const warnings = endpoint.handling.warningsOf(endpoint, sent);
    const body = {
      ...z.parse(endpoint.response, answer),
      ...(warnings.length > 0 ? { warnings } : {}),
    };
    shaped.set(answer, body);
    return body;
  };
}
