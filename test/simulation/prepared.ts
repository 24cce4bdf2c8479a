/** The data with which every schedule begins: the demo's warehouse, accounts, goods and orders. */
import { endpoint as createProducts } from "../../functions/oms/inventory/products/create-products.ts";
import { endpoint as listProducts } from "../../functions/oms/inventory/products/list-products.ts";
import { endpoint as createSynsets } from "../../functions/oms/inventory/synsets/create-synsets.ts";
import { endpoint as listSynsets } from "../../functions/oms/inventory/synsets/list-synsets.ts";
import { endpoint as listOrders } from "../../functions/oms/orders/list-orders.ts";
import { fillAccount } from "../../infra/demo/load.ts";
import { setUpAccounts, setUpWarehouse } from "../../infra/demo/registry.ts";
import { operatorContext } from "../../infra/operator/cli/session.ts";
import { allocate } from "../../shared/store/lists/allocate.ts";
import { orderList } from "../../shared/store/lists/definitions.ts";
import { noFaults } from "./schedule/faults.ts";
import { Random } from "./schedule/random.ts";
import { beginning } from "./schedule/virtual.ts";
import { MemoryStore } from "./store/store.ts";
import { newConnection, useStore } from "./world/connection.ts";
import { World } from "./world/world.ts";

/** A kit of so many products that no transaction holds an order of it. */
export const largeKit = "LARGE-KIT";
const parts = Array.from({ length: 52 }, (_, number) => `PART-${number + 1}`);

/** Ids left in the block of the orders, so that schedules lease the next one and roll this one up. */
const idsLeft = 1;

export interface Prepared {
  readonly store: MemoryStore;
  /** Orders, the last of them shipped. */
  readonly orderIds: readonly number[];
  readonly productIds: ReadonlyMap<string, number>;
  readonly kitId: number;
}

/** The data without and with the large kit. */
export async function prepared(): Promise<{ readonly usual: Prepared; readonly large: Prepared }> {
  const store = new MemoryStore();
  useStore(store);
  const db = newConnection();
  await setUpWarehouse(db);
  await setUpAccounts(db);
  await fillAccount(db, 100);
  const context = { ...operatorContext(db), account_id: 100 };
  const query = { page: 1, per_page: 100 };
  const order_direction = "asc";
  const orders = await listOrders.flow(
    { query: { ...query, order_by: "OrderID", order_direction } },
    context,
  );
  const products = await listProducts.flow(
    { query: { ...query, order_by: "ProductID", order_direction } },
    context,
  );
  const kits = await listSynsets.flow({ query }, context);
  const orderIds = orders.data.map(({ order_id }) => order_id);
  const next = Math.max(...orderIds) + 1;
  const left = orderList.blockSize - (next % orderList.blockSize);
  await allocate(db, orderList, "100", left - idsLeft);
  await publish(store);
  const usual = {
    store,
    orderIds,
    productIds: new Map(products.data.map(({ sku, product_id }) => [sku, product_id])),
    kitId: kits.data[0]?.synset_id ?? 0,
  };
  return { usual, large: { ...usual, store: await withLargeKit(store) } };
}

async function withLargeKit(usual: MemoryStore): Promise<MemoryStore> {
  const store = new MemoryStore(usual);
  useStore(store);
  const context = { ...operatorContext(newConnection()), account_id: 100 };
  const measures = { description: "Part", width: 1, length: 1, height: 1, weight: 1, cost: 1, retail: 1 };
  await createProducts.flow({ body: { data: parts.map((sku) => ({ sku, ...measures })) } }, context);
  const items = parts.map((sku) => ({ sku, quantity: 1 }));
  await createSynsets.flow({ body: { data: [{ synset: largeKit, items }] } }, context);
  await publish(store);
  return store;
}

/** Publishes what setting up has changed. */
async function publish(store: MemoryStore): Promise<void> {
  const world = new World(store, new Random(1), { now: beginning - 1_000_000, faults: noFaults });
  await world.scheduler.run(() => world.isQuiet);
  store.changes.length = 0;
}
