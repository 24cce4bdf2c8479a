/**
 * What a warehouse user signs in with. It lies in an item of its own beside the user's, so that only functions that check
 * passwords or codes may read it (docs/decisions.md, Secrets apart).
 */

import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined, only } from "../store/dynamodb/keys.ts";
import { getItems, type Lookup, parsed } from "../store/dynamodb/reads.ts";
import { type Change, type Rejection, type Removal, stale } from "../store/dynamodb/writes.ts";
import { userLookup, type WarehouseUser, warehouseUser } from "./account-repository.ts";

/** A password's scrypt hash, with everything that is needed to check one against it. */
export const passwordHash = z.object({
  N: primitive.int,
  r: primitive.int,
  p: primitive.int,
  /** Both base64url. */
  salt: primitive.text,
  hash: primitive.text,
});
export type PasswordHash = z.output<typeof passwordHash>;

const credentials = z.object({
  password: passwordHash,
  /** Base 32. */
  totp_secret: primitive.text,
});

/** The two factors of a user. */
export type Credentials = z.output<typeof credentials>;

export const credentialsLookup = (userName: string): Lookup => ({
  table: "identity",
  key: { pk: joined("credentials", userName), sk: only },
});

/** A user, and the credentials of one who can sign in, in one round trip. Undefined where nobody has the name. */
export async function findUserWithCredentials(
  db: Database,
  userName: string,
): Promise<{ readonly user: WarehouseUser; readonly credentials: Credentials | undefined } | undefined> {
  const [ofUser, ofCredentials] = [userLookup(userName), credentialsLookup(userName)];
  const find = await getItems(db, [ofUser, ofCredentials]);
  const user = parsed(warehouseUser, find(ofUser));
  return user && { user, credentials: parsed(credentials, find(ofCredentials)) };
}

/** Stores a user's new credentials. No code of theirs is spent. */
export const replaceCredentials = (userName: string, { password, totp_secret }: Credentials): Change => ({
  kind: "change",
  ...credentialsLookup(userName),
  set: { password, totp_secret, totp_step: 0 },
  when: [],
  rejection: stale,
});

/** Takes a user's credentials away, if there are any. */
export const removeCredentials = (userName: string): Removal => ({
  kind: "removal",
  ...credentialsLookup(userName),
  when: [],
  rejection: stale,
});

/**
 * Uses up a code by its time step: neither it nor an older one is taken again. `secret` is the one that the code was
 * checked by: the change is refused where the user was given another one meanwhile.
 */
export const spendCode = (
  { user_name }: Pick<WarehouseUser, "user_name">,
  { secret, step }: { readonly secret: string; readonly step: number },
  rejection: Rejection,
): Change => ({
  kind: "change",
  ...credentialsLookup(user_name),
  set: { totp_step: step },
  when: [
    { attribute: "totp_step", atMost: step - 1 },
    { attribute: "totp_secret", equals: secret },
  ],
  rejection,
});
