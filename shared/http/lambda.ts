import * as z from "zod/mini";
import { type Authenticated, authenticate, requireWrite } from "../auth/authenticate.ts";
import type { Area } from "../contract.ts";
import { type Database, database } from "../data/database.ts";
import { notFound } from "../domain/problem.ts";
import { logger } from "../handler.ts";
import { type Endpoint, type RequestSchema, retriable, type Tools } from "./endpoint.ts";
import { gateway, type HttpEvent } from "./gateway.ts";
import { idempotently } from "./idempotency.ts";
import { jsonBody } from "./request.ts";
import { type HttpResponse, json } from "./responses.ts";
import { parseRequest } from "./validation.ts";

type BodySchema = z.core.$ZodType<object, object>;

/** The Lambda handler of an endpoint: authenticate → parse and validate → idempotency → flow → response schema. */
export const lambda = <A extends Area, I extends RequestSchema, O extends BodySchema>(
  endpoint: Endpoint<A, I, O>,
) => gateway((event) => answer(endpoint, event, database()), endpoint.failure);

/** The Lambda handler for every request that no endpoint claims. */
export const notFoundLambda = () =>
  gateway(async ({ requestContext: { http } }) => {
    throw notFound(`There is no ${http.method} ${http.path.slice(0, 200)}`);
  });

async function answer<A extends Area, I extends RequestSchema, O extends BodySchema>(
  endpoint: Endpoint<A, I, O>,
  event: HttpEvent,
  db: Database,
): Promise<HttpResponse> {
  const caller = await authenticate(endpoint.auth, db, event.headers);
  logger.appendKeys({ area: endpoint.auth, actor: caller.actor });
  if (endpoint.writes) requireWrite(caller);
  const request = parseRequest(endpoint.request, {
    params: event.pathParameters ?? {},
    query: event.queryStringParameters ?? {},
    ...("body" in endpoint.request.shape ? { body: jsonBody(event) } : {}),
  });
  const run = (foresee: Tools["foresee"]) => execute(endpoint, { db, caller, request, foresee });
  if (!retriable.has(endpoint.method)) return json(200, await run(async () => undefined));
  return idempotently({ db, endpoint, event, actor: caller.actor }, run);
}

interface Execution<A extends Area, I extends RequestSchema> {
  readonly db: Database;
  readonly caller: Authenticated<A>;
  readonly request: z.output<I>;
  readonly foresee: Tools["foresee"];
}

/** Runs the flow; its answer is stripped of what the response schema does not declare. */
async function execute<A extends Area, I extends RequestSchema, O extends BodySchema>(
  endpoint: Endpoint<A, I, O>,
  { db, caller, request, foresee }: Execution<A, I>,
): Promise<object> {
  const now = new Date().toISOString();
  const tools: Tools = { db, actor: caller.actor, now, foresee };
  return z.parse(endpoint.response, await endpoint.flow(request, { ...caller.caller, ...tools }));
}
