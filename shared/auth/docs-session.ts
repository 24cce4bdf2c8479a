import type { WarehouseUser } from "../accounts/account-repository.ts";
import { type Device, findSession, type Session } from "../accounts/session-repository.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { readJwtOf, signJwt } from "./jwt.ts";
import { newSession } from "./mobile.ts";
import { signingSecrets } from "./signing-secret.ts";

/** How long a browser stays signed in, in seconds (docs/decisions.md, Signing in to the documentation). */
export const docsSeconds = 8 * 60 * 60;

/** Stands for the device, which a browser does not name. */
const browser: Device = {
  device_id: "browser",
  app: "documentation",
  app_version: "1",
  system_version: "browser",
};

const audience = "documentation";

/** A new session of a user with the documentation, from `now` (ISO 8601) on. */
export const newDocsSession = (user: WarehouseUser, now: string): Session =>
  newSession(user, browser, now, docsSeconds);

/** What the cookie of a session holds. The calls of the mobile application refuse it. */
export const docsToken = async (session: Session): Promise<string> =>
  signJwt((await signingSecrets()).current, session, audience);

/** The session of a cookie. Undefined where it does not last any more, or the cookie is not the service's. */
export async function findDocsSession(db: Database, token: string): Promise<Session | undefined> {
  const signed = await readJwtOf((await signingSecrets()).accepted, token, audience);
  if (signed === undefined) return undefined;
  const { payload } = signed;
  return (await findSession(db, payload.jti, payload.user_name, Date.now()))?.session;
}
