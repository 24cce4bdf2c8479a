import { expect, test } from "vitest";
import {
  announceReplenishment,
  announceReturn,
  newStore,
  shippedOrder,
  stockedProduct,
} from "../../support/business/world.ts";
import { at, listAt, numberAt } from "../../support/http/client.ts";
import { expectAsMissing } from "../../support/http/refused.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const load = "/pro-v1/put-away-load";

const service = await sharedService();
/** v2 as the owner, and as an account that looks at what is the owner's. */
const owner = service.v2;
const stranger = (await newStore(service)).v2;
const { sku } = await stockedProduct(service, 10);
const items = [{ sku, quantity: 5 }];
const { order_id } = await shippedOrder(service, items);
const announced = {
  ...(await announceReplenishment(service, items)),
  ...(await announceReturn(service, order_id, items)),
};
const theirs = Object.entries(announced);

test("what lies in another account's bins is in no inventory list, by SKU or whole, nor in its totals", async () => {
  const whole = await stranger.post("/pro-v1/inventory-list-1", { per_page: 100 });
  const bySku = await stranger.post("/pro-v1/inventory-list-1", { sku });
  const owners = await owner.post("/pro-v1/inventory-list-1", { sku });

  for (const { status, body } of [whole, bySku]) {
    expect(status).toBe(200);
    expect(listAt(body, "data").map((entry) => at(entry, "SKU"))).not.toContain(sku);
    expect(numberAt(body, "metadata.total_records")).toBe(0);
    expect(numberAt(body, "pagination.total")).toBe(0);
  }
  expect(listAt(owners.body, "data")).toHaveLength(1);
});

test("another account's goods can't be loaded: as if they did not exist", async () => {
  for (const [name, id] of theirs) {
    const foreign = await stranger.post(load, { [name]: id });
    const missing = await stranger.post(load, { [name]: 999_999_999 });
    const owners = await owner.post(load, { [name]: id });

    expect([foreign.status, owners.status]).toEqual([404, 200]);
    expectAsMissing(foreign, id, missing);
  }
});

test("another account's goods can't be put away, and nothing of them changes", async () => {
  for (const [name, id] of theirs) {
    const before = [
      (await owner.post(load, { [name]: id })).body,
      (await owner.post("/pro-v1/inventory-list-1", { sku })).body,
    ];
    const move = { sku, quantity: 1, location: "B1", bin: "02" };

    const foreign = await stranger.post("/pro-v1/put-away-move", { [name]: id, ...move });
    const missing = await stranger.post("/pro-v1/put-away-move", { [name]: 999_999_999, ...move });

    expect(foreign.status).toBe(404);
    expectAsMissing(foreign, id, missing);
    const after = [
      (await owner.post(load, { [name]: id })).body,
      (await owner.post("/pro-v1/inventory-list-1", { sku })).body,
    ];
    expect(after).toEqual(before);
  }
});
