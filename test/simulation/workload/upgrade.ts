/** Data of the previous release, and how an operator brings them to this one while clients go on. */
import { migrate } from "../../../infra/operator/migrate.ts";
import { productSkus } from "../../../shared/catalog/products/product-repository.ts";
import { deploymentLookup } from "../../../shared/store/layouts/deployment.ts";
import { firstLayout } from "../../../shared/store/layouts/layouts.ts";
import type { Random } from "../schedule/random.ts";
import { attributesOf } from "../store/client.ts";
import type { MemoryStore } from "../store/store.ts";
import { keyOf } from "../store/table.ts";
import type { History } from "./history.ts";

/** Takes away what only this release stores: the entries of products in the index of SKUs. */
export function beforeUpgrade(store: MemoryStore): void {
  const { current } = firstLayout;
  const layouts = { data_layout: current, writes_layout: current, release_layout: current };
  const { table, key } = deploymentLookup;
  store.table(table).set(key, attributesOf({ ...key, ...layouts, release: "this" }));
  const directory = store.table("directory");
  for (const item of directory.all)
    if (item["pk"]?.S?.startsWith(`${productSkus.kind}#`) === true) directory.set(keyOf(item), undefined);
}

/** `operator data migrate`, run again if it was interrupted. */
export async function runMigration({ world }: History, random: Random): Promise<void> {
  for (;;) {
    const nothing = () => undefined;
    // No function of the previous release is left.
    const migration = { settleMs: 0, note: nothing, onPage: nothing };
    const ending = await world.function("operator", (db) => migrate({ db, ...migration }));
    if (ending.kind === "returned") return;
    await world.scheduler.sleep(random.of([1_000, 40_000]), "retry");
  }
}

export async function createProducts(history: History, random: Random): Promise<void> {
  const measures = { description: "New", width: 1, length: 1, height: 1, weight: 1, cost: 1, retail: 1 };
  const data = Array.from({ length: 1 + random.below(2) }, () => ({
    sku: history.name("DEMO-NEW"),
    ...measures,
  }));
  await history.send(random, "createProducts", { body: { data } });
}
