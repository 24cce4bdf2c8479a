/** Stores and changes accounts. */
import * as z from "zod/mini";
import {
  type Account,
  account,
  accountLookup,
  findAccount,
} from "../../../shared/accounts/account-repository.ts";
import type { RequestLimit } from "../../../shared/accounts/request-limit.ts";
import { tieBucket } from "../../../shared/accounts/request-limit-repository.ts";
import { hashKey } from "../../../shared/auth/secrets.ts";
import { invalid, notFound, type Problem } from "../../../shared/common/problem.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { type Change, insertOf } from "../../../shared/store/dynamodb/writes.ts";
import { scanPages } from "../../data-model/scan.ts";

/** An account with its key, of which only a hash is stored. */
export type KeyedAccount = Omit<Account, "key_hash"> & { readonly key: string };

/** All accounts, by rising id. */
export async function readAccounts(db: Database): Promise<readonly Account[]> {
  const pages = await Array.fromAsync(scanPages(db, { table: "identity", partitions: ["account#"] }));
  const found = pages.flat().map((item) => z.parse(account, item));
  return found.toSorted((left, right) => left.account_id - right.account_id);
}

export const noAccount = (accountId: number): Problem => notFound(`There is no account ${accountId}`);

/** The account of this id. @throws Problem `not_found` */
export async function readAccount(db: Database, accountId: number): Promise<Account> {
  const found = await findAccount(db, accountId);
  if (found === undefined) throw noAccount(accountId);
  return found;
}

/**
 * Stores a new account.
 * @param marks attributes that the service does not read
 * @throws Problem `invalid` if the id exists
 */
export async function insertAccount(
  db: Database,
  { key, ...fields }: KeyedAccount,
  marks: Readonly<Record<string, string>> = {},
): Promise<void> {
  const item = { ...marks, ...fields, key_hash: hashKey(key) };
  const rejection = () => invalid(`There is an account ${fields.account_id} already`);
  await transact(db, [insertOf(accountLookup(fields.account_id), item, { rejection })]);
}

/**
 * Changes fields of an account; a new key replaces the old one at once. @throws Problem if the account no
 * longer exists
 */
export async function changeAccount(
  db: Database,
  { account_id }: Account,
  { key, ...fields }: Partial<Pick<KeyedAccount, "name" | "activated" | "key_scope" | "key" | "sandbox">>,
): Promise<void> {
  const set: Partial<Account> = { ...fields, ...(key === undefined ? {} : { key_hash: hashKey(key) }) };
  const when = [{ attribute: "account_id", equals: account_id }];
  const rejection = () => noAccount(account_id);
  await transact(db, [
    { kind: "change", ...accountLookup(account_id), set, when, rejection },
    ...(set.key_hash === undefined ? [] : [tieBucket(account_id, set.key_hash)]),
  ]);
}

/**
 * Sets or removes an account's request limit. Earlier requests do not count: under a slower limit
 * the account might have to wait for hours.
 */
export async function limitAccount(
  db: Database,
  { account_id, key_hash }: Account,
  limit: RequestLimit | undefined,
): Promise<void> {
  const change: Change = {
    kind: "change",
    ...accountLookup(account_id),
    ...(limit === undefined ? { remove: ["limit"] } : { set: { limit } }),
    when: [{ attribute: "key_hash", equals: key_hash }],
    rejection: () => invalid(`The key of account ${account_id} was changed just now; try again`),
  };
  await transact(db, [change, tieBucket(account_id, key_hash, { filled: true })]);
}
