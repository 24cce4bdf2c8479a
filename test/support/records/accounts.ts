import { changeAccount, insertAccount, type KeyedAccount } from "../../../infra/operator/set-up/accounts.ts";
import { findAccount } from "../../../shared/accounts/account-repository.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { type Service, type Store, storeOf } from "../runtime/service.ts";
import { unique } from "./records.ts";

/** The first id that tests give an account; the demo's are below it. */
let nextAccountId = 1000;

/** The id of an account that nobody has made: for what needs an account's number alone. */
export const newAccountId = (): number => nextAccountId++;

/** Stores an account with its key. It may be there already, as on a deployment that is rehearsed again. */
export async function putAccount(db: Database, account: KeyedAccount): Promise<void> {
  const { account_id, ...fields } = account;
  const found = await findAccount(db, account_id);
  await (found === undefined ? insertAccount(db, account) : changeAccount(db, found, fields));
}

/** A new account without registries, whose records are the test's alone. */
export async function newStore(
  service: Pick<Service, "db" | "client">,
  more: {
    readonly activated?: boolean;
    readonly key_scope?: "read" | "write";
    readonly sandbox?: boolean;
  } = {},
): Promise<Store> {
  const account_id = newAccountId();
  const key = unique("key");
  const account = {
    account_id,
    name: "Test Store",
    activated: true,
    key_scope: "write" as const,
    ...more,
    key,
  };
  await putAccount(service.db, account);
  return storeOf(service, account_id, key);
}
