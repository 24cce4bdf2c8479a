/**
 * What only calls with a body need: the body, warnings for fields that nothing reads, and the
 * `Idempotency-Key`. It is a tenth of a function's code. The bundles of GET and DELETE get `without-body.ts`
 * in its place (`infra/bundle/lighter-bundles.ts`).
 */

import type { EndpointContract } from "../lambda/contract.ts";
import { type BodySchema, isRetriable } from "./endpoint.ts";
import type { HttpEvent } from "./gateway.ts";
import { type Call, idempotently, type Run } from "./idempotency.ts";
import { jsonBody, rawBody } from "./request/body.ts";
import { unreadFields } from "./request/unread-fields.ts";
import type { HttpResponse } from "./responses.ts";
import * as withoutBody from "./without-body.ts";

type Schemas = Pick<EndpointContract, "request" | "response"> & { readonly alsoShown?: BodySchema };

/** The body as a part of the request. If the schema makes it optional, an empty body counts as none. */
export function bodyOf({ shape: { body } }: Schemas["request"], event: HttpEvent): { body?: unknown } {
  if (body === undefined) return {};
  const isOptional = body._zod.optin !== undefined;
  if (isOptional && rawBody(event).trim() === "") return {};
  return { body: jsonBody(event) };
}

/** What an answer says of fields of the body that the endpoint does not read; nothing if it reads all. */
export function warningsOf({ request, response, alsoShown }: Schemas, sent: unknown): object {
  const { body } = request.shape;
  if (body === undefined || sent === undefined) return {};
  const answers = alsoShown === undefined ? [response] : [response, alsoShown];
  const { warnings, total } = unreadFields(sent, body, answers);
  if (total === 0) return {};
  return { warnings, ...(total > warnings.length ? { warnings_total: total } : {}) };
}

/** The response of a call: of its flow, or of an earlier call with the same `Idempotency-Key`. */
export const respond = async (call: Call, run: Run): Promise<HttpResponse> =>
  isRetriable(call.endpoint) ? idempotently(call, run) : withoutBody.respond(call, run);
