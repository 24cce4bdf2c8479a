/** An order of three lines from its creation to its shipment, as clients have it: seven calls and a job. */
import { expect } from "vitest";
import { demoMasterKey } from "../../../infra/demo/registry.ts";
import { barcodeOf } from "../../../shared/orders/order.ts";
import { type Answer, numberAt } from "../http/client.ts";
import type { MobileClient } from "../http/mobile.ts";
import { fullOrderOf, unique } from "../records/records.ts";
import type { OwnService } from "../runtime/own-service.ts";
import { layOut } from "./stockpile.ts";
import { layerOf } from "./stored.ts";
import { newProducts } from "./world.ts";

export const noKey = (): Readonly<Record<string, string>> => ({});
export const newKey = () => ({ "Idempotency-Key": unique("key") });

/**
 * How an order is lived through: what each call states besides its credentials, and how many orders are
 * claimed at most.
 */
export interface Life {
  readonly worker: MobileClient;
  readonly keyOf: typeof noKey;
  readonly limit: number;
  /** How many orders live through it together, each of other products; one without it. */
  readonly orders?: number;
  /** Called once the products are there, before the orders are created. */
  readonly begin?: () => void;
}

type Call = readonly [base: string, headers: Readonly<Record<string, string>>, path: string, body: object];

/** An order has so many products. */
const productsOfOrder = 3;

/** The products of so many orders, each of which has its own. They lie in a bin. */
async function productsFor(service: OwnService, orders: number) {
  const products = await newProducts(service, productsOfOrder * orders);
  const layers = [layerOf("2025-03-01", 5, { lot: "LOT-7" })];
  await layOut(service, products, [{ bin: "A1/01", quantity: 5, layers }]);
  return Array.from({ length: orders }, (_, order) =>
    products.slice(order * productsOfOrder, (order + 1) * productsOfOrder),
  );
}

/**
 * Takes an order through its life, or several side by side. The changes of a step are published together,
 * once its jobs are done.
 * @returns what `observed` says of each step, from a mark on and by its answers, with the work that the step
 * queued
 */
export async function lifeOf<T>(
  service: OwnService,
  { worker, keyOf, limit, orders = 1, begin }: Life,
  observed: (mark: number, answers: readonly Answer[]) => T,
): Promise<readonly T[]> {
  const { runtime } = service;
  const wanted = await productsFor(service, orders);
  await runtime.settled();
  begin?.();
  const seen: T[] = [];
  const step = async (calls: readonly Call[]): Promise<readonly Answer[]> => {
    const mark = runtime.mark();
    await runtime.streams.pause();
    const answers: Answer[] = [];
    for (const [base, headers, path, body] of calls)
      answers.push(await service.client(base, { ...headers, ...keyOf() }).post(path, body));
    await runtime.settled();
    runtime.streams.resume();
    await runtime.settled();
    for (const { status } of answers) expect(status).toBe(200);
    seen.push(observed(mark, answers));
    return answers;
  };
  const oms = (path: string, body: object): Call => ["/apirest/v4/oms", service.credentials, path, body];
  const mobile = (path: string, body: object): Call => ["/apiv2/mobile-v1", worker.headers, path, body];
  const wms = (path: string, body: object): Call => [
    "/apirest/v4/wms",
    { userName: "manager", Key: demoMasterKey },
    path,
    body,
  ];
  const created = await step(
    wanted.map((products) =>
      oms("/orders", {
        data: [fullOrderOf(products.map(({ sku }) => ({ sku, quantity: 2, sold_price: 19.95 })))],
      }),
    ),
  );
  const ids = created.map(({ body }) => numberAt(body, "data.0.order_id"));
  await step([mobile("/pp-getOrders-1", { limit })]);
  for (const line of [0, 1, 2]) {
    await step(
      wanted.map((products, position) => {
        const picks = [{ sku: products[line]?.sku ?? "", location: "A1", bin: "01", quantity: 2 }];
        return mobile("/pp-updateLogPick-1", { order_id: ids[position], picks });
      }),
    );
  }
  await step(
    ids.map((id) => wms("/orders/UpdateWeight", { data: [{ nbtybarcode: barcodeOf(id), weight: 4.5 }] })),
  );
  await step(
    ids.map((order_id) =>
      mobile("/qc-shippings-1", { order_id, approve: true, tracking_number: "1Z999AA10123456784" }),
    ),
  );
  return seen;
}
