import { describe, expect, test } from "vitest";
import { newProduct, pendingOrder } from "../../support/business/world.ts";
import { at, type Client, listAt } from "../../support/http/client.ts";
import { newStranger } from "../../support/http/strangers.ts";
import { unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService({ demoData: true });
const stranger = await newStranger(service);

const movementsOf = (owner: Client, sku: string) => owner.get(`/inventory/stock/${sku}/movements`);

describe("another account's stock movements", () => {
  test("cannot be read by the SKU, and read like those of one that does not exist", async () => {
    const foreign = await movementsOf(stranger.oms, "DEMO-TEE");
    const missing = await movementsOf(stranger.oms, "NO-SUCH");

    expect([foreign.status, missing.status]).toEqual([404, 404]);
    expect(JSON.stringify(foreign.body).replace("DEMO-TEE", "?")).toBe(
      JSON.stringify(missing.body).replace("NO-SUCH", "?"),
    );
    expect((await movementsOf(service.oms, "DEMO-TEE")).status).toBe(200);
  });

  test("are not among one's own of the same SKU", async () => {
    const sku = unique("SAME");
    const orders: number[] = [];
    for (const owner of [service, stranger]) {
      await newProduct(owner, { sku });
      orders.push(await pendingOrder(owner, [{ sku, quantity: 1 }]));
    }

    const answers = [await movementsOf(service.oms, sku), await movementsOf(stranger.oms, sku)];

    expect(answers.map(({ body }) => listAt(body, "data").map((one) => at(one, "order_id")))).toEqual(
      orders.map((id) => [id]),
    );
    expect(answers.map(({ body }) => at(body, "pagination.total"))).toEqual([1, 1]);
  });
});
