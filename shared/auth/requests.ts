import { type Counted, countRequest } from "../accounts/request-bucket-repository.ts";
import { type Quota, type RequestLimit, tokensOf } from "../accounts/request-limit.ts";
import { isDeepEqual } from "../common/deep-equal.ts";
import type { Database } from "../store/dynamodb/database.ts";

/** What this instance knows of an account that has a limit. */
interface Known {
  readonly limit: RequestLimit;
  /** The stored form of the key that the account had at its last request here. */
  readonly key_hash: string;
  readonly full_at: number;
}

const known = new Map<number, Known>();

/** Most accounts that an instance remembers. It begins anew then, which costs each account one more round trip. */
const maxKnown = 1000;

/** A request of an account, before it is known whether the account is limited. */
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
 * Counts a request by the limit that this instance knows of its account, beside the account's read: so a limit costs no
 * round trip of its own. Undefined where none is known, or the key is not the one that is known. Such a key may be wrong, and
 * then must not reach the bucket: the write would be refused, but many of them would still keep the account's own calls from it.
 */
export async function countKnown(db: Database, request: Request): Promise<Counted | undefined> {
  const its = known.get(request.account_id);
  if (its === undefined || its.key_hash !== request.key_hash) return undefined;
  const counted = await count(db, request, its.limit);
  // The key was right once, and is not any more.
  if (counted === undefined) known.delete(request.account_id);
  return counted;
}

/**
 * The quota of an account as it is stored, for a request whose key was found right, and that `early` may have counted already.
 * Where that went by a limit that was changed meanwhile, the request is counted once more.
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
