import { describe, expect, test } from "vitest";
import { at, listAt, numberAt } from "../../support/http/client.ts";
import { orderOf, recountOf } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { newProduct, newProducts, newStore } from "../../support/store/world.ts";

const service = await sharedService({ demoData: true });

const bins = (productId: string | number) => service.wms.get(`/inventory/products/${productId}/bin`);

const counts = (sku: string, ...bins: Parameters<typeof recountOf>[1]) =>
  recountOf(sku, bins, { account_id: service.accountId });

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
    const { product_id } = await newProduct(service);

    const answer = await bins(product_id);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ bin_list: [] });
  });

  test("follow recounts, are sorted by location and bin, and keep an emptied bin", async () => {
    const { sku, product_id: ProductID } = await newProduct(service);

    await service.wms.post(
      "/recount",
      counts(
        sku,
        { location: "B1", bin: "02", qty: 4 },
        { location: "A1", bin: "03", qty_in_bin: 6 },
        { location: "A2", bin: "02", qty: 3 },
      ),
    );
    await service.settled();
    await service.wms.post("/recount", counts(sku, { location: "A2", bin: "02", qty_in_bin: 0 }));
    await service.settled();
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
    const products = await newProducts(service, 2);

    await service.wms.post(
      "/recount",
      products.flatMap(({ sku }, before) => counts(sku, { location: "B1", bin: "03", qty: before + 1 })),
    );
    await service.settled();
    const answers = await Promise.all(products.map(({ product_id }) => bins(product_id)));

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
    const other = { db: service.db, ...(await newStore(service)) };
    const { product_id } = await newProduct(other);

    const answer = await bins(product_id);

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
