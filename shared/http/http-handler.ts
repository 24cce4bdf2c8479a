/**
 * What every HTTP function does around its response. A request passes:
 *
 * 1. here: request id, the edge's proof (`request/edge.ts`), and at the end the request log, metrics and
 * errors as responses
 * 2. `lambda-for.ts`: authentication (`shared/auth`), the account's request limit, then path, query and body
 * by their schema
 * 3. POST, PUT and PATCH: `define-endpoint.ts`, for warnings of unread fields and `Idempotency-Key`
 * (`idempotent-call.ts`); GET and DELETE: `define-without-body.ts`
 * 4. the endpoint's flow; in a dry run, with a `db` that stores nothing (`dry-run.ts`)
 * 5. `lambda-for.ts`: the response schema, which drops every field that it does not declare; `responses.ts`
 * writes the envelope and bounds its size
 *
 * Documentation pages (`pages/`) go from 1 to their own routes.
 */
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { clock } from "../common/clock.ts";
import { Problem } from "../common/problem.ts";
import { beginHandler } from "../runtime/handler.ts";
import { logger } from "../runtime/log.ts";
import { sendMetrics } from "../runtime/metrics.ts";
import { Busy } from "../store/dynamodb/retry.ts";
import { corsHeaders } from "./cors.ts";
import { throughEdge } from "./request/edge.ts";
import { failure, type HttpResponse } from "./responses.ts";

export type HttpEvent = APIGatewayProxyEventV2;

/**
 * Logs and counts a request. Its route is the one that matched, such as `GET /apirest/v4/oms/orders/{order}`:
 * the path that was sent, bodies, headers and query strings never reach a log. Latency is a metric by route,
 * which CloudWatch charges by route.
 */
function observe({ routeKey: route }: HttpEvent, status: number, started: number): void {
  const duration = Math.round(clock() - started);
  logger.info("request", { route, status, duration_ms: duration });
  const client_errors = status >= 400 && status < 500 ? 1 : 0;
  const server_errors = status >= 500 ? 1 : 0;
  sendMetrics(
    { by: { route }, unit: "Milliseconds", values: { latency: duration } },
    { unit: "Count", values: { requests: 1, client_errors, server_errors } },
  );
}

/**
 * The response to an error. The error is logged if the response does not show all of it. `ownBody` builds the
 * body of a 400.
 */
export function errorResponse(
  error: unknown,
  event: HttpEvent,
  ownBody?: (problem: Problem) => object,
): HttpResponse {
  const cause = error instanceof Problem ? error.cause : error;
  if (error instanceof Busy || cause instanceof Busy) logger.warn("busy", { error: cause });
  else if (cause instanceof Error) logger.error("unexpected error", { error: cause });
  return failure(error, event.requestContext.requestId, ownBody);
}

/** A HEAD as the GET that answers it (docs/decisions.md, Methods and paths). */
const asGet = (event: HttpEvent): HttpEvent => ({
  ...event,
  routeKey: event.routeKey.replace(/^HEAD /, "GET "),
});

/** Wraps `answer` as a Lambda handler. */
export const gateway = (answer: (event: HttpEvent) => Promise<HttpResponse>) =>
  beginHandler<HttpEvent, HttpResponse>().handler(async (sent) => {
    const started = clock();
    const event = asGet(sent);
    const { requestId } = event.requestContext;
    logger.note({ request_id: requestId });
    const answerThroughEdge = async () => answer(throughEdge(event));
    const response = await answerThroughEdge().catch((error: unknown) => errorResponse(error, event));
    observe(event, response.statusCode ?? 200, started);
    const headers = { ...response.headers, ...corsHeaders(event), "x-request-id": requestId };
    return { ...response, headers };
  });
