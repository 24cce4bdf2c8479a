/** What the warehouse does. */

import { schedule as rollUpCounters } from "../../../functions/jobs/roll-up-counters.ts";
import { barcodeOf } from "../../../shared/orders/order.ts";
import { ordersToPick } from "../../../shared/picking/claim-orders.ts";
import { claimOrder, pickOrder, shipOrder } from "../../../shared/picking/picking-flows.ts";
import { binContentLookup } from "../../../shared/stock/bins/bin-repository.ts";
import { moveGoods } from "../../../shared/stock/bins/move-goods.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { noIdempotencyKey } from "../../../shared/store/idempotency.ts";
import type { Random } from "../schedule/random.ts";
import { asManager } from "./calls.ts";
import type { History } from "./history.ts";

const by = (db: Database) => ({
  db,
  actor: asManager,
  user_name: "manager",
  now: new Date().toISOString(),
  idempotency: noIdempotencyKey,
});

/** Work of a warehouse user, which may be refused. */
async function work(history: History, name: string, flow: (db: Database) => Promise<unknown>): Promise<void> {
  const { world } = history;
  history.isWorked = true;
  const ending = await world.function(name, flow);
  world.scheduler.note(() => `${name}: ${ending.kind} ${"error" in ending ? String(ending.error) : ""}`);
}

/** Claims an order, picks it whole, and ships it, as far as it comes. Now and then picking is forgotten. */
export async function pickAndShip(history: History, random: Random): Promise<void> {
  const [orderId, stages] = [history.order(random), random.of([1, 2, 3, 3])];
  const isForgotten = random.happens(0.1);
  await work(history, "warehouse", async (db) => {
    const { items } = await claimOrder(by(db), orderId, "manager");
    if (stages < 2) return;
    const picks = items.map(({ sku, quantity }) => ({ sku, quantity, ...placeOf(sku) }));
    if (!isForgotten) await pickOrder(by(db), orderId, picks, (order) => order);
    if (stages < 3) return;
    await shipOrder(by(db), orderId, {}, (order) => order);
  });
}

/** A picker asks for orders. */
export async function claimSome(history: History, random: Random): Promise<void> {
  const picker = random.of(["manager", "second"]);
  await work(history, "picker", (db) => ordersToPick({ ...by(db), picker }, 1 + random.below(3)));
}

const bin = (location: string, name: string) => ({ location, bin: name });
const placeOf = (sku: string) => (sku === "DEMO-MUG" ? bin("A2", "01") : bin("A1", "01"));

export const revert = (history: History, random: Random) =>
  history.send(random, "revertShipments", { body: { shipments_list: [history.order(random)] } });

const places = [
  { sku: "DEMO-TEE", place: bin("A1", "01") },
  { sku: "DEMO-TEE", place: bin("A1", "02") },
  { sku: "DEMO-TEE", place: bin("A1", "02") },
  { sku: "DEMO-MUG", place: bin("A2", "01") },
];

/** Counts one bin, absolutely or by what was found or is missing. */
export const recount = (history: History, random: Random) => count(history, random, random.of(places), {});

/** Counts a bin that is to hold what it held when it was looked at. */
export async function recountIfSeen(history: History, random: Random): Promise<void> {
  const counted = random.of(places);
  const { location, bin: name } = counted.place;
  const { table, key } = binContentLookup(history.productId(counted.sku), location, name);
  const expected_quantity = Number(history.world.store.table(table).get(key)?.["expected"]?.N);
  await history.think(random);
  await count(history, random, counted, { expected_quantity });
}

async function count(
  history: History,
  random: Random,
  { sku, place }: (typeof places)[number],
  seen: object,
): Promise<void> {
  const change = random.of([{ qty_in_bin: random.below(60) }, { qty_in_bin: random.below(3) }, { qty: 1 }]);
  const bins = [{ ...place, ...change, ...seen }];
  const body = [{ account_id: 100, skus: [{ sku, bins }], comment: "counted" }];
  await history.send(random, "recount", { body });
}

export const weigh = (history: History, random: Random) => {
  const data = [{ nbtybarcode: barcodeOf(history.order(random)), weight: 1 + random.below(9) }];
  return history.send(random, "updateWeight", { body: { data } });
};

/** Moves goods between bins. */
export async function move(history: History, random: Random): Promise<void> {
  const [from, to] = random.of([
    [bin("A1", "01"), bin("A1", "02")],
    [bin("A1", "02"), bin("B1", "02")],
    [bin("A1", "02"), bin("A1", "01")],
  ]);
  if (from === undefined || to === undefined) return;
  const product = { sku: "DEMO-TEE", account_id: 100 };
  const quantity = random.of([1, 3, 10, 20]);
  await work(history, "mover", (db) => moveGoods(by(db), product, { quantity, from, to }, (moved) => moved));
}

/** What the clock also begins, only more often. */
export const rollUp = (history: History): Promise<void> =>
  work(history, "roll-up", (db) =>
    rollUpCounters.run({ db, now: new Date().toISOString(), remaining: () => 50_000 }),
  );
