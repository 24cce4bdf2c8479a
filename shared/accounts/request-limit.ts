/**
 * How many requests an account may send (docs/decisions.md, Request limits): a bucket of tokens that is refilled at a steady
 * rate. A request takes a token out, or several.
 *
 * One number describes a bucket: the time at which it is full again. Taking a token out moves that time on by what one
 * token takes to come back. So nothing has to be written while a bucket fills. Times are microseconds since 1970, which a
 * number holds exactly.
 */
import * as z from "zod/mini";

/** The fastest rate that can be set: the bucket is one item, of which DynamoDB writes 1,000 a second. */
export const maxPerSecond = 500;

/** The largest bucket that can be set. */
export const largestBurst = 10_000;

export const requestLimit = z.object({
  /** Tokens that come back each second. */
  per_second: z.int().check(z.minimum(1), z.maximum(maxPerSecond)),
  /** Tokens of a full bucket: the requests that may come at once. */
  burst: z.int().check(z.minimum(1), z.maximum(largestBurst)),
});
export type RequestLimit = z.output<typeof requestLimit>;

const second = 1_000_000;

const perToken = ({ per_second }: RequestLimit): number => Math.round(second / per_second);

/** The tokens that a request takes, of at least one and at most a full bucket. */
export const tokensOf = ({ burst }: RequestLimit, weight: number): number =>
  Math.min(burst, Math.max(1, Math.ceil(weight)));

/**
 * What taking tokens out of a bucket comes to. A `full` bucket is full at `now`, and full again at `full_at` afterwards. In
 * a `used` one `later` is added to the time at which it is full, which must be `latest` at most before.
 */
export type Taking =
  | { readonly bucket: "full"; readonly full_at: number }
  | { readonly bucket: "used"; readonly later: number; readonly latest: number }
  | { readonly bucket: "empty"; readonly wait: number };

/** Takes tokens at `now` out of the bucket that is full at `fullAt`. */
export function taking(limit: RequestLimit, fullAt: number, tokens: number, now: number): Taking {
  const later = tokens * perToken(limit);
  const latest = now + limit.burst * perToken(limit) - later;
  if (fullAt > latest) return { bucket: "empty", wait: fullAt - latest };
  return fullAt <= now ? { bucket: "full", full_at: now + later } : { bucket: "used", later, latest };
}

/** What a caller is told of its limit. Times are whole seconds. */
export interface Quota {
  readonly limit: RequestLimit;
  /** Whole tokens that are left. */
  readonly remaining: number;
  /** Seconds until the bucket is full, if nothing is taken. */
  readonly reset: number;
  /** Seconds until a refused request may be sent again; undefined where the request is not refused. */
  readonly wait?: number;
}

const seconds = (time: number): number => Math.ceil(time / second);

/** The quota of a bucket that is full at `fullAt`. `wait` is the time that a refused request lacks. */
export function quotaOf(limit: RequestLimit, fullAt: number, now: number, wait?: number): Quota {
  const missing = Math.max(0, fullAt - now);
  const left = Math.floor(limit.burst - missing / perToken(limit));
  const quota = { limit, remaining: Math.max(0, left), reset: seconds(missing) };
  return wait === undefined ? quota : { ...quota, wait: Math.max(1, seconds(wait)) };
}

/** Seconds in which an empty bucket fills. */
export const windowOf = (limit: RequestLimit): number => seconds(limit.burst * perToken(limit));
