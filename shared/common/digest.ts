import { createHash } from "node:crypto";

/**
 * The digest of these parts (SHA-256, base64url): 43 letters, digits, `-` and `_`. A prefix may suffice: with
 * 16 characters, two in 10²⁴ pairs collide by chance.
 */
export const digestOf = (...parts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
