import { hash } from "node:crypto";

/** At most `maxLength` characters. Half a character, which JSON parsers reject, becomes U+FFFD. */
export const truncate = (text: string, maxLength: number): string => text.slice(0, maxLength).toWellFormed();

/** The bytes of a record as JSON. DynamoDB counts fewer. */
export const jsonBytes = (record: object): number => Buffer.byteLength(JSON.stringify(record));

/**
 * The digest of these parts (SHA-256, base64url): 43 letters, digits, `-` and `_`. A prefix may suffice: with
 * 16 characters, two in 10²⁴ pairs collide by chance.
 */
export const digestOf = (...parts: readonly string[]): string =>
  hash("sha256", JSON.stringify(parts), "base64url");
