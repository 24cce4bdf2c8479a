import type { WarehouseUser } from "../accounts/account-repository.ts";
import { findUserWithCredentials } from "../accounts/credential-repository.ts";
import { findLogin, type Login } from "../accounts/login-repository.ts";
import type { Device } from "../accounts/session-repository.ts";
import type { Problem } from "../common/problem.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { unauthorized } from "./headers.ts";
import { isPassword } from "./passwords.ts";
import { hashKey, newKey } from "./secrets.ts";
import { stepOfCode } from "./totp.ts";

/** How long a login waits for its code. Codes change every 30 seconds, but people must find their phones. */
export const loginSeconds = 5 * 60;

const maySignIn = ({ activated, wms }: WarehouseUser): boolean => activated && wms;

/** @throws Problem `unauthorized`, with the same message and after the same work, whichever check fails */
export async function userByPassword(
  db: Database,
  userName: string,
  password: string,
): Promise<WarehouseUser> {
  const found = await findUserWithCredentials(db, userName);
  const right = await isPassword(password, found?.credentials?.password);
  if (!right || found === undefined || !maySignIn(found.user)) {
    throw unauthorized("The user name or the password is wrong");
  }
  return found.user;
}

/** A new login on a device from `now` (ISO 8601). Only the device gets `login_id`; its hash is stored. */
export function newLogin(
  { user_name, session_generation }: WarehouseUser,
  { device_id }: Device,
  now: string,
): { readonly login_id: string; readonly login: Login } {
  const login_id = newKey();
  const expires_at = Math.floor(Date.parse(now) / 1000) + loginSeconds;
  const login_hash = hashKey(login_id);
  return {
    login_id,
    login: { login_hash, user_name, device_id, generation: session_generation, expires_at },
  };
}

/** The error for a code that does not complete a login. It is the same for every reason. */
export const invalidCode = (): Problem =>
  unauthorized("The code or the login is wrong, too old or used already");

/** The device's pending login with this id. @throws Problem `unauthorized` */
export async function waitingLogin(db: Database, loginId: string, { device_id }: Device): Promise<Login> {
  const login = await findLogin(db, hashKey(loginId), Date.now());
  if (login === undefined || login.device_id !== device_id) throw invalidCode();
  return login;
}

/** The caller must mark the step as used, so that a code works once. @throws Problem `unauthorized` */
export async function userByCode(
  db: Database,
  { user_name, generation }: Login,
  code: string,
): Promise<{
  readonly user: WarehouseUser;
  readonly checked: { readonly secret: string; readonly step: number };
}> {
  const found = await findUserWithCredentials(db, user_name);
  const secret = found?.credentials?.totp_secret;
  if (found === undefined || secret === undefined) throw invalidCode();
  const { user } = found;
  const step = stepOfCode(secret, code, Date.now());
  if (step === undefined || !maySignIn(user) || user.session_generation !== generation) throw invalidCode();
  return { user, checked: { secret, step } };
}
