import { tryChange } from "../store/dynamodb/change-one.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined, only } from "../store/dynamodb/keys.ts";
import type { Lookup } from "../store/dynamodb/reads.ts";
import { Busy } from "../store/dynamodb/retry.ts";
import type { Change } from "../store/dynamodb/writes.ts";
import { type Quota, quotaOf, type RequestLimit, type Taking, taking } from "./request-limit.ts";

/**
 * The bucket of an account's requests is a separate item, so that counting requests does not change the
 * account.
 */
export const bucketLookup = (accountId: number): Lookup => ({
  table: "identity",
  key: { pk: joined("requests", accountId), sk: only },
});

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

/** A request to count. */
export interface Counting {
  readonly account_id: number;
  /** The hash of the key that the request carries. */
  readonly key_hash: string;
  readonly limit: RequestLimit;
  readonly tokens: number;
}

/** The remaining quota, and when the bucket will be full. */
export interface Counted {
  readonly quota: Quota;
  readonly full_at: number;
}

/** A bucket used concurrently passes each state (full, used, empty) at most once. */
const attempts = 4;

/**
 * Counts a request: takes its tokens from the account's bucket, or rejects it if too few are left. `known` is
 * the last known time at which the bucket is full. If the bucket's state can be derived from it, this takes
 * one round trip, else two. The bucket never fills earlier than known, so a request that `known` rejects
 * needs none.
 * @returns undefined, with nothing counted, if the key is not the account's
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

/** Tries one change of the bucket. If the bucket is not in the expected state, returns its actual state. */
async function take(
  db: Database,
  { account_id, key_hash }: Counting,
  step: Exclude<Taking, { bucket: "empty" }>,
  now: number,
): Promise<Taken> {
  const tied = { attribute: "key_hash", equals: key_hash } as const;
  const place = { kind: "change", ...bucketLookup(account_id) } as const;
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
