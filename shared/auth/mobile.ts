import { randomUUID } from "node:crypto";
import type { WarehouseUser } from "../accounts/account-repository.ts";
import { type Device, findSession, type Session } from "../accounts/session-repository.ts";
import type { Database } from "../store/dynamodb/database.ts";
import type { Authenticated, Received } from "./callers.ts";
import { deviceOf, requiredHeader, unauthorized } from "./headers.ts";
import { readJwtOf, signJwt } from "./jwt.ts";
import { hmac, sameText } from "./secrets.ts";
import { signingSecrets } from "./signing-secret.ts";

/** How long a session lasts (docs/decisions.md, Mobile sessions). */
export const sessionSeconds = 12 * 60 * 60;

interface SessionCredentials {
  readonly jwt: string;
  readonly token: string;
}

export const newSession = (
  { user_id, user_name, session_generation }: WarehouseUser,
  device: Device,
  now: string,
  seconds = sessionSeconds,
): Session => ({
  ...device,
  session_id: randomUUID(),
  user_id,
  user_name,
  generation: session_generation,
  created_at: now,
  expires_at: Math.floor(Date.parse(now) / 1000) + seconds,
});

/**
 * Binds a session to its device (docs/decisions.md, Mobile sessions). The signed text is unambiguous, because
 * a UUID has a fixed length. It also differs from every text that a JWT signature covers, because those have
 * no colon.
 */
export const tokenOf = (secret: string, sessionId: string, deviceId: string): string =>
  hmac(secret, `${sessionId}:${deviceId}`);

export async function credentialsOf(session: Session): Promise<SessionCredentials> {
  const { current } = await signingSecrets();
  const { session_id, device_id } = session;
  return { jwt: await signJwt(current, session, "mobile"), token: tokenOf(current, session_id, device_id) };
}

/** The same message for every reason, so that it does not reveal which credential was wrong. */
const invalidSession = () => unauthorized("The session is not valid or has ended; sign in again");

/**
 * In one round trip (docs/decisions.md, Mobile sessions). Only the signing secret is cached, so a revocation
 * or a deactivation takes effect with the next request. @throws Problem `unauthorized`
 */
export async function authenticateMobile(
  db: Database,
  { headers }: Received,
): Promise<Authenticated<"mobile">> {
  const jwt = requiredHeader(headers, "Authorization").replace(/^Bearer +/i, "");
  const token = requiredHeader(headers, "Token");
  const userId = requiredHeader(headers, "User-Id");
  const { device_id } = deviceOf(headers);
  const signed = await readJwtOf((await signingSecrets()).accepted, jwt, "mobile");
  if (signed === undefined) throw invalidSession();
  const { payload, secret } = signed;
  const agree = [
    sameText(token, tokenOf(secret, payload.jti, device_id)),
    sameText(device_id, payload.device_id),
    sameText(userId, payload.sub),
  ];
  if (agree.includes(false)) throw invalidSession();
  const found = await findSession(db, payload.jti, payload.user_name, Date.now());
  if (found === undefined) throw invalidSession();
  return { caller: found, scope: "write", actor: `user:${found.user.user_name}` };
}
