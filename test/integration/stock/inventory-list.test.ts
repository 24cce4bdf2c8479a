import { describe, expect, test } from "vitest";
import {
  announceReplenishment,
  countStock,
  newProduct,
  newProducts,
  newStore,
} from "../../support/business/world.ts";
import { atOnce } from "../../support/http/at-once.ts";
import { type Answer, at, listAt, numberAt } from "../../support/http/client.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const path = "/apiv2/pro-v1/inventory-list-1";

const service = await sharedService({ demoData: true });
const owner = { db: service.db, ...(await newStore(service)) };
/** An account of more products than a block of bin contents has, of which few lie in bins. */
const store = service.with(owner.credentials);
const skus = [...(await newProducts(owner, 100)), ...(await newProducts(owner, 20))].map(({ sku }) => sku);
const count = (product: number, contents: Readonly<Record<string, number>>) =>
  countStock(owner, skus[product] ?? "", contents);
// The first product's bins are counted side by side; one of them twice, the second time as empty.
await count(0, { "B1/02": 4, "A1/03": 6, "A2/02": 3, "A2/01": 2, "B1/01": 1 });
await count(0, { "A2/02": 0 });
await count(119, { "A1/01": 8, "A1/02": 9 });
await count(99, { "A1/01": 7 });
/** What lies in its bins, as it is listed. */
const expected = [
  `${skus[0]} A1/03 6`,
  `${skus[0]} A2/01 2`,
  `${skus[0]} A2/02 0`,
  `${skus[0]} B1/01 1`,
  `${skus[0]} B1/02 4`,
  `${skus[99]} A1/01 7`,
  `${skus[119]} A1/01 8`,
  `${skus[119]} A1/02 9`,
];

const list = (body?: unknown): Promise<Answer> => store.post(path, body);

const shown = ({ body }: Answer): readonly string[] =>
  listAt(body, "data").map(
    (entry) => `${at(entry, "SKU")} ${at(entry, "Location")}/${at(entry, "Bin")} ${at(entry, "Quantity")}`,
  );

describe("the inventory list", () => {
  test("names what lies in every bin, by product, location and bin, emptied bins among them", async () => {
    const answer = await list({});

    expect(answer.status).toBe(200);
    expect(shown(answer)).toEqual(expected);
  });

  test("shows the demo's bins as the bin lookup does, with their SKUs", async () => {
    const answer = await service.v2.post("/pro-v1/inventory-list-1", { sku: "DEMO-TEE" });

    const ProductID = numberAt(answer.body, "data.0.ProductID");
    const { body } = await service.wms.get(`/inventory/products/${ProductID}/bin`);
    expect(listAt(answer.body, "data")).toEqual([
      { BinID: 1, Location: "A1", Bin: "01", Quantity: 40, ProductID, SKU: "DEMO-TEE" },
      { BinID: 2, Location: "A1", Bin: "02", Quantity: 20, ProductID, SKU: "DEMO-TEE" },
    ]);
    expect(body).toMatchObject({ bin_list: [{ Quantity: 40 }, { Quantity: 20 }] });
  });

  test.each([1, 2, 3, 4, 5])(
    "has pages that touch across products, with exact totals in both blocks: %i",
    async (page) => {
      const answer = await list({ page, per_page: 3 });

      const part = expected.slice((page - 1) * 3, page * 3);
      expect(shown(answer)).toEqual(part);
      expect(at(answer.body, "metadata")).toEqual({
        page,
        per_page: 3,
        total_records: 8,
        total_pages: 3,
        total_current_page: part.length,
      });
      expect(at(answer.body, "pagination")).toEqual({
        current_page: page,
        per_page: 3,
        total: 8,
        total_pages: 3,
      });
    },
  );

  test.each<[string, object, readonly number[], number]>([
    ["one product's bins", { sku: skus[0] }, [0, 1, 2, 3, 4], 5],
    ["a page of them", { sku: skus[0], page: 2, per_page: 2 }, [2, 3], 5],
    ["no bins of a product that never lay in one", { sku: skus[5] }, [], 0],
    ["no bins of a product that there is not", { sku: "NOTHING" }, [], 0],
  ])("of a SKU shows %s", async (_case, body, entries, total) => {
    const answer = await list(body);

    expect(shown(answer)).toEqual(entries.map((entry) => expected[entry]));
    expect(numberAt(answer.body, "metadata.total_records")).toBe(total);
  });

  test("counts a bin once that is filled twice at once for the first time", async () => {
    const { v2 } = service;
    const before = numberAt((await v2.post("/pro-v1/inventory-list-1")).body, "metadata.total_records");
    const { sku } = await newProduct(service);
    const items = [{ sku, quantity: 2 }];
    const targets = [
      await announceReplenishment(service, items),
      await announceReplenishment(service, items),
    ];

    const moves = await atOnce(
      service,
      targets.map(
        (target) => () =>
          v2.post("/pro-v1/put-away-move", {
            ...target,
            sku,
            quantity: 2,
            location: "B1",
            bin: "03",
          }),
      ),
    );
    const { body } = await v2.post("/pro-v1/inventory-list-1", { per_page: 100 });

    expect(moves.map(({ status }) => status)).toEqual([200, 200]);
    expect(numberAt(body, "metadata.total_records")).toBe(before + 1);
    expect(listAt(body, "data")).toHaveLength(before + 1);
    expect(listAt(body, "data").at(-1)).toMatchObject({ SKU: sku, Location: "B1", Bin: "03", Quantity: 4 });
  });

  test("may be asked for without a body or with blanks, by a read-only key, and at both paths", async () => {
    const readOnly = service.with((await newStore(service, { key_scope: "read" })).credentials);
    const answers = [
      await store.send("POST", path, undefined),
      await store.post("/pro-v1/inventory-list-1", { page: null, per_page: " ", sku: "" }),
      await readOnly.post(path, {}),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.map(({ body }) => numberAt(body, "metadata.total_records"))).toEqual([8, 8, 0]);
  });
});

describe("bad input", () => {
  test.each<[unknown, string]>([
    [{ page: 0 }, "page must be a whole number of at least 1"],
    [{ per_page: 101 }, "per_page must be a whole number from 1 to 100"],
    [{ sku: "x".repeat(101) }, "sku must have at most 100 characters"],
    [[], "body must be an object"],
  ])("%j is refused", async (body, message) => {
    const answer = await list(body);

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.message")).toBe(message);
  });
});
