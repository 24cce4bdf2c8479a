/**
 * How many requests an account may send (docs/decisions.md, Request limits): a bucket of tokens that is
 * refilled at a steady rate. A request takes one or more tokens.
 *
 * A single number describes a bucket: the time at which it is full again. Taking a token moves that time
 * forward by the time that refills one token, so nothing is written while a bucket fills. Times are in
 * microseconds since 1970, which a number represents exactly.
 */
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import type { Change } from "../store/dynamodb/writes.ts";

/** Maximum rate. The bucket is one item, which allows 1,000 writes a second in DynamoDB. */
export const maxPerSecond = 500;

export const maxBurst = 10_000;

export const requestLimit = z.object({
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

/** How tokens are taken from a bucket: its change, given its current state, or how long it has too few. */
type Taking = { readonly change: Pick<Change, "set" | "add" | "when"> } | { readonly wait: number };

/** Takes tokens at `now` from a bucket that is full at `fullAt`. */
export function taking(limit: RequestLimit, fullAt: number, tokens: number, now: number): Taking {
  const attribute = "full_at";
  const later = tokens * perToken(limit);
  const latest = now + limit.burst * perToken(limit) - later;
  if (fullAt > latest) return { wait: fullAt - latest };
  if (fullAt <= now)
    return { change: { set: { [attribute]: now + later }, when: [{ attribute, atMost: now }] } };
  const when = [
    { attribute, atLeast: now + 1 },
    { attribute, atMost: latest },
  ];
  return { change: { add: { [attribute]: later }, when } };
}

/** The state of a limit, as clients see it. Times are in whole seconds. */
export interface Quota {
  readonly limit: RequestLimit;
  readonly remaining: number;
  /** Seconds until the bucket is full, without further requests. */
  readonly reset: number;
  /** Seconds until a rejected request may be retried; undefined if the request is not rejected. */
  readonly wait?: number;
}

const seconds = (time: number): number => Math.ceil(time / second);

/** The quota of a bucket that is full at `fullAt`. `wait` is the time until a refused request succeeds. */
export function quotaOf(limit: RequestLimit, fullAt: number, now: number, wait?: number): Quota {
  const missing = Math.max(0, fullAt - now);
  const left = Math.floor(limit.burst - missing / perToken(limit));
  const quota = { limit, remaining: Math.max(0, left), reset: seconds(missing) };
  return wait === undefined ? quota : { ...quota, wait: Math.max(1, seconds(wait)) };
}

export const windowOf = (limit: RequestLimit): number => seconds(limit.burst * perToken(limit));
