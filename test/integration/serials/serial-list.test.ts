import { expect, test } from "vitest";
import { newProduct } from "../../support/business/world.ts";
import { at, listAt } from "../../support/http/client.ts";
import { unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const sku = unique("A/B SERIAL");
/** In the order of the list: by length, then as text. */
const serials = ["1", "9", "A1", "SN10", "SN9X", "sn10", "SN100"];
const service = await sharedService();
await newProduct(service, { sku });
const data = [{ sku, serials: serials.toReversed() }];
await service.oms.post("/serials/bulk", { data });
const attributes = [{ attribute: "color", value: "red" }];
const batch = { sku, serial_start: "SN10", serial_end: "SN9X", attributes };
await service.oms.post("/serials/batch/attributes", { data: [batch] });

const list = async (query: Readonly<Record<string, string>>) => {
  const { status, body } = await service.oms.get(`/serials?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  return { body, found: listAt(body, "data").map((one) => at(one, "serial")) };
};

test("a product's serials are listed by length and text, with their attributes", async () => {
  const { body, found } = await list({ sku });

  expect(found).toEqual(serials);
  expect(at(body, "metadata")).toEqual({
    page: 1,
    per_page: 20,
    total_records: 7,
    total_pages: 1,
    total_current_page: 7,
  });
  expect(at(body, "data.3")).toEqual({
    product_id: expect.any(Number),
    sku,
    serial: "SN10",
    created_at: expect.any(String),
    attributes: [{ attribute: "color", value: "red" }],
  });
  expect(at(body, "data.6.attributes")).toEqual([]);
});

test("pages partition them, with exact totals", async () => {
  const pages = await Promise.all(["1", "2", "3", "4"].map((page) => list({ sku, page, per_page: "3" })));

  expect(pages.map(({ found }) => found)).toEqual([serials.slice(0, 3), serials.slice(3, 6), ["SN100"], []]);
  expect(pages.map(({ body }) => at(body, "pagination.total"))).toEqual([7, 7, 7, 7]);
});

test("a page beyond all that the database counts to is empty, with the exact total", async () => {
  const { body, found } = await list({ sku, page: "999999999999999", per_page: "100" });

  expect([found, at(body, "pagination.total")]).toEqual([[], 7]);
});

test("a SKU that there is not finds none", async () => {
  const { body } = await list({ sku: "NO-SUCH" });

  expect(at(body, "pagination.total")).toBe(0);
});

test("a list of serials needs a SKU", async () => {
  const answer = await service.oms.get("/serials");

  expect([answer.status, at(answer.body, "response.message")]).toEqual([400, "sku is required"]);
});
