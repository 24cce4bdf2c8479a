/**
 * The credentials of a warehouse user. They are an item apart from the user's, so that only functions that
 * check passwords or codes can read them (docs/decisions.md, Secrets apart).
 */

import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { aloneAt, getItems, type Lookup, parsed } from "../store/dynamodb/reads.ts";
import type { Change, Rejection } from "../store/dynamodb/writes.ts";
import { userLookup, type WarehouseUser, warehouseUser } from "./account-repository.ts";

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

export type Credentials = z.output<typeof credentials>;

export const credentialsLookup = (userName: string): Lookup => aloneAt("identity", "credentials", userName);

/** A user, with credentials if the user can sign in, in one round trip; undefined if no user has the name. */
export async function findUserWithCredentials(
  db: Database,
  userName: string,
): Promise<{ readonly user: WarehouseUser; readonly credentials: Credentials | undefined } | undefined> {
  const [ofUser, ofCredentials] = [userLookup(userName), credentialsLookup(userName)];
  const find = await getItems(db, [ofUser, ofCredentials]);
  const user = parsed(warehouseUser, find(ofUser));
  return user && { user, credentials: parsed(credentials, find(ofCredentials)) };
}

/** Stores a user's new credentials, with no code marked as used. */
export const replaceCredentials = (userName: string, { password, totp_secret }: Credentials): Change => ({
  kind: "change",
  ...credentialsLookup(userName),
  set: { password, totp_secret, totp_step: 0 },
  when: [],
});

/**
 * Marks a code as used by its time step: neither it nor an older one is accepted again. `secret` is the
 * secret that verified the code; the change is rejected if the user has another one by now.
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
