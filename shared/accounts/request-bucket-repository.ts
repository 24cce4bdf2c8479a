import { tryChange } from "../store/dynamodb/change-one.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined, only } from "../store/dynamodb/keys.ts";
import type { Lookup } from "../store/dynamodb/reads.ts";
import { Busy } from "../store/dynamodb/retry.ts";
import { type Change, stale } from "../store/dynamodb/writes.ts";
import { type Quota, quotaOf, type RequestLimit, type Taking, taking } from "./request-limit.ts";

/** The bucket of an account's requests: an item of its own, so that calls which count change nothing else of the account. */
export const bucketLookup = (accountId: number): Lookup => ({
  table: "identity",
  key: { pk: joined("requests", accountId), sk: only },
});

/**
 * Ties the bucket to the account's key. A request is counted on the condition that it carries the key: else anyone who knows
 * an account's id could use up its requests. With `filled`, the bucket is full: what was taken out by another limit counts
 * for nothing.
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
  rejection: stale,
});

/** A request to be counted. */
export interface Counting {
  readonly account_id: number;
  /** The stored form of the key that the request carries. */
  readonly key_hash: string;
  readonly limit: RequestLimit;
  readonly tokens: number;
}

/** What was counted: the quota that is left, and when the bucket is full. */
export interface Counted {
  readonly quota: Quota;
  readonly full_at: number;
}

/** Full, then used, then empty: a bucket that others use too is in each state at most once. */
const attempts = 4;

/**
 * Counts a request: takes its tokens out of the account's bucket, or refuses it where too few are left. It is one round trip
 * where `known`, the time at which the bucket is full as far as the caller knows, tells the bucket's state; else two. The
 * bucket never fills sooner than was known, so a request that must be refused by `known` needs none.
 * @returns undefined where the key is not the account's: nothing is counted then
 * @throws Busy
 */
export async function countRequest(
  db: Database,
  counting: Counting,
  known = 0,
): Promise<Counted | undefined> {
  const { limit, tokens } = counting;
  const now = Date.now() * 1000;
  let fullAt = known;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const step = taking(limit, fullAt, tokens, now);
    if (step.bucket === "empty") return { quota: quotaOf(limit, fullAt, now, step.wait), full_at: fullAt };
    const taken = await take(db, counting, step, now);
    if ("full_at" in taken) return { quota: quotaOf(limit, taken.full_at, now), full_at: taken.full_at };
    if (taken.key_hash !== counting.key_hash) return undefined;
    fullAt = taken.was_full_at;
  }
  throw new Busy(new Error(`a request of account ${counting.account_id} could not be counted`));
}

type Taken =
  | { readonly full_at: number }
  | { readonly was_full_at: number; readonly key_hash: string | undefined };

/** Tries one change of the bucket. Where it is in another state than thought, it answers how it is. */
async function take(
  db: Database,
  { account_id, key_hash }: Counting,
  step: Exclude<Taking, { bucket: "empty" }>,
  now: number,
): Promise<Taken> {
  const tied = { attribute: "key_hash", equals: key_hash } as const;
  const place = { kind: "change", ...bucketLookup(account_id), rejection: stale } as const;
  const change: Change =
    step.bucket === "full"
      ? { ...place, set: { full_at: step.full_at }, when: [tied, { attribute: "full_at", atMost: now }] }
      : {
          ...place,
          add: { full_at: step.later },
          when: [
            tied,
            { attribute: "full_at", atLeast: now + 1 },
            { attribute: "full_at", atMost: step.latest },
          ],
        };
  const tried = await tryChange(db, change);
  if ("changed" in tried) return { full_at: Number(tried.changed["full_at"]) };
  return { was_full_at: Number(tried.instead["full_at"] ?? 0), key_hash: tried.instead["key_hash"] };
}
