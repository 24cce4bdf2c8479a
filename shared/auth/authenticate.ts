import type { Area } from "../contract.ts";
import { type Account, findAccount, findUser, type WarehouseUser } from "../data/accounts.ts";
import type { Database } from "../data/database.ts";
import { Problem } from "../domain/problem.ts";
import { isKey } from "./secrets.ts";

/** Header values by lower-cased name. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** What a caller's key lets it do. */
type Scope = "read" | "write";

/** Who calls the OMS: an account. */
export interface OmsCaller {
  readonly account: Account;
}

/** Who calls the WMS: a warehouse user. */
export interface WmsCaller {
  readonly user: WarehouseUser;
}

export interface Callers {
  readonly oms: OmsCaller;
  readonly wms: WmsCaller;
}

/** A caller whose credentials hold. */
export interface Authenticated<A extends Area> {
  readonly caller: Callers[A];
  readonly scope: Scope;
  /** Names the caller in logs, movements and idempotency records: `account:100`, `user:manager`. */
  readonly actor: string;
}

const keyMessage = "The Key is invalid or does not have access to this API resource";

const unauthorized = (message: string): Problem => new Problem("unauthorized", message);
const headerProblem = (rest: string): Problem => unauthorized(`Header value invalid; ${rest}`);

function checkKey(sent: string | undefined, hash: string | undefined): void {
  if (sent === undefined || hash === undefined || !isKey(sent, hash)) throw unauthorized(keyMessage);
}

async function authenticateOms(db: Database, headers: Headers): Promise<Authenticated<"oms">> {
  const id = headers["accountid"];
  if (id === undefined || id === "") throw headerProblem("AccountID is missing or empty");
  const account = /^[1-9]\d{0,14}$/.test(id) ? await findAccount(db, Number(id)) : undefined;
  if (account === undefined) throw headerProblem("AccountID does not exist");
  checkKey(headers["key"], account.key_hash);
  if (!account.activated) throw headerProblem("AccountID is not activated");
  return { caller: { account }, scope: account.key_scope, actor: `account:${account.account_id}` };
}

/** No user name is longer than this, so a longer one is unknown without asking. */
const longestUserName = 100;

async function authenticateWms(db: Database, headers: Headers): Promise<Authenticated<"wms">> {
  const name = headers["username"];
  if (name === undefined || name === "") throw headerProblem("UserName is missing or empty");
  const { user, master } =
    name.length <= longestUserName ? await findUser(db, name) : { user: undefined, master: undefined };
  if (user === undefined || !user.wms) throw headerProblem("user does not exist or has no permissions");
  checkKey(headers["key"], master?.key_hash);
  if (!user.activated) throw headerProblem("user is not activated");
  return { caller: { user }, scope: master?.key_scope ?? "read", actor: `user:${user.user_name}` };
}

/** How each area authenticates: one round trip, the checks in the order of decisions, section 3. */
const areas: { readonly [A in Area]: (db: Database, headers: Headers) => Promise<Authenticated<A>> } = {
  oms: authenticateOms,
  wms: authenticateWms,
};

/**
 * Finds out who calls. Nothing is cached, so a rotated key or a deactivated account holds from the next request on.
 * @throws Problem `unauthorized` with the interface's message text (401)
 */
export const authenticate = <A extends Area>(
  area: A,
  db: Database,
  headers: Headers,
): Promise<Authenticated<A>> => areas[area](db, headers);

/** @throws Problem `forbidden` (403) where the key only reads */
export function requireWrite({ scope }: { readonly scope: Scope }): void {
  if (scope !== "write") throw new Problem("forbidden", keyMessage);
}
