/**
 * What POST, PUT and PATCH alone need: the body, warnings for fields that nothing reads, and the
 * `Idempotency-Key`. It takes 6 % of the time in which a function loads. So `lambda.ts` imports it, but the
 * bundles of GET and DELETE get `without-body.ts` in its place, also while debugging
 * (`infra/bundle/lighter-bundles.ts`).
 */
import * as z from "zod/mini";
import { invalidAt, maxListed } from "../common/problem.ts";
import type { EndpointContract } from "../runtime/contract.ts";
import { type BodySchema, type Extras, isRetriable } from "./endpoint.ts";
import type { HttpEvent } from "./http-handler.ts";
import { idempotently, type RequestInFlight, type Run } from "./idempotent-call.ts";
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
import * as withoutBody from "./without-body.ts";

type Stated = Pick<EndpointContract, "request" | "response"> &
  Pick<Extras<BodySchema>, "alsoShown" | "idsOf" | "readOnly">;

/** Reads the body of a call. If the schema makes it optional, an empty body counts as none. */
export function bodyOf(
  { request, response, alsoShown, idsOf, readOnly }: Stated,
  event: HttpEvent,
): withoutBody.SentBody {
  const { body: stated } = request.shape;
  if (stated === undefined) return withoutBody.bodyOf();
  const isOptional = stated._zod.optin !== undefined;
  if (isOptional && rawBody(event).trim() === "") return withoutBody.bodyOf();
  const sent = jsonBody(event);
  const body = inStatedForm(sent, stated, idsOf);
  const records = idsOf && recordsInBody(sent, idsOf);
  // Records that were sent in the place of their ids are compared as such.
  const [read, taken] =
    idsOf === undefined || records === undefined
      ? [body, stated]
      : [{ data: records }, z.object({ data: z.array(z.object({ [idsOf.id]: z.unknown() })) })];
  const answers = answersOf(response, alsoShown);
  /** Found once for all answers of the call, and only if it has one. */
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
export const respond = async (call: RequestInFlight, run: Run): Promise<HttpResponse> =>
  isRetriable(call.endpoint) ? idempotently(call, run) : withoutBody.respond(call, run);
