import { type Counted, countRequest } from "../accounts/request-bucket-repository.ts";
import { type Quota, type RequestLimit, tokensOf } from "../accounts/request-limit.ts";
import { isDeepEqual } from "../common/deep-equal.ts";
import type { Database } from "../store/dynamodb/database.ts";

/** What this instance remembers about an account with a request limit. */
interface Known {
  readonly limit: RequestLimit;
  /** The hash of the account's key at its last request in this instance. */
  readonly key_hash: string;
  readonly full_at: number;
}

const known = new Map<number, Known>();

/**
 * Maximum accounts that an instance remembers. Beyond it, all are forgotten, which costs each account one
 * more round trip.
 */
const maxKnown = 1000;

/** A request of an account that may have a limit. */
export interface Request {
  readonly account_id: number;
  readonly key_hash: string;
  readonly weight: number;
}

async function count(db: Database, { weight, ...request }: Request, limit: RequestLimit) {
  const counting = { ...request, limit, tokens: tokensOf(limit, weight) };
  const counted = await countRequest(db, counting, known.get(request.account_id)?.full_at);
  if (counted !== undefined) remember(request, limit, counted);
  return counted;
}

function remember(
  { account_id, key_hash }: Pick<Request, "account_id" | "key_hash">,
  limit: RequestLimit,
  { full_at }: Counted,
): void {
  if (known.size >= maxKnown) known.clear();
  known.set(account_id, { limit, key_hash, full_at });
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
