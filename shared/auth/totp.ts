import { Secret, TOTP } from "otpauth";

/** The service name that authenticator applications show next to the user's name. */
const issuer = "Order Inventory Warehouse";

/** RFC 6238 as authenticator applications implement it: SHA-1, 6 digits, a period of 30 seconds. */
const shape = { algorithm: "SHA1", digits: 6, period: 30 } as const;

/** How many periods a clock may be behind or ahead. */
const tolerance = 1;

/** A new secret with 160 random bits, base 32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** The `otpauth://` URI that an authenticator application reads, as text or as a QR code. */
export const totpUri = (userName: string, secret: string): string =>
  new TOTP({ issuer, label: userName, secret: Secret.fromBase32(secret), ...shape }).toString();

/** The code of this secret at `timestamp` (epoch milliseconds). */
export const codeAt = (secret: string, timestamp: number): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp, ...shape });

/** The step of a code around `timestamp` (ms), compared in constant time; undefined if it is of none. */
export function stepOfCode(secret: string, code: string, timestamp: number): number | undefined {
  const given = { secret: Secret.fromBase32(secret), timestamp, token: code, window: tolerance, ...shape };
  const delta = TOTP.validate(given);
  return delta === null ? undefined : TOTP.counter({ period: shape.period, timestamp }) + delta;
}
