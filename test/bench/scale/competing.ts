/** 200 clients that compete for a product, by holds and by orders that are refused if short. */
import { setTimeout as sleep } from "node:timers/promises";
import { endpoint as createHolds } from "../../../functions/oms/inventory/holds/create-holds.ts";
import { endpoint as createOrders } from "../../../functions/oms/orders/create-orders.ts";
import { Problem } from "../../../shared/common/problem.ts";
import { numberAt } from "../../support/http/client.ts";
import { create } from "../../support/records/flows.ts";
import { orderOf } from "../../support/records/records.ts";
import { stocked } from "../../support/store/world.ts";
import { type Deployment, deployed } from "./deployment.ts";
import type { Figure, Part } from "./figures.ts";

const clients = 200;
const units = 100;

/** Holds end after so many seconds: the least that there is. */
const heldSeconds = 30;

export const competing: Part = (print) =>
  deployed({ paused: true }, async (deployment) => {
    const { sku } = await stocked(deployment, units);
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

/** Each client wants a unit, and asks again while the service is busy. */
async function compete(deployment: Deployment, sku: string, holds: (client: number) => boolean) {
  const found = { holds: 0, orders: 0, refused: 0, busy: 0, seconds: 0 };
  const begin = performance.now();
  const client = async (number: number): Promise<void> => {
    try {
      if (holds(number)) {
        await create(deployment, createHolds, { sku, quantity: 1, expires_in: heldSeconds });
        found.holds += 1;
      } else {
        await create(deployment, createOrders, orderOf([{ sku, quantity: 1 }], { if_short: "refuse" }));
        found.orders += 1;
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.kind === "conflict") found.refused += 1;
      else if (error.kind === "too_many") {
        found.busy += 1;
        await sleep(1000 * Math.random());
        await client(number);
      } else throw error;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  found.seconds = Math.ceil((performance.now() - begin) / 1000);
  return found;
}
