/**
 * Defines endpoints of POST, PUT and PATCH. Only these need the body, warnings for fields that nothing reads,
 * and the `Idempotency-Key`.
 */
import * as z from "zod/mini";
import { authenticators, type SessionlessArea } from "../auth/authenticate.ts";
import { invalidAt, maxListed } from "../common/problem.ts";
import { resumeSaga } from "../store/sagas/saga.ts";
import {
  type BodyMethod,
  type BodySchema,
  type Contract,
  endpointOf,
  type Flow,
  isRetriable,
  type RequestSchema,
} from "./endpoint.ts";
import type { HttpEvent } from "./http-handler.ts";
import { idempotently, type RequestInFlight, type Run } from "./idempotent-call.ts";
import { type Bodies, type BodyContract, lambdaFor, noBody, type SentBody } from "./lambda-for.ts";
import { jsonBody, rawBody } from "./request/body.ts";
import { inStatedForm, recordsInBody } from "./request/body-forms.ts";
import {
  answersOf,
  readOnlyWarnings,
  unreadFields,
  type Warnings,
  withMistaken,
} from "./request/unread-fields.ts";
import type { HttpResponse } from "./responses.ts";

/** Reads the body of a call. If the schema makes it optional, an empty body counts as none. */
function bodyOf({ request, response, alsoShown, idsOf, readOnly }: BodyContract, event: HttpEvent): SentBody {
  const { body: stated } = request.shape;
  if (stated === undefined) return noBody.bodyOf();
  const isOptional = stated._zod.optin !== undefined;
  if (isOptional && rawBody(event).trim() === "") return noBody.bodyOf();
  const sent = jsonBody(event);
  const body = inStatedForm(sent, stated, idsOf);
  const records = idsOf && recordsInBody(sent, idsOf);
  // Records sent instead of their ids are compared as records.
  const [read, taken] =
    idsOf === undefined || records === undefined
      ? [body, stated]
      : [{ data: records }, z.object({ data: z.array(z.object({ [idsOf.id]: z.unknown() })) })];
  const answers = answersOf(response, alsoShown);
  /** Computed once for all answers of the call, and only if there is one. */
  let unread: Warnings | undefined;
  return {
    part: { body },
    explained: ({ details: { errors = [], errorsTotal = errors.length } }) => {
      const all = withMistaken(errors, read, taken, answers);
      return invalidAt(all.slice(0, maxListed), errorsTotal + all.length - errors.length);
    },
    warnings: (answer) => {
      unread ??= unreadFields(read, taken, answers);
      const kept = readOnly === undefined ? [] : readOnlyWarnings(body, answer, readOnly);
      const total = unread.total + kept.length;
      if (total === 0) return {};
      const warnings = [...kept, ...unread.warnings].slice(0, maxListed);
      return { warnings, ...(total > warnings.length ? { warnings_total: total } : {}) };
    },
  };
}

/** The response of a call: of its flow, or of an earlier call with the same `Idempotency-Key`. */
const respond = async (call: RequestInFlight, run: Run): Promise<HttpResponse> =>
  isRetriable(call.endpoint) ? idempotently(call, run) : noBody.respond(call, run);

export const withBody: Bodies = { bodyOf, respond, resumeSaga };

/**
 * Defines a POST, PUT or PATCH of any area but `mobile`. Its route, document, bundle and permissions
 * (`infra/access.ts`) derive from its contract.
 */
export function defineEndpoint<A extends SessionlessArea, I extends RequestSchema, O extends BodySchema>(
  contract: Contract<A, I, O, BodyMethod>,
  flow: Flow<A, I, O>,
) {
  const endpoint = endpointOf(contract, flow);
  return { endpoint, handler: lambdaFor<A, I, O>(endpoint, authenticators[endpoint.auth], withBody) };
}
