/** Write units of an order of three lines, from its creation to its shipment. */
import { barcodeOf } from "../../../shared/orders/order.ts";
import { newProducts, receiveGoods } from "../../support/business/world.ts";
import { type Answer, type Client, numberAt } from "../../support/http/client.ts";
import { type MobileClient, signIn } from "../../support/http/mobile.ts";
import { fullOrderOf, unique } from "../../support/records/records.ts";
import { type Deployment, deployed } from "./deployment.ts";
import type { Part } from "./figures.ts";

const maxUnits = 80;

interface Step {
  readonly name: string;
  readonly units: number;
}

export const life: Part = (print) =>
  deployed({}, async (deployment) => {
    // The first job of a kind leases a block of ids, and the demo's orders are claimed first.
    await live(deployment, await signIn(deployment), 50, () => ({}));
    deployment.runtime.recordCapacity(true);
    const picker = await signIn(deployment);
    const steps = await live(deployment, picker, 1, () => ({}));
    const retriable = await live(deployment, picker, 1, () => ({ "Idempotency-Key": unique("key") }));
    print(`each step: ${steps.map(({ name, units }) => `${name} ${units}`).join(", ")}`);
    print(`with a key: ${retriable.map(({ name, units }) => `${name} ${units}`).join(", ")}`);
    const total = sumOf(steps);
    return [
      {
        figure: "write units of an order of 3 lines: create, claim, 3 picks, weigh, ship",
        goal: `${maxUnits}`,
        found: `${total}; ${sumOf(retriable)} with an Idempotency-Key on every call`,
        held: total <= maxUnits,
      },
    ];
  });

const sumOf = (steps: readonly Step[]): number => steps.reduce((sum, { units }) => sum + units, 0);

/**
 * Takes one order through its life. Each step has the work in it that it queued. `begin` runs once the
 * products are there.
 */
export async function live(
  deployment: Deployment,
  picker: MobileClient,
  limit: number,
  key: () => Readonly<Record<string, string>>,
  begin: () => Promise<void> = async () => undefined,
): Promise<readonly Step[]> {
  const { runtime, oms, wms } = deployment;
  const steps: Step[] = [];
  const take = async (name: string, on: Client, path: string, body: object): Promise<Answer> => {
    const mark = runtime.mark();
    const answer = await on.post(path, body, key());
    if (answer.status !== 200)
      throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    await runtime.settled();
    steps.push({ name, units: runtime.summary(mark).writeUnits });
    return answer;
  };
  const products = await newProducts(deployment, 3);
  for (const { sku } of products)
    await receiveGoods(deployment, sku, { quantity: 5, day: "2025-03-01", lot: "LOT-7" });
  await runtime.settled();
  await begin();
  const lines = products.map(({ sku }) => ({ sku, quantity: 2, sold_price: 19.95 }));
  const created = await take("create", oms, "/orders", { data: [fullOrderOf(lines)] });
  const order_id = numberAt(created.body, "data.0.order_id");
  await take("claim", picker, "/mobile-v1/pp-getOrders-1", { limit });
  for (const { sku } of products) {
    const picks = [{ sku, location: "A1", bin: "01", quantity: 2 }];
    await take("pick", picker, "/mobile-v1/pp-updateLogPick-1", { order_id, picks });
  }
  const weights = [{ nbtybarcode: barcodeOf(order_id), weight: 4.5 }];
  await take("weigh", wms, "/orders/UpdateWeight", { data: weights });
  const approval = { order_id, approve: true, tracking_number: "1Z999AA10123456784" };
  await take("ship", picker, "/mobile-v1/qc-shippings-1", approval);
  return steps;
}
