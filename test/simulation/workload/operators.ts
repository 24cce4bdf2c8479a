/** What operators do while clients go on. A command that is interrupted is run again. */

import { findWhole } from "../../../infra/operator/archive/whole-orders.ts";
import { eraseCustomers } from "../../../infra/operator/erase/erase-customers.ts";
import { dropHistory } from "../../../infra/operator/history/drop-history.ts";
import { dropMovements } from "../../../infra/operator/history/drop-movements.ts";
import { rebuildList } from "../../../infra/operator/list-repair/rebuild.ts";
import { products } from "../../../shared/catalog/products/product-repository.ts";
import { orders } from "../../../shared/orders/storage/order-repository.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { transact, unlessStale } from "../../../shared/store/dynamodb/transact.ts";
import type { Random } from "../schedule/random.ts";
import type { History } from "./history.ts";

async function command(
  { world }: History,
  random: Random,
  name: string,
  run: (db: Database) => Promise<unknown>,
): Promise<void> {
  for (;;) {
    const ending = await world.function("operator", run);
    world.scheduler.note(
      () => `${name}: ${ending.kind} ${"value" in ending ? JSON.stringify(ending.value) : ""}`,
    );
    if (ending.kind === "returned" || random.happens(0.3)) return;
    await world.scheduler.sleep(random.of([1_000, 40_000]), "retry");
  }
}

export function dropPastMovements(history: History, random: Random): Promise<void> {
  const before = new Date(history.world.scheduler.now - random.of([0, 0, 1_000, 100_000])).toISOString();
  const product = history.productId(random.of(["DEMO-TEE", "DEMO-MUG"]));
  return command(history, random, "drop movements", (db) =>
    dropMovements(db, product, { before, by: "operator", isExported: () => true }),
  );
}

export function dropPastHistory(history: History, random: Random): Promise<void> {
  const [before, order] = [new Date(history.world.scheduler.now).toISOString(), history.order(random)];
  return command(history, random, "drop history", (db) => dropHistory(db, order, before, () => true));
}

export function rebuild(history: History, random: Random): Promise<void> {
  const pace = { settleMs: 0, retryBudgetMs: 5_000 };
  const list = random.of([orders, orders, products]);
  return command(history, random, "rebuild", (db) => rebuildList(db, list, () => undefined, pace));
}

export function erase(history: History, random: Random): Promise<void> {
  history.isErased = true;
  const order = random.happens(0.4) ? history.shippedOrder : history.order(random);
  const nothing = () => undefined;
  const options = { waitMs: 20_000, settleMs: 0, advance: nothing, onUnreadable: nothing };
  return command(history, random, "erase", (db) => eraseCustomers(db, [order], options));
}

/** Removes the shipped order, as `operator orders archive` does once it has written and verified the file. */
export function archive(history: History, random: Random): Promise<void> {
  const { archived, shippedOrder } = history;
  archived.add(shippedOrder);
  return command(history, random, "archive", async (db) => {
    const found = await findWhole(db, shippedOrder, { before: "9", setAside: new Set() });
    return "whole" in found && unlessStale(() => transact(db, found.removal));
  });
}
