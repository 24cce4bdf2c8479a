import { createHash } from "node:crypto";

/**
 * A text of 43 letters, digits, `-` and `_` that stands for these parts (SHA-256, base64url). Other parts have another. Its
 * first characters may do: of 16, two in 10²⁴ pairs are the same by chance.
 */
export const digestOf = (...parts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
