import { randomBytes, scrypt } from "node:crypto";
import type { PasswordHash } from "../data/credentials.ts";
import { sameBytes } from "./secrets.ts";

type Parameters = Pick<PasswordHash, "N" | "r" | "p">;

/** What a new hash costs: 32 MB of memory, and as much work as OWASP recommends with it; about a second of a Lambda. */
const current: Parameters = { N: 2 ** 15, r: 8, p: 3 };

const saltBytes = 16;
const hashBytes = 32;

const derive = (password: string, salt: Buffer, length: number, { N, r, p }: Parameters): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // Node refuses what needs more memory than `maxmem`: 128 * N * r bytes and a little.
    scrypt(password, salt, length, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });

/** A new password: 120 random bits, short enough to be typed on a phone. It is shown once; only its hash is stored. */
export const newPassword = (): string => randomBytes(15).toString("base64url");

/** What is stored of a password: its scrypt hash, the salt, and the parameters that it was made with. */
export async function hashPassword(password: string, parameters = current): Promise<PasswordHash> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, hashBytes, parameters);
  return { ...parameters, salt: salt.toString("base64url"), hash: hash.toString("base64url") };
}

/** Stands in for the hash of a user who has none. No password leads to it: nobody knows one of random bytes. */
const nobodys: PasswordHash = {
  ...current,
  salt: randomBytes(saltBytes).toString("base64url"),
  hash: randomBytes(hashBytes).toString("base64url"),
};

/**
 * Whether a password is the one that was hashed, by the parameters stored with the hash. Without a hash it is not, and
 * finding that out takes as long, so that the time does not tell which users there are.
 */
export async function isPassword(sent: string, stored: PasswordHash | undefined): Promise<boolean> {
  const { salt, hash, ...parameters } = stored ?? nobodys;
  const expected = Buffer.from(hash, "base64url");
  const found = await derive(sent, Buffer.from(salt, "base64url"), expected.length, parameters);
  return sameBytes(found, expected) && stored !== undefined;
}
