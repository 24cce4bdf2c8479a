import type { Order } from "../../shared/domain/orders/order.ts";
import { claimOrder, shipOrder } from "../../shared/operations/advance-order.ts";
import { noForesight } from "../../shared/operations/context.ts";
import { pickOrder } from "../../shared/operations/pick-order.ts";
import { numberAt } from "./client.ts";
import { orderOf, productOf, recountOf } from "./records.ts";
import type { Service } from "./service.ts";
import { asItIs } from "./world.ts";

/** Where the goods of these tests lie. */
const place = { location: "A1", bin: "03" };

/** A new product of account 100 of which so many units lie in a bin. */
export async function stockedProduct(
  service: Service,
  units: number,
  more: object = {},
): Promise<{ readonly sku: string; readonly product_id: number }> {
  const { sku } = productOf(more);
  const { body } = await service.oms.post("/inventory/products", { data: [productOf({ ...more, sku })] });
  await service.wms.post("/recount", recountOf(sku, [{ ...place, qty: units }]));
  await service.settled();
  return { sku, product_id: numberAt(body, "data.0.product_id") };
}

type Lines = Parameters<typeof orderOf>[0];

/** Places orders of account 100 in one call; their ids. */
export async function placedOrders(service: Service, orders: readonly Lines[], more: object = {}) {
  const data = orders.map((lines) => orderOf(lines, more));
  const { body } = await service.oms.post("/orders", { data });
  return data.map((_, position) => numberAt(body, `data.${position}.order_id`));
}

/** Has an order claimed, picked and shipped by the warehouse. */
export async function ship({ db }: Service, orderId: number): Promise<Order> {
  const picker = { actor: "user:manager", user_name: "manager", now: new Date().toISOString() };
  const { items } = await claimOrder({ ...picker, db: db, foresee: noForesight }, orderId, "manager");
  const picks = items.map(({ sku, quantity }) => ({ sku, quantity, ...place }));
  await pickOrder({ ...picker, db: db, foresee: noForesight }, orderId, picks, asItIs);
  return shipOrder({ ...picker, db: db, foresee: noForesight }, orderId, null, asItIs);
}

/** A Shipped order of account 100 with these lines, whose goods must lie in the bin. */
export async function shippedOrder(service: Service, lines: Lines, more: object = {}): Promise<Order> {
  const [orderId = 0] = await placedOrders(service, [lines], more);
  return ship(service, orderId);
}
