import { randomBytes, scrypt } from "node:crypto";
import type { PasswordHash } from "../accounts/credential-repository.ts";
import { sameBytes } from "./secrets.ts";

type Parameters = Pick<PasswordHash, "N" | "r" | "p">;

/** 32 MB of memory, with the iterations that OWASP recommends: about a second in Lambda. */
const current: Parameters = { N: 2 ** 15, r: 8, p: 3 };

const saltBytes = 16;
const hashBytes = 32;

const derive = (password: string, salt: Buffer, length: number, { N, r, p }: Parameters): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // scrypt needs slightly more than 128 * N * r bytes; Node fails above `maxmem`.
    scrypt(password, salt, length, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });

/** A new password of 120 random bits, short enough to type. It is shown once; its hash is stored. */
export const newPassword = (): string => randomBytes(15).toString("base64url");

export async function hashPassword(password: string, parameters = current): Promise<PasswordHash> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, hashBytes, parameters);
  return { ...parameters, salt: salt.toString("base64url"), hash: hash.toString("base64url") };
}

/** Replaces the hash of an unknown user. Its bytes are random, so no known password matches. */
const dummyHash: PasswordHash = {
  ...current,
  salt: randomBytes(saltBytes).toString("base64url"),
  hash: randomBytes(hashBytes).toString("base64url"),
};

/** Whether a password matches. Without a hash that takes as long, so time tells no user names. */
export async function isPassword(sent: string, stored: PasswordHash | undefined): Promise<boolean> {
  const { salt, hash, ...parameters } = stored ?? dummyHash;
  const expected = Buffer.from(hash, "base64url");
  const found = await derive(sent, Buffer.from(salt, "base64url"), expected.length, parameters);
  return sameBytes(found, expected) && stored !== undefined;
}
