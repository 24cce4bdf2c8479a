/**
 * What GET and DELETE have in the place of `with-body.ts`. Their calls are idempotent by themselves: a body
 * and an `Idempotency-Key` are ignored. The answer to a GET of one record has its version as `ETag`.
 */
import type { Problem } from "../common/problem.ts";
import { noIdempotencyKey } from "../store/idempotency.ts";
import type { RequestInFlight, Run } from "./idempotent-call.ts";
import { type HttpResponse, json } from "./responses.ts";
import { etagOf } from "./versions.ts";

/** The body of a call. */
export interface SentBody {
  /** The body as a part of the request, in the form that the endpoint's schema states. */
  readonly part: { readonly body?: unknown };
  /** Adds to the problem of a refused body the fields in it that were nearly right. */
  readonly explained: (problem: Problem) => Problem;
  /** The warnings about the body beside an answer; nothing if the endpoint reads all of it. */
  readonly warnings: (answer: object) => object;
}

export const bodyOf = (): SentBody => ({
  part: {},
  explained: (problem) => problem,
  warnings: () => ({}),
});

export async function respond(
  { endpoint }: Pick<RequestInFlight, "endpoint">,
  run: Run,
): Promise<HttpResponse> {
  const answer = await run(noIdempotencyKey);
  return json(200, answer, etagOf(endpoint, answer));
}
