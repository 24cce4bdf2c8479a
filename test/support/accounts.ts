import { putAccount } from "../../infra/operator/registry.ts";
import { type Client, client } from "./client.ts";
import { unique } from "./records.ts";
import type { Service } from "./service.ts";

/** The OMS as a new account, whose records are the test's alone. */
export async function newAccount({ db, runtime }: Service, account_id: number): Promise<Client> {
  const key = unique("key");
  await putAccount(db, { account_id, name: "Test Store", activated: true, key_scope: "write", key });
  return client(`${runtime.url}/apirest/v4/oms`, { AccountID: String(account_id), Key: key });
}
