/**
 * Counts the requests of accounts in the buckets of `request-limit.ts`. An instance remembers the buckets of
 * its latest callers, so that a request usually takes one write.
 */
import { isDeepEqual } from "../common/deep-equal.ts";
import { tryChange } from "../store/dynamodb/change-one.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { aloneAt, type Lookup } from "../store/dynamodb/reads.ts";
import { Busy } from "../store/dynamodb/retry.ts";
import type { Change } from "../store/dynamodb/writes.ts";
import { type Quota, quotaOf, type RequestLimit, taking, tokensOf } from "./request-limit.ts";

/** The bucket is a separate item, so that counting requests does not change the account. */
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
