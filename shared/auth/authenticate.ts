/**
 * Authentication: finds out which account, user or device makes a call, and whether its key may write.
 *
 * Each area of the interface (`oms`, `wms`, `v2`, `mobile`, `sign-in`) has its own credentials. Keys and
 * users are read in one round trip for every call and never cached, so a revocation takes effect with the
 * next request. Keys are stored as SHA-256 hashes, passwords as scrypt hashes (`passwords.ts`), and all
 * comparisons take constant time. The mobile application signs in with a password and a TOTP code
 * (`sign-in.ts`), and then sends a JWT that is bound to its device (`mobile.ts`). How accounts, users and
 * sessions are stored, and how requests are limited, is in `shared/accounts`.
 */
import { findAccount, findUser } from "../accounts/account-repository.ts";
import { countKnown, quotaOfAccount } from "../accounts/request-limit-repository.ts";
import { type FieldError, Problem } from "../common/problem.ts";
import type { Area } from "../runtime/contract.ts";
import type { Database } from "../store/dynamodb/database.ts";
import type { Authenticated, Authenticator, Callers, Known, Received, Scope } from "./callers.ts";
import { deviceOf, type Headers, headerProblem, requiredHeader } from "./headers.ts";
import { hashKey, sameHash } from "./secrets.ts";

/** The areas that need no session. The area `mobile` needs one; see `authenticateMobile`. */
export type SessionlessArea = Exclude<Area, "mobile">;

const keyMessage = "The Key is invalid or does not have access to this API resource";

/** The headers that may contain a key, and whose key it is. */
interface KeySource {
  readonly headers: readonly ["Key"] | readonly ["Authorization", "Key"];
  readonly owner: string;
}

const accountKey: KeySource = { headers: ["Key"], owner: "account" };
const v2Key: KeySource = { headers: ["Authorization", "Key"], owner: "account" };
const masterKey: KeySource = { headers: ["Key"], owner: "warehouse" };

/** The sent key; an empty one counts as none. */
const keyIn = ({ headers: names }: KeySource, headers: Headers): string | undefined =>
  names.map((name) => headers[name.toLowerCase()]).find((value) => value !== undefined && value !== "");

function hashIn(source: KeySource, headers: Headers): string | undefined {
  const key = keyIn(source, headers);
  return key === undefined ? undefined : hashKey(key);
}

/** Headers in which other services expect a key. */
const elsewhere = ["Authorization", "X-Api-Key"] as const;

/** Advice for clients that are used to other services: they send no key here, or one after a scheme. */
function keyAdvice({ headers: names, owner }: KeySource, headers: Headers): readonly FieldError[] {
  const [path] = names;
  const sent = keyIn({ headers: names, owner }, headers);
  if (sent !== undefined)
    return /^(?:Bearer|Basic) /i.test(sent)
      ? [{ path, message: "must be the key alone, without Bearer or Basic before it" }]
      : [];
  const other = elsewhere.find((name) => (headers[name.toLowerCase()] ?? "") !== "");
  const unread = other === undefined ? "" : `; ${other} is not read by this call`;
  return [{ path, message: `is missing; send the key of the ${owner} in it, as it is${unread}` }];
}

/** @throws Problem `unauthorized` if the key is missing or wrong */
function checkKey(
  source: KeySource,
  headers: Headers,
  stored: string | undefined,
  sent = hashIn(source, headers),
): void {
  if (sent !== undefined && stored !== undefined && sameHash(sent, stored)) return;
  throw new Problem("unauthorized", keyMessage, { errors: keyAdvice(source, headers) });
}

async function authenticateAccount(
  db: Database,
  { headers, weight }: Received,
  source: KeySource,
): Promise<Known<Callers["oms"]>> {
  const id = requiredHeader(headers, "AccountID");
  if (!/^[1-9]\d{0,14}$/.test(id)) throw headerProblem("AccountID does not exist");
  const sent = hashIn(source, headers);
  const request = { account_id: Number(id), key_hash: sent ?? "", weight };
  const [account, counted] = await Promise.all([
    findAccount(db, request.account_id),
    countKnown(db, request),
  ]);
  if (account === undefined) throw headerProblem("AccountID does not exist");
  checkKey(source, headers, account.key_hash, sent);
  if (!account.activated) throw headerProblem("AccountID is not activated");
  const { account_id, key_scope: scope } = account;
  const quota = await quotaOfAccount(db, request, account.limit, counted);
  return { caller: { account_id }, scope, actor: `account:${account_id}`, ...(quota && { quota }) };
}

/** Maximum length of user names. A longer name is unknown without a lookup. */
const maxUserNameLength = 100;

async function authenticateWms(db: Database, { headers }: Received): Promise<Authenticated<"wms">> {
  const name = requiredHeader(headers, "UserName");
  const { user, master } =
    name.length <= maxUserNameLength ? await findUser(db, name) : { user: undefined, master: undefined };
  if (user === undefined || !user.wms) throw headerProblem("user does not exist or has no permissions");
  checkKey(masterKey, headers, master?.key_hash);
  if (!user.activated) throw headerProblem("user is not activated");
  return { caller: { user }, scope: master?.key_scope ?? "read", actor: `user:${user.user_name}` };
}

/** Anyone may try to sign in. Attempts are counted by user name and source address, not by device. */
async function authenticateDevice(
  _db: Database,
  { headers, source }: Received,
): Promise<Authenticated<"sign-in">> {
  const device = deviceOf(headers);
  // A device id may be any text, so logs do not contain it.
  return { caller: { device, source }, scope: "write", actor: "device" };
}

/**
 * Checks in order (docs/decisions.md, Order of the checks). Nothing is cached, so a new key or a deactivation
 * takes effect with the next request. @throws Problem `unauthorized` (401)
 */
export const authenticators: { readonly [A in SessionlessArea]: Authenticator<A> } = {
  oms: (db, received) => authenticateAccount(db, received, accountKey),
  wms: authenticateWms,
  v2: (db, received) => authenticateAccount(db, received, v2Key),
  "sign-in": authenticateDevice,
};

/** Rejects read-only keys. @throws Problem `forbidden` (403) */
export function requireWrite({ scope }: { readonly scope: Scope }): void {
  if (scope === "write") return;
  const errors = [{ path: "Key", message: "is read-only; a call that writes needs a key that may write" }];
  throw new Problem("forbidden", keyMessage, { errors });
}
