/** Goods that are announced, come back, and are put away. */
import * as z from "zod";
import type { Random } from "../schedule/random.ts";
import type { History, Written } from "./history.ts";

const goods = (random: Random) => [
  { sku: random.of(["DEMO-TEE", "DEMO-MUG", "DEMO-CAP"]), quantity: 2 + random.below(6) },
];

const announced = z.object({ data: z.array(z.object({ replenishment_id: z.int() })) });
const returned = z.object({ data: z.array(z.object({ return_id: z.int() })) });

export async function announce(history: History, random: Random): Promise<void> {
  const reference = history.name("PO");
  const data = [
    { reference, items: goods(random), ...(random.happens(0.3) && { distribution_center: "EAST" }) },
  ];
  const writes = [{ record: undefined, fields: { reference } }];
  const answer = await history.send(random, "createReplenishments", { body: { data } }, writes);
  if (answer?.status !== 200) return;
  const created = announced.parse(JSON.parse(answer.body)).data;
  history.replenishmentIds.push(...created.map(({ replenishment_id }) => replenishment_id));
}

export async function change(history: History, random: Random): Promise<void> {
  if (history.replenishmentIds.length === 0) return announce(history, random);
  const [replenishment_id, reference] = [random.of(history.replenishmentIds), history.name("PO")];
  const data = [{ replenishment_id, reference, ...(random.happens(0.6) && { items: goods(random) }) }];
  const writes: readonly Written[] = [{ record: `replenishment ${replenishment_id}`, fields: { reference } }];
  await history.send(random, "patchReplenishments", { body: { data } }, writes);
}

export async function read(history: History, random: Random): Promise<void> {
  if (history.replenishmentIds.length === 0) return;
  const id = String(random.of(history.replenishmentIds));
  await history.send(random, "getReplenishment", { path: { replenishment: id } });
}

/** Announces that goods of an order come back. */
export async function takeBack(history: History, random: Random): Promise<void> {
  const order_id = random.happens(0.7) ? history.shippedOrder : history.order(random);
  const items = [{ sku: "DEMO-MUG", quantity: 1 }];
  const answer = await history.send(random, "createReturns", { body: { data: [{ order_id, items }] } });
  if (answer?.status !== 200) return;
  const created = returned.parse(JSON.parse(answer.body)).data;
  history.returnIds.push(...created.map(({ return_id }) => return_id));
}

/** Puts goods of a replenishment or a return into a bin. */
export async function putAway(history: History, random: Random): Promise<void> {
  const targets = [
    ...history.replenishmentIds.map((replenishment_id) => ({ replenishment_id })),
    ...history.returnIds.map((return_id) => ({ return_id })),
  ];
  if (targets.length === 0) return announce(history, random);
  const sku = random.of(["DEMO-TEE", "DEMO-MUG", "DEMO-CAP", "DEMO-MUG"]);
  const place = { location: random.of(["A1", "A2"]), bin: "01" };
  const body = { ...random.of(targets), sku, quantity: 1 + random.below(3), ...place };
  await history.send(random, "putAway", { body });
}
