import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { invalid, Problem, type ProblemKind } from "../common/problem.ts";

export type HttpResponse = APIGatewayProxyStructuredResultV2;

const statusCodes: Readonly<Record<ProblemKind, number>> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  too_many: 429,
};

/** A header of every answer: it keeps a browser from taking JSON for a page. */
export const nosniff = { "x-content-type-options": "nosniff" } as const;

const always = { "content-type": "application/json", "cache-control": "no-store", ...nosniff } as const;

/** A JSON response. */
export const json = (
  statusCode: number,
  body: object,
  headers: Record<string, string> = {},
): HttpResponse => ({
  statusCode,
  headers: { ...always, ...headers },
  body: JSON.stringify(body),
});

/**
 * The limit of a function's response. Lambda takes 6 MB; the rest is room for the request id, a header added
 * later.
 */
const maxResultBytes = 6_290_000;

/** A body of so many characters always fits, since a character takes at most 6 bytes as JSON. */
const alwaysFitsCharacters = 1_000_000;

/**
 * The response, if Lambda can hand it out.
 * @throws Problem `invalid` where the response is too large. A page may be, since records are of very
 * different sizes
 */
export function handedOut(response: HttpResponse): HttpResponse {
  if ((response.body ?? "").length <= alwaysFitsCharacters) return response;
  // The body counts as it is sent to Lambda: as a string within JSON, its quotes escaped.
  if (Buffer.byteLength(JSON.stringify(response)) <= maxResultBytes) return response;
  throw invalid("The answer would be larger than 6 MB; ask for fewer records at a time (per_page)");
}

/** The failure envelope, in the interface's shape. */
export const failureBody = ({ message, details: { errors, data } }: Problem) => ({
  response: { success: false, message, ...(errors !== undefined && errors.length > 0 ? { errors } : {}) },
  ...(data === undefined ? {} : { data }),
});

/**
 * The one mapping from errors to responses. A 400 has the endpoint's own `failure` body, where the endpoint
 * has one. The response to an error that is not a Problem shows nothing but the request id.
 */
export function failure(
  error: unknown,
  requestId: string,
  ownBody: (problem: Problem) => object = failureBody,
): HttpResponse {
  if (!(error instanceof Problem)) {
    const message = `The service failed to answer; nothing is known to be wrong with the request (${requestId})`;
    return json(500, { response: { success: false, message } });
  }
  const { retryAfterSeconds } = error.details;
  const headers = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  const body = error.kind === "invalid" ? ownBody(error) : failureBody(error);
  return json(statusCodes[error.kind], body, headers);
}
