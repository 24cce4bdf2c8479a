import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { at, type Client, listAt, numberAt } from "../../support/client.ts";
import { type OwnService, startService } from "../../support/own-service.ts";
import { orderOf, productOf, unique } from "../../support/records.ts";

let service: OwnService;
/** Account 101, which looks at what is account 100's. */
let stranger: Client;
beforeAll(async () => {
  service = await startService();
  stranger = service.omsOf(101);
});
afterAll(() => service.runtime.stop());

const movementsOf = (owner: Client, sku: string) => owner.get(`/inventory/stock/${sku}/movements`);

describe("another account's stock movements", () => {
  test("cannot be read by the SKU, and read like those of one that does not exist", async () => {
    const foreign = await movementsOf(stranger, "DEMO-TEE");
    const missing = await movementsOf(stranger, "NO-SUCH");

    expect([foreign.status, missing.status]).toEqual([404, 404]);
    expect(JSON.stringify(foreign.body).replace("DEMO-TEE", "?")).toBe(
      JSON.stringify(missing.body).replace("NO-SUCH", "?"),
    );
    expect((await movementsOf(service.oms, "DEMO-TEE")).status).toBe(200);
  });

  test("are not among one's own of the same SKU", async () => {
    const sku = unique("SAME");
    const orders: number[] = [];
    for (const owner of [service.oms, stranger]) {
      await owner.post("/inventory/products", { data: [productOf({ sku })] });
      const { body } = await owner.post("/orders", { data: [orderOf([{ sku, quantity: 1 }])] });
      orders.push(numberAt(body, "data.0.order_id"));
    }

    const answers = [await movementsOf(service.oms, sku), await movementsOf(stranger, sku)];

    expect(answers.map(({ body }) => listAt(body, "data").map((one) => at(one, "order_id")))).toEqual(
      orders.map((id) => [id]),
    );
    expect(answers.map(({ body }) => at(body, "pagination.total"))).toEqual([1, 1]);
  });

  test.each(["POST", "PUT", "PATCH", "DELETE"])(
    "can be changed by nobody over the API: %s is 404",
    async (method) => {
      const path = "/inventory/stock/DEMO-TEE/movements";
      const before = (await service.oms.get(path)).body;

      const body = JSON.stringify({ data: [{ on_hand: 1000 }] });
      const answers = await Promise.all(
        [service.oms, stranger].map((caller) =>
          caller.send(method, path, body, { "content-type": "application/json" }),
        ),
      );

      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
      expect((await service.oms.get(path)).body).toEqual(before);
    },
  );
});
