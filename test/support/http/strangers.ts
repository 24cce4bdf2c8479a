import { putEntries } from "../../../infra/operator/set-up/registry.ts";
import { newStore } from "../records/accounts.ts";
import type { Owner } from "../records/flows.ts";
import type { Service, Store } from "../runtime/service.ts";

/**
 * Another account, which looks at what is not its own. It can order with `GROUND`, and its only store is
 * `Second Shop` with the id 3, so that what else it names is another's.
 */
export async function newStranger(service: Pick<Service, "db" | "client">): Promise<Store & Owner> {
  const { db } = service;
  const store = await newStore(service);
  await putEntries(db, store.accountId, {
    shippingMethods: ["GROUND"],
    stores: [{ store_id: 3, name: "Second Shop" }],
  });
  return { db, ...store };
}
