import * as z from "zod/mini";
import { type Quota, windowOf } from "../accounts/request-limit.ts";
import { requireWrite } from "../auth/authenticate.ts";
import type { Authenticated, Authenticator } from "../auth/callers.ts";
import { Problem } from "../common/problem.ts";
import type { Area, EndpointContract } from "../runtime/contract.ts";
import { database } from "../runtime/database.ts";
import { logger } from "../runtime/log.ts";
import { writesRecords } from "../store/access.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { dryRunOf } from "../store/dynamodb/dry-run.ts";
import { withBudget } from "../store/dynamodb/retry.ts";
import { noIdempotencyKey } from "../store/idempotency.ts";
import { dryRunAnswer, dryRunParameter, isDryRun } from "./dry-run.ts";
import { type BodySchema, type Endpoint, type Extras, type RequestSchema, takesDryRun } from "./endpoint.ts";
import { errorResponse, gateway, type HttpEvent } from "./http-handler.ts";
import type { RequestInFlight, Run } from "./idempotent-call.ts";
import { parameters, queryOf, receivedOf, unknownParameters } from "./request/parameters.ts";
import { parseRequest } from "./request/validation.ts";
import { type HttpResponse, json, withinSizeLimit } from "./responses.ts";
import { etagOf, versionIn } from "./versions.ts";

/** The body of a call. */
export interface SentBody {
  /** The body as a part of the request, in the form of the endpoint's schema. */
  readonly part: { readonly body?: unknown };
  /** Adds to the problem of a rejected body the fields in it that were nearly right. */
  readonly explained: (problem: Problem) => Problem;
  /** The warnings about the body to show with an answer; none if the endpoint reads all of it. */
  readonly warnings: (answer: object) => object;
}

export type BodyContract = Pick<EndpointContract, "request" | "response"> &
  Pick<Extras<BodySchema>, "alsoShown" | "idsOf" | "readOnly">;

/**
 * How the body of a call is read, and its response made. Code for calls with a body takes 6 % of the time in
 * which a function loads, so only `define-endpoint.ts` has it.
 */
export interface Bodies {
  readonly bodyOf: (contract: BodyContract, event: HttpEvent) => SentBody;
  readonly respond: (call: RequestInFlight, run: Run) => Promise<HttpResponse>;
  readonly resumeSaga?: Database["resumeSaga"];
}

/** For calls without a body. The answer to a GET of one record has its version as `ETag`. */
export const noBody = {
  bodyOf: () => ({ part: {}, explained: (problem) => problem, warnings: () => ({}) }),
  respond: async ({ endpoint }, run) => {
    const answer = await run(noIdempotencyKey);
    return json(200, answer, etagOf(endpoint, answer));
  },
} satisfies Bodies;

/** The handler of an endpoint: authenticate → parse → idempotency → flow → response schema. */
export const lambdaFor = <A extends Area, I extends RequestSchema, O extends BodySchema>(
  endpoint: Endpoint<A, I, O>,
  authenticator: Authenticator<A>,
  bodies: Bodies,
  open: () => Promise<Database> = database,
) =>
  gateway((event) =>
    withBudget(async () => {
      const db = await open();
      const weight = endpoint.weight?.(event.queryStringParameters ?? {});
      const caller = await authenticator(db, receivedOf(event, weight));
      logger.note({ area: endpoint.auth, actor: caller.actor });
      const response = await answer(endpoint, bodies, caller, event, db).catch((error: unknown) =>
        errorResponse(error, event, endpoint.failure),
      );
      return { ...response, headers: { ...response.headers, ...quotaHeaders(caller.quota) } };
    }),
  );

/** Answers an authenticated caller. @throws Problem */
async function answer<A extends Area, I extends RequestSchema, O extends BodySchema>(
  endpoint: Endpoint<A, I, O>,
  { bodyOf, respond, resumeSaga }: Bodies,
  { caller, actor, ...credentials }: Authenticated<A>,
  event: HttpEvent,
  db: Database,
): Promise<HttpResponse> {
  requireQuota(credentials.quota);
  if (endpoint.writes) requireWrite(credentials);
  const [query, params] = [queryOf(event), parameters(event.pathParameters)];
  const body = bodyOf(endpoint, event);
  const unknown = unknownParameters(endpoint.request, query, takesDryRun(endpoint) ? [dryRunParameter] : []);
  const request = parseRequest(endpoint.request, { params, query, ...body.part }, unknown, body.explained);
  const isDry = isDryRun(query);
  const ifMatch = versionIn(event.headers["if-match"], endpoint);
  const mayResume = writesRecords(endpoint.access);
  const called = { ...db, ...(mayResume && { resumeSaga }), requestId: event.requestContext.requestId };
  const requestDb = isDry ? dryRunOf(called) : called;
  if (isDry) logger.note({ dry_run: true });
  const shape = (answer: object): object => {
    const shown = z.parse(endpoint.response, answer);
    return { ...shown, ...body.warnings(shown) };
  };
  const run: Run = async (idempotency) => {
    const now = new Date().toISOString();
    const context = { ...caller, db: requestDb, actor, now, ifMatch };
    // Each step has an answer of its own. The answer of the call is stored as a whole.
    const ofFlow = endpoint.isMultiStep ? noIdempotencyKey : idempotency;
    return shape(await endpoint.flow(request, { ...context, idempotency: ofFlow }));
  };
  const replay = async (kept: unknown) => endpoint.replayed?.(z.parse(endpoint.response, kept), db);
  const responding = respond({ db: requestDb, endpoint, event, actor, shape, replay }, run);
  if (!isDry) return withinSizeLimit(await responding, endpoint.writes);
  const response = await responding.catch((error: unknown) => errorResponse(error, event, endpoint.failure));
  return dryRunAnswer(withinSizeLimit(response, endpoint.writes));
}

/** The name of the only policy, in the headers of the request limit (docs/decisions.md, Request limits). */
const policy = '"account"';

/** @throws Problem `too_many` if the account has no requests left for this call */
function requireQuota(quota: Quota | undefined): void {
  if (quota?.wait === undefined) return;
  throw new Problem("too_many", "The account has sent too many requests; nothing was done, try again later", {
    retryAfterSeconds: quota.wait,
  });
}

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), if there is a limit. */
function quotaHeaders(quota: Quota | undefined): Readonly<Record<string, string>> {
  if (quota === undefined) return {};
  const { limit, remaining, reset } = quota;
  return {
    "ratelimit-policy": `${policy};q=${limit.burst};w=${windowOf(limit)}`,
    ratelimit: `${policy};r=${remaining};t=${reset}`,
  };
}
