import { Secret, TOTP } from "otpauth";

/** Authenticator applications show it beside the user's name. */
const issuer = "Order Inventory Warehouse";

/** RFC 6238 as authenticator applications do it: SHA-1, 6 digits. A step is 30 seconds. */
const shape = { algorithm: "SHA1", digits: 6, period: 30 } as const;

/** Steps that a clock may be behind or ahead. */
const tolerance = 1;

/** A new secret for an authenticator application: 160 random bits, base 32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** The `otpauth://` URI that an authenticator application takes, as text or as a QR code. */
export const totpUri = (userName: string, secret: string): string =>
  new TOTP({ issuer, label: userName, secret: Secret.fromBase32(secret), ...shape }).toString();

/**
 * The time step whose code this is: the current one at `timestamp` (epoch milliseconds), the one before or the one
 * after; undefined where it is none of theirs. Compared in constant time.
 */
export function stepOfCode(secret: string, code: string, timestamp: number): number | undefined {
  const given = { secret: Secret.fromBase32(secret), timestamp, token: code, window: tolerance, ...shape };
  const delta = TOTP.validate(given);
  return delta === null ? undefined : TOTP.counter({ period: shape.period, timestamp }) + delta;
}
