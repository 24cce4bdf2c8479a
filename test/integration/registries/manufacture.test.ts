import { describe, expect, test } from "vitest";
import { putManufactureOrder } from "../../../infra/operator/set-up/manufacture.ts";
import type { ManufactureInput } from "../../../shared/registries/manufacture/manufacture-order.ts";
import { newProduct, newProducts, newStore } from "../../support/business/world.ts";
import { at, listAt, numberAt } from "../../support/http/client.ts";
import { unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const eastern = "MADE-EAST";

/** Ids of 22 manufacture orders, by rising id. */
const ids: number[] = [];

const inputOf = (more: Partial<ManufactureInput> = {}): ManufactureInput => ({
  manufacture_number: unique("MO"),
  status: "Pending",
  sku: eastern,
  quantity: 5,
  due_date: null,
  ...more,
});

const setUp = (more: Partial<ManufactureInput> = {}) =>
  putManufactureOrder(service.db, service.accountId, inputOf(more));

const service = await sharedService();
await newProducts(service, [{ sku: eastern, distribution_center: "EAST" }, { sku: "MADE-MAIN" }]);
for (let count = 0; count < 22; count += 1) ids.push((await setUp()).manufacture_id);

const idsOf = (body: unknown) => listAt(body, "data").map((order) => at(order, "manufacture_id"));
const totalOf = async () => numberAt((await service.oms.get("/manufacture")).body, "metadata.total_records");

describe("manufacture orders", () => {
  test("show what was set up, and where their product is kept", async () => {
    const input = inputOf({ status: "Processing", quantity: 12, due_date: "2026-03-31" });
    const { manufacture_id, product_id } = await putManufactureOrder(service.db, service.accountId, input);
    ids.push(manufacture_id);

    const answer = await service.oms.get(`/manufacture/${manufacture_id}`);
    const product = await service.oms.get(`/inventory/products/${eastern}`);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: {
        ...input,
        manufacture_id,
        product_id,
        distribution_center: "EAST",
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        updated_at: at(answer.body, "data.created_at"),
      },
    });
    expect(at(product.body, "data.product_id")).toBe(product_id);
  });

  test("are listed newest first, 20 a page, with exact totals in both blocks", async () => {
    const total = ids.length;
    const pages = [await service.oms.get("/manufacture"), await service.oms.get("/manufacture?page=2")];

    expect(pages.flatMap(({ body }) => idsOf(body))).toEqual(ids.toReversed());
    expect(at(pages[0]?.body, "metadata")).toEqual({
      page: 1,
      per_page: 20,
      total_records: total,
      total_pages: 2,
      total_current_page: 20,
    });
    expect(at(pages[1]?.body, "pagination")).toEqual({
      current_page: 2,
      per_page: 20,
      total,
      total_pages: 2,
    });
  });
});

describe("a manufacture order that is set up again", () => {
  test("is overwritten, and keeps its id and creation time", async () => {
    const first = await setUp({ due_date: "2026-03-31" });
    const total = await totalOf();
    const { manufacture_number } = first;

    const again = inputOf({ manufacture_number, sku: "MADE-MAIN", quantity: 9, status: "Completed" });
    await putManufactureOrder(service.db, service.accountId, again);
    const answer = await service.oms.get(`/manufacture/${first.manufacture_id}`);

    expect(at(answer.body, "data")).toMatchObject({
      ...again,
      manufacture_id: first.manufacture_id,
      distribution_center: "MAIN",
      created_at: first.created_at,
    });
    expect(at(answer.body, "data.product_id")).not.toBe(first.product_id);
    expect(String(at(answer.body, "data.updated_at")) > first.updated_at).toBe(true);
    expect(await totalOf()).toBe(total);
  });

  test("by several at once is one order", async () => {
    const manufacture_number = unique("MO");
    const total = await totalOf();

    const stored = await Promise.all([1, 2, 3, 4].map((quantity) => setUp({ manufacture_number, quantity })));

    expect(new Set(stored.map(({ manufacture_id }) => manufacture_id)).size).toBe(1);
    expect(await totalOf()).toBe(total + 1);
  });

  test("under a number that another account has is another order", async () => {
    const sku = unique("OTHERS");
    const { accountId } = await newStore(service);
    await newProduct({ db: service.db, accountId }, { sku });
    const ours = await setUp();
    const { manufacture_number } = ours;

    const theirs = await putManufactureOrder(service.db, accountId, inputOf({ manufacture_number, sku }));
    const answer = await service.oms.get(`/manufacture/${ours.manufacture_id}`);

    expect(theirs.manufacture_id).not.toBe(ours.manufacture_id);
    expect(at(answer.body, "data.sku")).toBe(eastern);
  });
});

test.each(["NO-SUCH", "OTHERS-OWN", "made-east"])(
  "a manufacture order of %s, which is no product of the account, is refused, and nothing is stored",
  async (sku) => {
    const { accountId } = await newStore(service);
    await newProduct({ db: service.db, accountId }, { sku: "OTHERS-OWN" });
    const total = await totalOf();

    await expect(setUp({ sku })).rejects.toThrow(
      `Account ${service.accountId} has no product with the SKU ${sku}`,
    );
    expect(await totalOf()).toBe(total);
  },
);
