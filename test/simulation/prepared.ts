/** The data with which every schedule begins: the demo's warehouse, accounts, goods and orders. */
import { endpoint as listOrders } from "../../functions/oms/orders/list-orders.ts";
import { fillAccount } from "../../infra/demo/load.ts";
import { setUpAccounts, setUpWarehouse } from "../../infra/demo/registry.ts";
import { operatorContext } from "../../infra/operator/cli/session.ts";
import { noFaults } from "./schedule/faults.ts";
import { Random } from "./schedule/random.ts";
import { beginning } from "./schedule/virtual.ts";
import { MemoryStore } from "./store/store.ts";
import { newConnection, useStore, World } from "./world.ts";

export async function prepared(): Promise<{
  readonly store: MemoryStore;
  readonly orderIds: readonly number[];
}> {
  const store = new MemoryStore();
  useStore(store);
  const db = newConnection();
  await setUpWarehouse(db);
  await setUpAccounts(db);
  await fillAccount(db, 100);
  const { data } = await listOrders.flow(
    { query: { page: 1, per_page: 100, order_by: "OrderID", order_direction: "asc" } },
    { ...operatorContext(db), account_id: 100 },
  );
  await publish(store);
  return { store, orderIds: data.map(({ order_id }) => order_id) };
}

/** Publishes what setting up has changed. */
async function publish(store: MemoryStore): Promise<void> {
  const world = new World(store, new Random(1), { now: beginning - 1_000_000, faults: noFaults });
  await world.scheduler.run(() => world.isQuiet);
  store.changes.length = 0;
}
