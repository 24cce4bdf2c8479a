/**
 * How many requests an account may send (docs/decisions.md, Request limits): a bucket of tokens that is
 * refilled at a steady rate. A request takes one or more tokens.
 *
 * One number describes a bucket: the time at which it is full again. Taking a token moves that time forward
 * by the time in which one token is refilled. So nothing is written while a bucket fills. Times are in
 * microseconds since 1970, which a number represents exactly.
 */
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";

/** Maximum rate. The bucket is one item, which allows 1,000 writes a second in DynamoDB. */
export const maxPerSecond = 500;

/** Maximum size of a bucket. */
export const maxBurst = 10_000;

export const requestLimit = z.object({
  /** Tokens refilled per second. */
  per_second: primitive.int,
  /** Tokens of a full bucket: the maximum burst of requests. */
  burst: primitive.int,
});
export type RequestLimit = z.output<typeof requestLimit>;

const second = 1_000_000;

const perToken = ({ per_second }: RequestLimit): number => Math.round(second / per_second);

/** The tokens that a request takes: at least one, at most a full bucket. */
export const tokensOf = ({ burst }: RequestLimit, weight: number): number =>
  Math.min(burst, Math.max(1, Math.ceil(weight)));

/**
 * How to take tokens from a bucket. A `full` bucket will be full again at `full_at`. For a `used` bucket,
 * `later` is added to the time at which it is full, which must not exceed `latest` before. An `empty` bucket
 * rejects the request.
 */
export type Taking =
  | { readonly bucket: "full"; readonly full_at: number }
  | { readonly bucket: "used"; readonly later: number; readonly latest: number }
  | { readonly bucket: "empty"; readonly wait: number };

/** Takes tokens at `now` from a bucket that is full at `fullAt`. */
export function taking(limit: RequestLimit, fullAt: number, tokens: number, now: number): Taking {
  const later = tokens * perToken(limit);
  const latest = now + limit.burst * perToken(limit) - later;
  if (fullAt > latest) return { bucket: "empty", wait: fullAt - latest };
  return fullAt <= now ? { bucket: "full", full_at: now + later } : { bucket: "used", later, latest };
}

/** The state of a limit, as clients see it. Times are in whole seconds. */
export interface Quota {
  readonly limit: RequestLimit;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Seconds until the bucket is full, without further requests. */
  readonly reset: number;
  /** Seconds until a rejected request may be retried; undefined if the request is not rejected. */
  readonly wait?: number;
}

const seconds = (time: number): number => Math.ceil(time / second);

/**
 * The quota of a bucket that is full at `fullAt`. `wait` is the time until a rejected request would succeed.
 */
export function quotaOf(limit: RequestLimit, fullAt: number, now: number, wait?: number): Quota {
  const missing = Math.max(0, fullAt - now);
  const left = Math.floor(limit.burst - missing / perToken(limit));
  const quota = { limit, remaining: Math.max(0, left), reset: seconds(missing) };
  return wait === undefined ? quota : { ...quota, wait: Math.max(1, seconds(wait)) };
}

/** Seconds in which an empty bucket refills. */
export const windowOf = (limit: RequestLimit): number => seconds(limit.burst * perToken(limit));
