import { expect, test } from "vitest";
import { type Answer, at } from "../../support/http/client.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { newStore, returned, shippedOrder, stocked } from "../../support/store/world.ts";

const service = await sharedService();
/** Another account, which looks at what is the owner's. */
const stranger = (await newStore(service)).oms;
const { sku } = await stocked(service, 10);
/** The owner's shipped order, and what has come back of it. */
const order = { order_id: (await shippedOrder(service, [{ sku, quantity: 5 }])).order_id, sku };
const back = { order_id: order.order_id, items: [{ sku, quantity: 1 }] };
await returned(service, order.order_id, back.items);

test("another account's order cannot be returned: 400 as if it did not exist, and nothing of it changes", async () => {
  const before = (await service.oms.get(`/orders/${order.order_id}`)).body;

  const foreign = await stranger.post("/inventory/returns", { data: [back] });
  const missing = await stranger.post("/inventory/returns", { data: [{ ...back, order_id: 999_999_999 }] });

  const shape = ({ status, body }: Answer, id: string) => [status, JSON.stringify(body).replaceAll(id, "?")];
  expect(foreign.status).toBe(400);
  expect(shape(foreign, String(order.order_id))).toEqual(shape(missing, "999999999"));
  expect((await service.oms.get(`/orders/${order.order_id}`)).body).toEqual(before);
  expect(at((await stranger.get("/inventory/returns")).body, "data")).toEqual([]);
});
