import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import * as z from "zod/mini";
import { invalid, maxListed, Problem, type ProblemKind } from "../common/problem.ts";
import { jsonBytes, truncate } from "../common/strings.ts";

export type HttpResponse = APIGatewayProxyStructuredResultV2;

const statusCodes: Readonly<Record<ProblemKind, number>> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  not_allowed: 405,
  conflict: 409,
  outdated: 412,
  too_large: 413,
  unsupported: 415,
  too_many: 429,
  unavailable: 503,
};

/** A header of every response: browsers then do not take JSON for a page. */
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

/** Most bytes of a success as Lambda counts them, as a string within JSON. Lambda takes 6 MB. */
const maxSuccessBytes = 5_000_000;

/** A body of this many characters always fits, since a character takes at most 6 bytes as JSON. */
const alwaysFitsCharacters = 800_000;

/**
 * The response to a successful call, within the limit (docs/decisions.md, Sizes of answers). What was written
 * can't be undone, so the answer of a write is made smaller: of each record in `data`, the numbers stay.
 * @throws Problem `invalid` if the answer of a call that only reads is too large
 */
export function withinSizeLimit(response: HttpResponse, writes: boolean): HttpResponse {
  const { body = "" } = response;
  if (body.length <= alwaysFitsCharacters) return response;
  if (Buffer.byteLength(JSON.stringify(body)) <= maxSuccessBytes) return response;
  if (!writes) {
    const advice = "ask for fewer records at a time (per_page, or limit)";
    throw invalid(`The answer would be larger than 5 MB; ${advice}`);
  }
  const answer: unknown = JSON.parse(body);
  const fields = fieldsOf(answer).map(([name, value]) => [name, name === "data" ? condense(value) : value]);
  return { ...response, body: JSON.stringify(Object.fromEntries(fields)) };
}

const fieldsOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === "object" && value !== null ? Object.entries(value) : [];

/** Most characters of a message beside the numbers of a record. */
const maxRecordMessage = 100;

/** Records, or one, reduced to ids, versions, numbers, and whether and why one was rejected. */
function condense(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(condense);
  const fields = fieldsOf(data).flatMap(([name, value]): [string, unknown][] => {
    if (typeof value === "number" || typeof value === "boolean") return [[name, value]];
    if (name !== "message" || typeof value !== "string") return [];
    return [[name, truncate(value, maxRecordMessage)]];
  });
  return Object.fromEntries(fields);
}

/** Most bytes of a failure (docs/decisions.md, Sizes of answers). */
const maxFailureBytes = 65_536;

/** Most bytes of `errors` in a failure that would be too large otherwise. */
const maxErrorsBytes = 16_384;

/** Most characters of the message of such a failure. */
const maxMessage = 1000;

/** A problem, and then shorter versions of it, for an answer that would be too large. */
function* shorterAndShorter(problem: Problem): Generator<Problem, void> {
  const { kind, details } = problem;
  const { errors = [], errorsTotal = errors.length, data } = details;
  const listed = errors.slice(0, maxListed);
  yield new Problem(kind, problem.message, { ...details, errors: listed, errorsTotal });
  const fitting = listed.filter((_, last) => jsonBytes(listed.slice(0, last + 1)) <= maxErrorsBytes);
  const message = truncate(problem.message, maxMessage);
  const smaller = { ...details, errors: fitting, errorsTotal };
  yield new Problem(kind, message, data === undefined ? smaller : { ...smaller, data: data.map(condense) });
  yield new Problem(kind, message);
}

/** The body of a failure. It has at most 64 KB. */
function boundedBody(problem: Problem, bodyOf: (problem: Problem) => object = failureBody): object {
  let body = {};
  for (const shorter of shorterAndShorter(problem)) {
    body = bodyOf(shorter);
    if (jsonBytes(body) <= maxFailureBytes) break;
  }
  return body;
}

/** The failure envelope, in the interface's shape. */
function failureBody({ message, details: { errors = [], errorsTotal = errors.length, data } }: Problem) {
  const listed = errors.length === 0 && errorsTotal === 0 ? {} : { errors };
  const total = errorsTotal > errors.length ? { errors_total: errorsTotal } : {};
  return {
    response: { success: false, message, ...listed, ...total },
    ...(data === undefined ? {} : { data }),
  };
}

/**
 * The one mapping from errors to responses. A 400 has the endpoint's own `failure` body, if the endpoint has
 * one. The response to an error that is not a Problem shows nothing but the request id.
 */
export function failure(
  error: unknown,
  requestId: string,
  ownBody?: (problem: Problem) => object,
): HttpResponse {
  if (!(error instanceof Problem)) {
    const message = `The service failed to answer; nothing is known to be wrong with the request (${requestId})`;
    return json(500, { response: { success: false, message } });
  }
  const { retryAfterSeconds } = error.details;
  const headers = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  const body = boundedBody(error, error.kind === "invalid" ? ownBody : undefined);
  return json(statusCodes[error.kind], body, headers);
}

/** The `{"data": …}` body. */
export const dataOf = <T extends z.core.$ZodType>(record: T) => z.object({ data: record });
