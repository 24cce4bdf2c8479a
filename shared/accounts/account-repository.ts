/**
 * Accounts, warehouse users, and what identifies them: API keys, the warehouse's master key, passwords and
 * TOTP secrets (`credential-repository.ts`), logins that wait for their code, sessions, counters of failed
 * sign-ins (`sign-in-attempts.ts`), and request limits (`request-limit.ts`).
 *
 * Everything is in the table `identity`. Credentials are items of their own, so that few functions can read
 * them. How a call is authenticated is in `shared/auth`.
 */
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { aloneAt, getItem, getItems, type Lookup, parsed } from "../store/dynamodb/reads.ts";
import { requestLimit } from "./request-limit.ts";

export const account = z.object({
  account_id: primitive.int,
  name: primitive.text,
  activated: primitive.boolean,
  /** SHA-256 of the API key, hexadecimal. */
  key_hash: primitive.text,
  key_scope: z.enum(["write", "read"]),
  /** The account's request limit; unlimited if absent. */
  limit: z.optional(requestLimit),
  /** Whether the account may have the warehouse simulated. */
  sandbox: z.optional(primitive.boolean),
});
export type Account = z.output<typeof account>;

export const warehouseUser = z.object({
  user_id: primitive.int,
  user_name: primitive.text,
  activated: primitive.boolean,
  /** Whether the user may use the WMS at all. */
  wms: primitive.boolean,
  /** Incremented to end all sessions of the user: each is valid for the value from its start. */
  session_generation: primitive.int,
});
export type WarehouseUser = z.output<typeof warehouseUser>;

const masterKey = z.object({ key_hash: primitive.text, key_scope: z.enum(["write", "read"]) });
export type MasterKey = z.output<typeof masterKey>;

export const accountLookup = (accountId: number): Lookup => aloneAt("identity", "account", accountId);

export const userLookup = (userName: string): Lookup => aloneAt("identity", "user", userName);

export const masterKeyLookup = aloneAt("identity", "master-key");

/** The account with this id. Never cached, so that a rotated key is valid from the next request on. */
export const findAccount = async (db: Database, accountId: number): Promise<Account | undefined> =>
  parsed(account, await getItem(db, accountLookup(accountId)));

export const hasUser = async (db: Database, userName: string): Promise<boolean> =>
  (await getItem(db, userLookup(userName))) !== undefined;

/** A user and the warehouse's master key, in one round trip. */
export async function findUser(
  db: Database,
  userName: string,
): Promise<{ readonly user: WarehouseUser | undefined; readonly master: MasterKey | undefined }> {
  const find = await getItems(db, [userLookup(userName), masterKeyLookup]);
  return {
    user: parsed(warehouseUser, find(userLookup(userName))),
    master: parsed(masterKey, find(masterKeyLookup)),
  };
}
