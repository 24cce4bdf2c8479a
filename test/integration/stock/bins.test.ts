import { describe, expect, test } from "vitest";
import { newProduct, newProducts, newStore } from "../../support/business/world.ts";
import { at, listAt } from "../../support/http/client.ts";
import { recountOf } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();

const bins = (productId: string | number) => service.wms.get(`/inventory/products/${productId}/bin`);

const counts = (sku: string, ...bins: Parameters<typeof recountOf>[1]) =>
  recountOf(sku, bins, { account_id: service.accountId });

describe("the bins of a product", () => {
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

  test("of any account are the warehouse's to see, and none for a product that never lay in one", async () => {
    const other = { db: service.db, ...(await newStore(service)) };
    const { product_id } = await newProduct(other);

    const answer = await bins(product_id);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ bin_list: [] });
  });
});
