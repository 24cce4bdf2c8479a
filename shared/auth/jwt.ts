import { errors, jwtVerify, SignJWT } from "jose";
import * as z from "zod/mini";
import type { Session } from "../accounts/session-repository.ts";
import * as primitive from "../common/primitives.ts";

const algorithm = "HS256";
const issuer = "order-inventory-warehouse";

/** The purpose of a JWT. A JWT for another purpose is rejected. */
type Audience = "mobile" | "documentation";

const jwtPayload = z.object({
  sub: primitive.text,
  jti: primitive.text,
  user_name: primitive.text,
  device_id: primitive.text,
});
type JwtPayload = z.output<typeof jwtPayload>;

const keyFrom = (secret: string): Uint8Array => new TextEncoder().encode(secret);

/** The JWT of a session, for one purpose. It expires with the session. */
export const signJwt = (
  secret: string,
  { session_id, user_id, user_name, device_id, created_at, expires_at }: Session,
  audience: Audience,
): Promise<string> =>
  new SignJWT({ user_name, device_id })
    .setProtectedHeader({ alg: algorithm })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(String(user_id))
    .setJti(session_id)
    .setIssuedAt(Math.floor(Date.parse(created_at) / 1000))
    .setExpirationTime(expires_at)
    .sign(keyFrom(secret));

/** The payload of a JWT and the secret that signed it; undefined if none of `secrets` did. See `readJwt`. */
export async function readJwtOf(
  secrets: readonly string[],
  jwt: string,
  audience: Audience,
): Promise<{ readonly payload: JwtPayload; readonly secret: string } | undefined> {
  for (const secret of secrets) {
    const payload = await readJwt(secret, jwt, audience);
    if (payload !== undefined) return { payload, secret };
  }
  return undefined;
}

/** The payload of a JWT; undefined if another secret signed it, for another purpose, or it has expired. */
export async function readJwt(
  secret: string,
  jwt: string,
  audience: Audience,
): Promise<JwtPayload | undefined> {
  try {
    const { payload } = await jwtVerify(jwt, keyFrom(secret), {
      algorithms: [algorithm],
      issuer,
      audience,
      requiredClaims: ["exp", "iat"],
    });
    return z.safeParse(jwtPayload, payload).data;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
