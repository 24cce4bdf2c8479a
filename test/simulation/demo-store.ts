import { fillAccount } from "../../infra/demo/load.ts";
import { setUpAccounts, setUpWarehouse } from "../../infra/demo/registry.ts";
import type { Database } from "../../shared/store/dynamodb/database.ts";
import { MemoryStore } from "./store/store.ts";
import { newConnection, useStore } from "./world/connection.ts";

/**
 * A store in memory with the demo's warehouse and accounts, and the goods and orders of account 100. Calls
 * outside of a schedule go to it from now on.
 */
export async function filledStore(): Promise<{ readonly store: MemoryStore; readonly db: Database }> {
  const store = new MemoryStore();
  useStore(store);
  const db = newConnection();
  await setUpWarehouse(db);
  await setUpAccounts(db);
  await fillAccount(db, 100);
  return { store, db };
}
