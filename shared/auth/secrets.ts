import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** A new secret of 256 random bits for a program, such as an API key. It is shown once; only its hash is stored. */
export const newKey = (): string => randomBytes(32).toString("base64url");

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** The stored form of a key. Keys are random, so a plain SHA-256 is enough: nobody can try all keys. */
export const hashKey = (key: string): string => digest(key).toString("hex");

/** Compares bytes in constant time. */
export const sameBytes = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && timingSafeEqual(left, right);

/** Compares texts. The time that it takes tells neither where they differ nor how long they are. */
export const sameText = (left: string, right: string): boolean => sameBytes(digest(left), digest(right));

/** Compares stored forms of keys in constant time. At least one of them was just made of a key: texts that are no hashes are alike. */
export const sameHash = (left: string, right: string): boolean =>
  sameBytes(Buffer.from(left, "hex"), Buffer.from(right, "hex"));

/** Whether a key has the stored hash, compared in constant time. */
export const isKey = (sent: string, hash: string): boolean => sameHash(hashKey(sent), hash);

/** HMAC-SHA256, base64url. */
export const hmac = (secret: string, message: string): string =>
  createHmac("sha256", secret).update(message).digest("base64url");
