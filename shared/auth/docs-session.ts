import type { WarehouseUser } from "../accounts/account-repository.ts";
import { type Device, findSession, type Session } from "../accounts/session-repository.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { readJwtOf, signJwt } from "./jwt.ts";
import { newSession } from "./mobile.ts";
import { signingSecrets } from "./signing-secret.ts";

/** How long a browser stays signed in (docs/decisions.md, Signing in to the documentation). */
export const docsSeconds = 8 * 60 * 60;

/** The device of a session in a browser, which sends no device headers. */
const browser: Device = {
  device_id: "browser",
  app: "documentation",
  app_version: "1",
  system_version: "browser",
};

const audience = "documentation";

export const newDocsSession = (user: WarehouseUser, now: string): Session =>
  newSession(user, browser, now, docsSeconds);

/** The value of a session's cookie. Calls of the mobile application reject it. */
export const docsToken = async (session: Session): Promise<string> =>
  signJwt((await signingSecrets()).current, session, audience);

/** The session of a cookie; undefined if it has ended, or the cookie was not issued by the service. */
export async function findDocsSession(db: Database, token: string): Promise<Session | undefined> {
  const signed = await readJwtOf((await signingSecrets()).accepted, token, audience);
  if (signed === undefined) return undefined;
  const { payload } = signed;
  return (await findSession(db, payload.jti, payload.user_name, Date.now()))?.session;
}
