import { randomBytes, scrypt } from "node:crypto";
import type { PasswordHash } from "../accounts/credential-repository.ts";
import { sameBytes } from "./secrets.ts";

type Parameters = Pick<PasswordHash, "N" | "r" | "p">;

/** The cost of a new hash: 32 MB of memory and the work that OWASP recommends with it, about a second of a Lambda. */
const current: Parameters = { N: 2 ** 15, r: 8, p: 3 };

const saltBytes = 16;
const hashBytes = 32;

const derive = (password: string, salt: Buffer, length: number, { N, r, p }: Parameters): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // Node refuses to use more memory than `maxmem`. scrypt needs 128 * N * r bytes and a little more.
    scrypt(password, salt, length, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });

/** A new password of 120 random bits, short enough to type on a phone. It is shown once; only its hash is stored. */
export const newPassword = (): string => randomBytes(15).toString("base64url");

/** The stored form of a password: its scrypt hash, the salt, and the parameters of the hash. */
export async function hashPassword(password: string, parameters = current): Promise<PasswordHash> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, hashBytes, parameters);
  return { ...parameters, salt: salt.toString("base64url"), hash: hash.toString("base64url") };
}

/** Stands in for the hash of a user who has none. Its bytes are random, so nobody knows a password for it. */
const nobodys: PasswordHash = {
  ...current,
  salt: randomBytes(saltBytes).toString("base64url"),
  hash: randomBytes(hashBytes).toString("base64url"),
};

/**
 * Whether a password is the one that was hashed, by the parameters stored with the hash. Without a hash the answer is
 * no. It takes as long as with one, so that the time does not tell which users exist.
 */
export async function isPassword(sent: string, stored: PasswordHash | undefined): Promise<boolean> {
  const { salt, hash, ...parameters } = stored ?? nobodys;
  const expected = Buffer.from(hash, "base64url");
  const found = await derive(sent, Buffer.from(salt, "base64url"), expected.length, parameters);
  return sameBytes(found, expected) && stored !== undefined;
}
