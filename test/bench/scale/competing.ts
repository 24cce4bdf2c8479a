/** 200 clients that compete for a product, by holds and by orders that are refused if short. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { stockedProduct } from "../../support/business/world.ts";
import { numberAt } from "../../support/http/client.ts";
import { orderOf } from "../../support/records/records.ts";
import { type Deployment, deployed } from "./deployment.ts";
import type { Figure, Part } from "./figures.ts";

const clients = 200;
const units = 100;

/** Holds end after so many seconds: the least that there is. */
const heldSeconds = 30;

export const competing: Part = (print) =>
  deployed({ paused: true, instancesPerFunction: 16 }, async (deployment) => {
    const { sku } = await stockedProduct(deployment, units);
    const began = Date.now();
    const first = await compete(deployment, sku, (client) => client % 2 === 0);
    const after = await availableOf(deployment, sku);
    await sleep(began + heldSeconds * 1000 + first.seconds * 1000 - Date.now());
    const freed = await availableOf(deployment, sku);
    const second = await compete(deployment, sku, () => false);
    const left = await availableOf(deployment, sku);
    print(`at first: ${JSON.stringify(first)}, once holds ended: ${JSON.stringify(second)}`);
    const isExact = first.holds + first.orders === units && after === 0 && left === 0;
    const isFreed = freed === first.holds && second.orders === first.holds;
    return [
      figureOf("units sold of 100", "100, none oversold", `${first.holds + first.orders}`, isExact),
      figureOf(
        "units of holds, sold once these ended by themselves",
        `${first.holds}`,
        `${second.orders} of ${freed} available`,
        isFreed,
      ),
    ];
  });

const figureOf = (what: string, goal: string, found: string, held: boolean): Figure => ({
  figure: `${clients} clients that compete for a product by holds and orders: ${what}`,
  ...{ goal, found, held },
});

async function availableOf({ oms }: Deployment, sku: string): Promise<number> {
  const { body } = await oms.get(`/inventory/stock?sku=${sku}`);
  return numberAt(body, "data.0.available");
}

/**
 * Each client wants a unit. While the service is busy, or fails to answer in time, it sends its call again
 * under the same key, so that a unit is its own once.
 */
async function compete(deployment: Deployment, sku: string, holds: (client: number) => boolean) {
  const found = { holds: 0, orders: 0, refused: 0, again: 0, seconds: 0 };
  const begin = performance.now();
  const compete = async (client: number): Promise<void> => {
    const [path, body] = holds(client)
      ? ["/inventory/holds", { sku, quantity: 1, expires_in: heldSeconds }]
      : ["/orders", orderOf([{ sku, quantity: 1 }], { if_short: "refuse" })];
    const key = { "idempotency-key": randomUUID() };
    for (;;) {
      const { status } = await deployment.oms.post(path, { data: [body] }, key);
      const outcome = outcomeOf(status, holds(client));
      found[outcome] += 1;
      if (outcome !== "again") return;
      await sleep(1000 * Math.random());
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => compete(client)));
  found.seconds = Math.ceil((performance.now() - begin) / 1000);
  return found;
}

function outcomeOf(status: number, isHold: boolean): "holds" | "orders" | "refused" | "again" {
  if (status === 200 || status === 201) return isHold ? "holds" : "orders";
  if (status === 409) return "refused";
  if (status === 429 || status >= 500) return "again";
  throw new Error(`a client that competes is answered ${status}`);
}
