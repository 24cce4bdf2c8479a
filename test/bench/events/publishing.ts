/** What it takes to publish the changes of one busy account, and how fast that goes. */
import { endpoint as createOrders } from "../../../functions/oms/orders/create-orders.ts";
import { stockedProduct } from "../../support/business/world.ts";
import { create } from "../../support/records/flows.ts";
import { orderOf } from "../../support/records/records.ts";
import type { Deployment } from "../scale/deployment.ts";
import { latestOf } from "./delay.ts";

/** Orders of one call, and calls: each order makes two events, its own and that of its stock. */
const [together, calls] = [100, 20];

/** What publishing came to. */
export interface Publishing {
  readonly events: number;
  readonly seconds: number;
  readonly transactions: number;
  readonly writeUnits: number;
  readonly readUnits: number;
}

/** Has many orders created while nothing is published, and then all of them published. */
export async function publishMany(deployment: Deployment): Promise<Publishing> {
  const { runtime } = deployment;
  const { sku } = await stockedProduct(deployment, 5);
  await runtime.settled();
  const before = await latestOf(deployment);
  await runtime.pause();
  for (let call = 0; call < calls; call += 1) {
    const orders = Array.from({ length: together }, () => orderOf([{ sku, quantity: 1 }]));
    await create(deployment, createOrders, ...orders);
  }
  runtime.recordCapacity(true);
  const mark = runtime.mark();
  const began = performance.now();
  runtime.resume();
  await runtime.settled();
  const seconds = (performance.now() - began) / 1000;
  const { writeUnits, readUnits } = runtime.summary(mark);
  const transactions = runtime
    .calls(mark)
    .filter(({ operation }) => operation === "TransactWriteItems").length;
  runtime.recordCapacity(false);
  return { events: (await latestOf(deployment)) - before, seconds, transactions, writeUnits, readUnits };
}
