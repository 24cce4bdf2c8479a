/**
 * What only calls with a body need: the body, warnings for fields that nothing reads, and the
 * `Idempotency-Key`. It is a tenth of a function's code. The bundles of GET and DELETE get `without-body.ts`
 * in its place (`infra/bundle/lighter-bundles.ts`).
 */

import * as z from "zod/mini";
import { invalidAt, maxListed, Problem } from "../common/problem.ts";
import type { EndpointContract } from "../lambda/contract.ts";
import { type BodySchema, type Exceptions, isRetriable } from "./endpoint.ts";
import type { HttpEvent } from "./gateway.ts";
import { type Call, idempotently, type Run } from "./idempotency.ts";
import { jsonBody, rawBody } from "./request/body.ts";
import { inStatedForm, recordsIn } from "./request/body-forms.ts";
import { answersOf, readOnlyWarnings, unreadFields, withMistaken } from "./request/unread-fields.ts";
import type { HttpResponse } from "./responses.ts";
import * as withoutBody from "./without-body.ts";

type Stated = Pick<EndpointContract, "request" | "response"> &
  Pick<Exceptions<BodySchema>, "alsoShown" | "idsOf" | "readOnly">;

/** The body of a call. */
interface Sent {
  /** In the form that the endpoint's schema states. */
  readonly body?: unknown;
  /** The records that were sent to a call that takes their ids. */
  readonly records?: readonly unknown[] | undefined;
}

/** The body as a part of the request. If the schema makes it optional, an empty body counts as none. */
export function bodyOf({ request, idsOf }: Stated, event: HttpEvent): Sent {
  const { body } = request.shape;
  if (body === undefined) return {};
  const isOptional = body._zod.optin !== undefined;
  if (isOptional && rawBody(event).trim() === "") return {};
  const sent = jsonBody(event);
  const records = idsOf === undefined ? undefined : recordsIn(sent, idsOf);
  return { body: inStatedForm(sent, body, idsOf), records };
}

/**
 * The body that was sent, and the schemas to compare it with: what the call takes, and what its answers show.
 * Undefined if the call takes no body.
 */
function comparedOf({ request, response, alsoShown, idsOf }: Stated, { body, records }: Sent) {
  const taken = request.shape["body"];
  if (taken === undefined || body === undefined) return undefined;
  const answers = answersOf(response, alsoShown);
  if (idsOf === undefined || records === undefined) return { sent: body, taken, answers };
  const named = z.object({ data: z.array(z.object({ [idsOf.id]: z.unknown() })) });
  return { sent: { data: records }, taken: named, answers };
}

/**
 * Adds to the problem of a refused body the fields in it that were nearly right.
 */
export function explained(endpoint: Stated, sent: Sent, error: unknown): unknown {
  const compared = comparedOf(endpoint, sent);
  if (compared === undefined || !(error instanceof Problem) || error.kind !== "invalid") return error;
  const { errors = [], errorsTotal = errors.length } = error.details;
  const all = withMistaken(errors, compared.sent, compared.taken, compared.answers);
  return invalidAt(all.slice(0, maxListed), errorsTotal + all.length - errors.length);
}

/** The warnings about a body beside an answer; nothing if the endpoint reads all of it. */
export function warningsOf(endpoint: Stated, sent: Sent): (answer: object) => object {
  const compared = comparedOf(endpoint, sent);
  if (compared === undefined) return () => ({});
  const unread = unreadFields(compared.sent, compared.taken, compared.answers);
  return (answer) => {
    const kept = endpoint.readOnly ? readOnlyWarnings(sent.body, answer, endpoint.readOnly) : [];
    const total = unread.total + kept.length;
    if (total === 0) return {};
    const warnings = [...kept, ...unread.warnings].slice(0, maxListed);
    return { warnings, ...(total > warnings.length ? { warnings_total: total } : {}) };
  };
}

/** The response of a call: of its flow, or of an earlier call with the same `Idempotency-Key`. */
export const respond = async (call: Call, run: Run): Promise<HttpResponse> =>
  isRetriable(call.endpoint) ? idempotently(call, run) : withoutBody.respond(call, run);
