/** The limit of an account's requests, as responses show it (docs/decisions.md, Request limits). */
import { type Quota, windowOf } from "../accounts/request-limit.ts";
import { Problem } from "../common/problem.ts";

/** The name of the one policy, in the headers. */
const policy = '"account"';

/** @throws Problem `too_many` if the account has no request left for this call */
export function requireQuota(quota: Quota | undefined): void {
  if (quota?.wait === undefined) return;
  throw new Problem("too_many", "The account has sent too many requests; nothing was done, try again later", {
    retryAfterSeconds: quota.wait,
  });
}

/**
 * The headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), if requests are
 * limited.
 */
export function quotaHeaders(quota: Quota | undefined): Readonly<Record<string, string>> {
  if (quota === undefined) return {};
  const { limit, remaining, reset } = quota;
  return {
    "ratelimit-policy": `${policy};q=${limit.burst};w=${windowOf(limit)}`,
    ratelimit: `${policy};r=${remaining};t=${reset}`,
  };
}
