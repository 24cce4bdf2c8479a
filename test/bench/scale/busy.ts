/** What a caller is told whose writes never get through. */

import { newProduct } from "../../support/business/world.ts";
import { at, numberAt } from "../../support/http/client.ts";
import { orderOf, unique } from "../../support/records/records.ts";
import { type Deployment, deployed } from "./deployment.ts";
import type { Part } from "./figures.ts";

const [calls, maxSeconds] = [4, 5];

export const busy: Part = (print) =>
  deployed({ paused: true }, async (deployment) => {
    const { runtime, oms } = deployment;
    const { sku } = await newProduct(deployment);
    const sent = Array.from({ length: calls }, () => ({
      body: { data: [orderOf([{ sku, quantity: 1 }])] },
      key: { "Idempotency-Key": unique("busy") },
    }));
    const post = async ({ body, key }: (typeof sent)[number]) => {
      const start = performance.now();
      const answer = await oms.post("/orders", body, key);
      return { ...answer, seconds: (performance.now() - start) / 1000 };
    };
    // The instances start.
    await Promise.all(sent.map(() => oms.post("/orders", { data: [orderOf([{ sku, quantity: 1 }])] })));
    const before = await state(deployment, sku);
    const effect = {
      effect: "conflict",
      operation: "TransactWriteItems",
      function: "oms/orders/create-orders",
    } as const;
    const fault = runtime.faults.add({ ...effect, times: 10_000 });
    const refused = await Promise.all(sent.map(post));
    const meanwhile = await state(deployment, sku);
    runtime.faults.clear();
    const again = await Promise.all(sent.map(post));
    const after = await state(deployment, sku);

    const slowest = Math.max(...refused.map(({ seconds }) => seconds));
    const statuses = [...new Set(refused.map(({ status }) => status))].join(", ");
    const waits = [...new Set(refused.map(({ headers }) => headers.get("retry-after") ?? "none"))].join(", ");
    const isNothingStored = JSON.stringify(meanwhile) === JSON.stringify(before);
    const isUsable =
      again.every(({ status, headers }) => status === 200 && headers.get("idempotent-replayed") === null) &&
      after.orders === before.orders + calls &&
      after.reserved === before.reserved + calls;
    print(`${fault.hits} conflicts for ${calls} calls, which took up to ${slowest.toFixed(2)} s`);
    return [
      {
        figure: "a conflict that outlasts its retries",
        goal: `429 with Retry-After within ${maxSeconds} s, nothing stored, key usable at once`,
        found:
          `${statuses}, Retry-After ${waits}, ${slowest.toFixed(1)} s, ` +
          `${isNothingStored ? "nothing" : "SOMETHING"} stored, key ${isUsable ? "" : "NOT "}usable at once`,
        held: statuses === "429" && waits === "1" && slowest <= maxSeconds && isNothingStored && isUsable,
      },
    ];
  });

/** What the account has of orders, and of the product's reservations. */
async function state({ oms }: Deployment, sku: string) {
  const [orders, stock] = [await oms.get("/orders?per_page=1"), await oms.get(`/inventory/stock?sku=${sku}`)];
  return {
    orders: numberAt(orders.body, "metadata.total_records"),
    reserved: at(stock.body, "data.0.reserved") === undefined ? 0 : numberAt(stock.body, "data.0.reserved"),
  };
}
