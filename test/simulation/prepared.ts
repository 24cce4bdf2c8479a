/** The data with which every schedule begins: the demo's warehouse, accounts, goods and orders. */
import { endpoint as listProducts } from "../../functions/oms/inventory/products/list-products.ts";
import { endpoint as createReplenishments } from "../../functions/oms/inventory/replenishments/create-replenishments.ts";
import { endpoint as listSynsets } from "../../functions/oms/inventory/synsets/list-synsets.ts";
import { endpoint as listOrders } from "../../functions/oms/orders/list-orders.ts";
import { endpoint as putAway } from "../../functions/v2/pro/put-away-move.ts";
import { operatorContext } from "../../infra/operator/cli/context.ts";
import type { AccountContext } from "../../shared/runtime/context.ts";
import { filledStore } from "./demo-store.ts";
import { noFaults } from "./schedule/faults.ts";
import { Random } from "./schedule/random.ts";
import { beginning } from "./schedule/virtual.ts";
import type { MemoryStore } from "./store/store.ts";
import { World } from "./world/world.ts";

export interface Prepared {
  readonly store: MemoryStore;
  /** Orders, the last of them shipped. */
  readonly orderIds: readonly number[];
  readonly productIds: ReadonlyMap<string, number>;
  readonly kitId: number;
}

/** Sets up the demo, and publishes what that has changed. */
export async function prepared(): Promise<Prepared> {
  const { store, db } = await filledStore();
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
  await putGoodsAway(context);
  await publish(store);
  return {
    store,
    orderIds: orders.data.map(({ order_id }) => order_id),
    productIds: new Map(products.data.map(({ sku, product_id }) => [sku, product_id])),
    kitId: kits.data[0]?.synset_id ?? 0,
  };
}

/** Puts goods into bins, whose arrival is known then. */
async function putGoodsAway(context: AccountContext): Promise<void> {
  const items = [{ sku: "DEMO-TEE", quantity: 6 }];
  const announced = await createReplenishments.flow({ body: { data: [{ items }] } }, context);
  const replenishment_id = announced.data[0]?.replenishment_id;
  for (const location of ["01", "02"]) {
    const place = { location: "A1", bin: location };
    await putAway.flow({ body: { replenishment_id, sku: "DEMO-TEE", quantity: 3, ...place } }, context);
  }
}

/** Publishes what setting up has changed. */
async function publish(store: MemoryStore): Promise<void> {
  const world = new World(store, new Random(1), { now: beginning - 1_000_000, faults: noFaults });
  await world.scheduler.run(() => world.isQuiet);
  store.changes.length = 0;
}
