/**
 * How many requests an account may send (docs/decisions.md, Request limits): a bucket of tokens that is
 * refilled at a steady rate. A request takes one or more tokens.
 *
 * One number describes a bucket: the time at which it is full again. Taking a token moves that time forward
 * by the time in which one token is refilled. So nothing is written while a bucket fills. Times are in
 * microseconds since 1970, which a number represents exactly.
 */
import * as z from "zod/mini";
import { isDeepEqual } from "../common/deep-equal.ts";
import * as primitive from "../common/primitives.ts";
import { tryChange } from "../store/dynamodb/change-one.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { aloneAt, type Lookup } from "../store/dynamodb/reads.ts";
import { Busy } from "../store/dynamodb/retry.ts";
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

/** How tokens are taken from a bucket: its change, in the state that it is in; or how long it has too few. */
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

/** The bucket is an item apart, so that counting requests does not change the account. */
export const bucketLookup = (accountId: number): Lookup => aloneAt("identity", "requests", accountId);

/**
 * Binds the bucket to the account's key. A request is counted only if it carries the key; otherwise anyone
 * who knows an account's id could use up its requests. `filled` refills the bucket, for a new limit.
 */
export const tieBucket = (
  accountId: number,
  key_hash: string,
  { filled = false }: { readonly filled?: boolean } = {},
): Change => ({
  kind: "change",
  ...bucketLookup(accountId),
  ...(filled ? { set: { key_hash, full_at: 0 } } : { set: { key_hash }, add: { full_at: 0 } }),
  when: [],
});

interface Request {
  readonly account_id: number;
  readonly key_hash: string;
  readonly weight: number;
}

interface Counted {
  readonly quota: Quota;
  readonly full_at: number;
}

interface Known {
  readonly limit: RequestLimit;
  /** The hash of the account's key at its last request in this instance. */
  readonly key_hash: string;
  readonly full_at: number;
}

const known = new Map<number, Known>();

/** Before it knows more accounts, an instance forgets all of them, which costs each one more round trip. */
const maxKnown = 1000;

function remember({ account_id, key_hash }: Request, limit: RequestLimit, counted: Counted): Counted {
  if (known.size >= maxKnown && !known.has(account_id)) known.clear();
  known.set(account_id, { limit, key_hash, full_at: counted.full_at });
  return counted;
}

/** A bucket used concurrently passes each state (full, used, empty) at most once. */
const attempts = 4;

/**
 * Counts a request: takes its tokens from the account's bucket, or rejects it if too few are left. If the
 * bucket's state can be derived from when it was last known to be full, this takes one round trip, else two.
 * A request that is rejected by that needs none. The bucket fills earlier than known only if the same limit
 * is set again: the request is then rejected for at most the time in which its own tokens are refilled.
 * @returns undefined, with nothing counted, if the key is not the account's
 * @throws Busy
 */
async function count(db: Database, request: Request, limit: RequestLimit): Promise<Counted | undefined> {
  const tokens = tokensOf(limit, request.weight);
  const now = Date.now() * 1000;
  let fullAt = known.get(request.account_id)?.full_at ?? 0;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const step = taking(limit, fullAt, tokens, now);
    if ("wait" in step)
      return remember(request, limit, { quota: quotaOf(limit, fullAt, now, step.wait), full_at: fullAt });
    const taken = await take(db, request, step.change);
    if ("full_at" in taken)
      return remember(request, limit, { quota: quotaOf(limit, taken.full_at, now), full_at: taken.full_at });
    if (taken.key_hash !== request.key_hash) return undefined;
    fullAt = taken.was_full_at;
  }
  throw new Busy(new Error(`a request of account ${request.account_id} could not be counted`));
}

type Taken =
  | { readonly full_at: number }
  | { readonly was_full_at: number; readonly key_hash: string | undefined };

/** Tries a change of the bucket. If it is not in the expected state, returns its actual state. */
async function take(
  db: Database,
  { account_id, key_hash }: Request,
  { when, ...change }: Pick<Change, "set" | "add" | "when">,
): Promise<Taken> {
  const tied = { attribute: "key_hash", equals: key_hash };
  const bucket = { kind: "change", ...bucketLookup(account_id) } as const;
  const tried = await tryChange(db, { ...bucket, ...change, when: [tied, ...when] });
  if ("changed" in tried) return { full_at: Number(tried.changed["full_at"]) };
  return { was_full_at: Number(tried.instead["full_at"] ?? 0), key_hash: tried.instead["key_hash"] };
}

/**
 * Counts a request by the remembered limit of its account, concurrently with the read of the account, so a
 * limit costs no extra round trip. Returns undefined if no limit is remembered, or the key differs from the
 * remembered one. A wrong key must not reach the bucket: its writes would fail, but many of them would still
 * throttle the account's own calls.
 */
export async function countKnown(db: Database, request: Request): Promise<Counted | undefined> {
  const its = known.get(request.account_id);
  if (its === undefined || its.key_hash !== request.key_hash) return undefined;
  const counted = await count(db, request, its.limit);
  // The key is no longer valid.
  if (counted === undefined) known.delete(request.account_id);
  return counted;
}

/**
 * The quota of an account after a request with a valid key. `early` is the result of `countKnown`. If the
 * limit has changed since it was remembered, the request is counted again.
 */
export async function quotaOfAccount(
  db: Database,
  request: Request,
  limit: RequestLimit | undefined,
  early: Counted | undefined,
): Promise<Quota | undefined> {
  if (limit === undefined) {
    known.delete(request.account_id);
    return undefined;
  }
  const isChanged = !isDeepEqual(limit, known.get(request.account_id)?.limit);
  if (isChanged) known.delete(request.account_id);
  if (isChanged || early === undefined) return (await count(db, request, limit))?.quota;
  remember(request, limit, early);
  return early.quota;
}
