/** What every HTTP function does around its answer. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { clock } from "../common/clock.ts";
import { Problem } from "../common/problem.ts";
import { beginHandler, type MiddlewareObj } from "../lambda/handler.ts";
import { logger } from "../lambda/log.ts";
import { sendMetrics } from "../lambda/metrics.ts";
import { Busy } from "../store/dynamodb/retry.ts";
import { quotaHeaders } from "./quota.ts";
import { throughEdge } from "./request/edge.ts";
import { failure, type HttpResponse } from "./responses.ts";

export type HttpEvent = APIGatewayProxyEventV2;

/** Builds the body of a 400, for operations that have their own. */
type FailureBody = (problem: Problem) => object;

/** The route that was matched, such as `GET /apirest/v4/oms/orders/{order}`: never the path that was sent. */
const routeOf = (event: HttpEvent): string => event.routeKey;

/**
 * Logs every request and counts it; its latency is told by its route, at a price for each route that is called. Bodies,
 * headers and query strings never reach a log.
 */
function observation(): MiddlewareObj<HttpEvent, HttpResponse> {
  let started = 0;
  const observe = (event: HttpEvent, status: number) => {
    const duration = Math.round(clock() - started);
    const route = routeOf(event);
    logger.info("request", { route, status, duration_ms: duration });
    const client_errors = status >= 400 && status < 500 ? 1 : 0;
    const server_errors = status >= 500 ? 1 : 0;
    sendMetrics(
      { by: { route }, unit: "Milliseconds", values: { latency: duration } },
      { unit: "Count", values: { requests: 1, client_errors, server_errors } },
    );
  };
  return {
    before: ({ event }) => {
      started = clock();
      logger.note({ request_id: event.requestContext.requestId });
    },
    after: ({ event, response }) => {
      if (response === null || response === undefined) return;
      response.headers = {
        ...response.headers,
        ...quotaHeaders(event),
        "x-request-id": event.requestContext.requestId,
      };
      observe(event, response.statusCode ?? 200);
    },
    onError: ({ event, response }) => {
      if (response === null || response === undefined) return;
      response.headers = {
        ...response.headers,
        ...quotaHeaders(event),
        "x-request-id": event.requestContext.requestId,
      };
      observe(event, response.statusCode ?? 500);
    },
  };
}

/** Turns errors into responses. An error that is not a Problem is logged, since the caller is told nothing of it. */
const errors = (ownBody?: FailureBody): MiddlewareObj<HttpEvent, HttpResponse> => ({
  onError: (request) => {
    const { error, event } = request;
    const cause = error instanceof Problem ? error.cause : error;
    if (error instanceof Busy) logger.warn("busy", { error: cause });
    else if (cause instanceof Error) logger.error("unexpected error", { error: cause });
    request.response = failure(error, event.requestContext.requestId, ownBody);
  },
});

/** Has everything behind it meet the call as the viewer sent it, and lets no call come around the edge. */
const edge = (): MiddlewareObj<HttpEvent, HttpResponse> => ({
  before: (request) => {
    request.event = throughEdge(request.event);
  },
});

/** Wraps `answer` as a Lambda handler: request log, metrics, request id header, error mapping, the edge. */
export const gateway = (answer: (event: HttpEvent) => Promise<HttpResponse>, ownBody?: FailureBody) =>
  beginHandler<HttpEvent, HttpResponse>()
    .use(observation())
    .use(errors(ownBody))
    .use(edge())
    .handler((event) => answer(event));
