/** An order of three lines from its creation to its shipment, as clients have it: seven calls and a job. */
import { expect } from "vitest";
import { demoMasterKey } from "../../infra/demo/registry.ts";
import { barcodeOf } from "../../shared/domain/orders/order.ts";
import { type Answer, numberAt } from "./client.ts";
import type { MobileClient } from "./mobile.ts";
import type { OwnService } from "./own-service.ts";
import { fullOrderOf, unique } from "./records.ts";
import { arrived, newProducts } from "./world.ts";

export const noKey = (): Readonly<Record<string, string>> => ({});
export const newKey = () => ({ "Idempotency-Key": unique("key") });

/** How an order is lived through: what each call states besides its credentials, and how many orders are claimed at most. */
export interface Life {
  readonly worker: MobileClient;
  readonly keyOf: typeof noKey;
  readonly limit: number;
  /** Called once the products are there, before the order is created. */
  readonly begin?: () => void;
}

/** Takes an order through its life. @returns what `observed` says of each call, from a mark on, with the work that it queued */
export async function lifeOf<T>(
  service: OwnService,
  { worker, keyOf, limit, begin }: Life,
  observed: (mark: number) => T,
): Promise<readonly T[]> {
  const { runtime } = service;
  const products = await newProducts(service, 3);
  for (const { sku } of products)
    await arrived(service, sku, { quantity: 5, day: "2025-03-01", lot: "LOT-7" });
  await runtime.settled();
  begin?.();
  const seen: T[] = [];
  const call = async (base: string, headers: typeof service.credentials, path: string, body: object) => {
    const mark = runtime.mark();
    const answer: Answer = await service.client(base, { ...headers, ...keyOf() }).post(path, body);
    await runtime.settled();
    expect(answer.status).toBe(200);
    seen.push(observed(mark));
    return answer;
  };
  const mobile = (path: string, body: object) => call("/apiv2/mobile-v1", worker.headers, path, body);
  const lines = products.map(({ sku }) => ({ sku, quantity: 2, sold_price: 19.95 }));
  const data = [fullOrderOf(lines)];
  const created = await call("/apirest/v4/oms", service.credentials, "/orders", { data });
  const order_id = numberAt(created.body, "data.0.order_id");
  await mobile("/pp-getOrders-1", { limit });
  for (const { sku } of products) {
    const picks = [{ sku, location: "A1", bin: "01", quantity: 2 }];
    await mobile("/pp-updateLogPick-1", { order_id, picks });
  }
  const weights = [{ nbtybarcode: barcodeOf(order_id), weight: 4.5 }];
  const wms = { userName: "manager", Key: demoMasterKey };
  await call("/apirest/v4/wms", wms, "/orders/UpdateWeight", { data: weights });
  await mobile("/qc-shippings-1", { order_id, approve: true, tracking_number: "1Z999AA10123456784" });
  return seen;
}
