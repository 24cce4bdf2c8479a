import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";

/** A new key of a program, with 256 random bits. It is shown once; only its hash is stored. */
export const newKey = (): string => randomBytes(32).toString("base64url");

const digest = (text: string): Buffer => hash("sha256", text, "buffer");

/** The stored form of a key. Keys have 256 random bits, so a plain SHA-256 resists brute force. */
export const hashKey = (key: string): string => digest(key).toString("hex");

export const sameBytes = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && timingSafeEqual(left, right);

/** Compares texts in constant time. The time reveals neither their lengths nor where they differ. */
export const sameText = (left: string, right: string): boolean => sameBytes(digest(left), digest(right));

/** Compares hashes in constant time. One must be just computed, since all invalid hashes are equal. */
export const sameHash = (left: string, right: string): boolean =>
  sameBytes(Buffer.from(left, "hex"), Buffer.from(right, "hex"));

export const isKey = (sent: string, stored: string): boolean => sameHash(hashKey(sent), stored);

export const hmac = (secret: string, message: string): string =>
  createHmac("sha256", secret).update(message).digest("base64url");
