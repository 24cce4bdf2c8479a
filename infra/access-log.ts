/**
 * A line of API Gateway's access log. Headers and query strings are left out, because they hold credentials
 * and customers' data.
 */
export const accessLogLine = {
  requestId: "$context.requestId",
  time: "$context.requestTime",
  source: "$context.identity.sourceIp",
  route: "$context.routeKey",
  status: "$context.status",
  latency: "$context.responseLatency",
  integrationLatency: "$context.integrationLatency",
  integrationError: "$context.integrationErrorMessage",
} as const;
