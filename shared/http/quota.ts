/** The limit of an account's requests, as answers tell of it (docs/decisions.md, Request limits). */

import { type Quota, windowOf } from "../accounts/request-limit.ts";
import { Problem } from "../common/problem.ts";

/** The quotas of the events that are being answered. */
const quotas = new WeakMap<object, Quota>();

/** The name of the one policy, in the headers. */
const policy = '"account"';

/**
 * Has the answer to an event tell what is left of the account's requests.
 * @throws Problem `too_many` where nothing is left for this one
 */
export function heedQuota(event: object, quota: Quota | undefined): void {
  if (quota === undefined) return;
  quotas.set(event, quota);
  if (quota.wait === undefined) return;
  throw new Problem("too_many", "The account has sent too many requests; nothing was done, try again later", {
    retryAfterSeconds: quota.wait,
  });
}

/** The headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), where the requests are limited. */
export function quotaHeaders(event: object): Readonly<Record<string, string>> {
  const quota = quotas.get(event);
  if (quota === undefined) return {};
  const { limit, remaining, reset } = quota;
  return {
    "ratelimit-policy": `${policy};q=${limit.burst};w=${windowOf(limit)}`,
    ratelimit: `${policy};r=${remaining};t=${reset}`,
  };
}
