import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A new API key: 256 random bits. It is shown once; only its hash is stored. */
export const newKey = (): string => randomBytes(32).toString("base64url");

/** What is stored of a key. Keys are random, so a plain SHA-256 can't be searched through. */
export const hashKey = (key: string): string => createHash("sha256").update(key).digest("hex");

/** Compares in constant time. */
export function isKey(sent: string, hash: string): boolean {
  const [left, right] = [Buffer.from(hashKey(sent), "hex"), Buffer.from(hash, "hex")];
  return left.length === right.length && timingSafeEqual(left, right);
}
