import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { at, listAt, numberAt } from "../../support/client.ts";
import { type OwnService, startService } from "../../support/own-service.ts";
import { orderOf, productOf, recountOf } from "../../support/records.ts";

let service: OwnService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.runtime.stop());

const bins = (productId: string | number) => service.wms.get(`/inventory/products/${productId}/bin`);

const idOf = async (sku: string) =>
  numberAt((await service.oms.get(`/inventory/products/${sku}`)).body, "data.product_id");

describe("the bins of a product", () => {
  test.each<[string, readonly object[]]>([
    [
      "DEMO-TEE",
      [
        { BinID: 1, Location: "A1", Bin: "01", Quantity: 40 },
        { BinID: 2, Location: "A1", Bin: "02", Quantity: 20 },
      ],
    ],
    ["DEMO-MUG", [{ BinID: 4, Location: "A2", Bin: "01", Quantity: 25 }]],
    ["DEMO-CAP", [{ BinID: 7, Location: "B1", Bin: "01", Quantity: 10 }]],
  ])("of the demo's %s, exactly, without data around them", async (sku, expected) => {
    const ProductID = await idOf(sku);

    const answer = await bins(ProductID);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ bin_list: expected.map((entry) => ({ ...entry, ProductID })) });
  });

  test("are none for a product that never lay in one", async () => {
    const sent = productOf();
    await service.oms.post("/inventory/products", { data: [sent] });

    const answer = await bins(await idOf(sent.sku));

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ bin_list: [] });
  });

  test("follow recounts, are sorted by location and bin, and keep an emptied bin", async () => {
    const sent = productOf();
    await service.oms.post("/inventory/products", { data: [sent] });
    const ProductID = await idOf(sent.sku);

    await service.wms.post(
      "/recount",
      recountOf(sent.sku, [
        { location: "B1", bin: "02", qty: 4 },
        { location: "A1", bin: "03", qty_in_bin: 6 },
        { location: "A2", bin: "02", qty: 3 },
      ]),
    );
    await service.runtime.settled();
    await service.wms.post("/recount", recountOf(sent.sku, [{ location: "A2", bin: "02", qty_in_bin: 0 }]));
    await service.runtime.settled();
    const answer = await bins(ProductID);

    expect(answer.body).toEqual({
      bin_list: [
        { BinID: 3, Location: "A1", Bin: "03", Quantity: 6, ProductID },
        { BinID: 5, Location: "A2", Bin: "02", Quantity: 0, ProductID },
        { BinID: 8, Location: "B1", Bin: "02", Quantity: 4, ProductID },
      ],
    });
  });

  test("may be shared with other products, each seeing its own", async () => {
    const [one, other] = [productOf(), productOf()];
    await service.oms.post("/inventory/products", { data: [one, other] });

    await service.wms.post("/recount", [
      ...recountOf(one.sku, [{ location: "B1", bin: "03", qty: 1 }]),
      ...recountOf(other.sku, [{ location: "B1", bin: "03", qty: 2 }]),
    ]);
    await service.runtime.settled();
    const answers = [await bins(await idOf(one.sku)), await bins(await idOf(other.sku))];

    expect(answers.map(({ body }) => listAt(body, "bin_list").length)).toEqual([1, 1]);
    expect(answers.map(({ body }) => at(body, "bin_list.0.Quantity"))).toEqual([1, 2]);
    expect(answers.map(({ body }) => at(body, "bin_list.0.BinID"))).toEqual([9, 9]);
  });

  test("do not change with an order, which only reserves", async () => {
    const ProductID = await idOf("DEMO-CAP");
    const before = await bins(ProductID);

    const order = await service.oms.post("/orders", { data: [orderOf([{ sku: "DEMO-CAP", quantity: 3 }])] });

    expect(order.status).toBe(200);
    expect((await bins(ProductID)).body).toEqual(before.body);
  });

  test("of any account are the warehouse's to see", async () => {
    const sent = productOf();
    const second = await service.omsOf(101).post("/inventory/products", { data: [sent] });

    const answer = await bins(numberAt(second.body, "data.0.product_id"));

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ bin_list: [] });
  });

  test.each(["999999999", "0", "-1", "1.5", "abc", "DEMO-TEE", "1e3", "9".repeat(60)])(
    "of the unknown or non-numeric product %s are 404",
    async (id) => {
      const answer = await bins(id);

      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({
        response: { success: false, message: `There is no product with product_id ${id}` },
      });
    },
  );
});
