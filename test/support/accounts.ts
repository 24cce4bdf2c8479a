import { putAccount } from "../../infra/operator/registry.ts";
import { type Client, client } from "./client.ts";
import { unique } from "./records.ts";
import type { Service } from "./service.ts";

/** The headers of a new account's calls, in the OMS and in v2. */
export async function newCredentials({ db }: Service, account_id: number) {
  const key = unique("key");
  await putAccount(db, { account_id, name: "Test Store", activated: true, key_scope: "write", key });
  return { AccountID: String(account_id), Key: key };
}

/** The OMS as a new account, whose records are the test's alone. */
export const newAccount = async (service: Service, account_id: number): Promise<Client> =>
  client(`${service.runtime.url}/apirest/v4/oms`, await newCredentials(service, account_id));

/** v2 as a demo account. */
export const v2Of = ({ runtime }: Service, accountId: number): Client =>
  client(`${runtime.url}/apiv2`, {
    AccountID: String(accountId),
    Authorization: `demo-oms-key-${accountId}`,
  });
