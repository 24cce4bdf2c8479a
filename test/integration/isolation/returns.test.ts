import { beforeAll, expect, test } from "vitest";
import { type Answer, at, type Client } from "../../support/http/client.ts";
import type { Service } from "../../support/runtime/service.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { newStore, returned, shippedOrder, stocked } from "../../support/store/world.ts";

let service: Service;
/** Another account, which looks at what is the owner's. */
let stranger: Client;
/** The owner's shipped order, and what has come back of it. */
let order: { readonly order_id: number; readonly sku: string };

beforeAll(async () => {
  service = await sharedService();
  stranger = (await newStore(service)).oms;
  const { sku } = await stocked(service, 10);
  order = { order_id: (await shippedOrder(service, [{ sku, quantity: 5 }])).order_id, sku };
  await returned(service, order.order_id, back().items);
});

const back = () => ({ order_id: order.order_id, items: [{ sku: order.sku, quantity: 1 }] });

test("another account's order cannot be returned: 400 as if it did not exist, and nothing of it changes", async () => {
  const before = (await service.oms.get(`/orders/${order.order_id}`)).body;

  const foreign = await stranger.post("/inventory/returns", { data: [back()] });
  const missing = await stranger.post("/inventory/returns", { data: [{ ...back(), order_id: 999_999_999 }] });

  const shape = ({ status, body }: Answer, id: string) => [status, JSON.stringify(body).replaceAll(id, "?")];
  expect(foreign.status).toBe(400);
  expect(shape(foreign, String(order.order_id))).toEqual(shape(missing, "999999999"));
  expect((await service.oms.get(`/orders/${order.order_id}`)).body).toEqual(before);
  expect(at((await stranger.get("/inventory/returns")).body, "data")).toEqual([]);
});
