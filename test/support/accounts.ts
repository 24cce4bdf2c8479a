import { putAccount } from "../../infra/operator/registry.ts";
import type { Client } from "./client.ts";
import { unique } from "./records.ts";
import { type Service, type Store, storeOf } from "./service.ts";

/** The first id that tests give an account; the demo's are below it. */
let nextAccountId = 1000;

/** A new account without registries, whose records are the test's alone. */
export async function newStore(
  service: Pick<Service, "db" | "client">,
  more: { readonly activated?: boolean; readonly key_scope?: "read" | "write" } = {},
): Promise<Store> {
  const account_id = nextAccountId++;
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

/** The headers of a new account's calls, in the OMS and in v2. */
export async function newCredentials({ db }: Pick<Service, "db">, account_id: number) {
  const key = unique("key");
  await putAccount(db, { account_id, name: "Test Store", activated: true, key_scope: "write", key });
  return { AccountID: String(account_id), Key: key };
}

/** The OMS as a new account, whose records are the test's alone. */
export const newAccount = async (service: Service, account_id: number): Promise<Client> =>
  service.client("/apirest/v4/oms", await newCredentials(service, account_id));

/** v2 as a demo account. */
export const v2Of = (service: Service, accountId: number): Client =>
  service.client("/apiv2", { AccountID: String(accountId), Authorization: `demo-oms-key-${accountId}` });
