/**
 * Stands in for `with-body.ts` in the bundles of GET and DELETE. Their calls are idempotent by themselves: a
 * body and an `Idempotency-Key` are ignored.
 */
import { noIdempotencyKey } from "../store/store-once.ts";
import { json } from "./responses.ts";
import { etagOf } from "./versions.ts";
import type * as withBody from "./with-body.ts";

export const bodyOf: typeof withBody.bodyOf = () => ({
  part: {},
  explained: (problem) => problem,
  warnings: () => ({}),
});

export const respond: typeof withBody.respond = async ({ endpoint }, run) => {
  const answer = await run(noIdempotencyKey);
  return json(200, answer, etagOf(endpoint, answer));
};
