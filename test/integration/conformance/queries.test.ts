/** Wrong queries of lists and reads. The answer names what is wrong, and what it must be. */
import { expect, test } from "vitest";
import * as z from "zod";
import { documentOf } from "../../../infra/documents/openapi/document.ts";
import { at } from "../../support/http/client.ts";
import { filled } from "../../support/http/credentials.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const [oms, wms] = ["/apirest/v4/oms", "/apirest/v4/wms"];

const service = await sharedService();

/** The lists that take `per_page` in their query, and its maximum. */
const pagedLists = {
  [`${oms}/attributes/{owner_type}/{owner_id}`]: 100,
  [`${oms}/distribution_centers`]: 100,
  [`${oms}/inventory/aliases`]: 100,
  [`${oms}/inventory/holds`]: 100,
  [`${oms}/inventory/products`]: 100,
  [`${oms}/inventory/replenishments`]: 100,
  [`${oms}/inventory/returns`]: 100,
  [`${oms}/inventory/stock`]: 1000,
  [`${oms}/inventory/stock/{sku}/movements`]: 100,
  [`${oms}/inventory/synsets`]: 100,
  [`${oms}/manufacture`]: 100,
  [`${oms}/orders`]: 100,
  [`${oms}/package_types`]: 100,
  [`${oms}/serials`]: 100,
  [`${oms}/shipping_methods`]: 100,
  [`${oms}/stores`]: 100,
  [`${oms}/suppliers`]: 100,
  [`${oms}/webhooks`]: 100,
  [`${wms}/locations`]: 100,
};

const documented = z
  .record(
    z.string(),
    z.record(z.string(), z.object({ parameters: z.array(z.looseObject({ name: z.string() })) })),
  )
  .parse(documentOf("all").paths);

test("exactly these lists are documented with per_page, each with its maximum", () => {
  const paged = Object.entries(documented).flatMap(([path, operations]) =>
    Object.values(operations)
      .flatMap(({ parameters }) => parameters.filter(({ name }) => name === "per_page"))
      .map((perPage) => [path, at(perPage, "schema.maximum")]),
  );

  expect(Object.fromEntries(paged)).toEqual(pagedLists);
});

test.each(Object.entries(pagedLists))("a wrong page of %s is 400", async (path, maximum) => {
  const wrong = {
    "page must be a whole number of at least 1": ["page=0", "page=-1", "page=x", "page=%201"],
    [`per_page must be a whole number from 1 to ${maximum}`]: [0, 1.5, maximum + 1].map(
      (n) => `per_page=${n}`,
    ),
  };
  const [base, caller] = path.startsWith(wms) ? [wms, service.wms] : [oms, service.oms];

  for (const [message, queries] of Object.entries(wrong))
    for (const query of queries) {
      const answer = await caller.get(`${filled(path).slice(base.length)}?${query}`);

      expect([answer.status, at(answer.body, "response.message")]).toEqual([400, message]);
    }
});

const date = "must be a date such as 2026-01-31, or a date-time such as 2026-01-31T09:30:00Z";
const wholeNumber = "must be a whole number of at least 1";
const status = "must be one of 1, 4, 9, 10, or several of them with commas between";
const star = "must have a * at its end only";
const texts = "must be 1 to 100 texts with commas between";
const ids = "must be 1 to 100 ids with commas between";
/** More values than a search takes. */
const tooMany = Array.from({ length: 101 }, (_, n) => n + 1).join();

test.each<[path: string, message: string, ...queries: string[]]>([
  ["orders", `status_id ${status}`, "status_id=2", "status_id=Pending", "status_id=,", "status_id=1,2"],
  ["orders", "from_date must not be after to_date", "from_date=2026-02-02&to_date=2026-02-01"],
  ["orders", `from_date ${date}`, "from_date=2026-02-30", "from_date=2026-13-01", "from_date=2026-2-1"],
  ["orders", `from_date ${date}`, "from_date=01%2F02%2F2026", "from_date=2026-02-30T00:00:00Z"],
  ["orders", `to_date ${date}`, "to_date=yesterday", "to_date=2025-02-29"],
  ["orders", `order_type_id ${wholeNumber}`, "order_type_id=x", "order_type_id=0"],
  ["orders", `warehouse_id ${wholeNumber}`, "warehouse_id=MAIN"],
  [
    "orders",
    "filter_value must go with filter_by",
    "filter_by=store_id",
    "filter_by=store_name&filter_value=",
  ],
  ["orders", "filter_by must go with filter_value", "filter_value=71"],
  ["orders", "filter_by must be one of cart_id, store_id, store_name", "filter_by=sku&filter_value=71"],
  [
    "orders",
    "filter_value must be a whole number for store_id",
    "filter_by=store_id&filter_value=Corner+Shop",
  ],
  ["orders", "filter_value must be a whole number for cart_id", "filter_by=cart_id&filter_value=-1"],
  ["orders", "order_direction must be one of asc, desc", "order_direction=up"],
  ["orders", "order_by must be one of OrderID, OrderDate", "order_by=OrderNumber"],
  ["orders", "order_number must have at least 3 characters before the *", "order_number=WE*"],
  ["orders", "order_reference must have at least 3 characters before the *", "order_reference=*"],
  ["orders", `order_number ${star}`, "order_number=100**", "order_number=*100", "order_number=WEB-1,W*-2"],
  ["orders", `order_number ${texts}`, "order_number=,", `order_number=${tooMany}`],
  ["orders", "order_number must have at most 100 characters", `order_number=${"9".repeat(101)}`],
  ["orders", `order_id ${ids}`, "order_id=,", "order_id=1000,x", "order_id=1000*", `order_id=${tooMany}`],
  ["inventory/products", "order_by must be one of ProductID", "order_by=name"],
  ["inventory/products/1", "identify_by must be one of product_id, sku", "identify_by=SKU-1"],
  ["inventory/products", "sku must have at most 100 characters", `sku=${"x".repeat(101)}`],
  ["inventory/aliases/1", "identify_by must be one of alias_id, alias", "identify_by=id"],
  ["inventory/stock/1/movements", "order_direction must be one of asc, desc", "order_direction=up"],
  ["inventory/replenishments", "status must be one of Pending, Received", "status=Open"],
  ["inventory/replenishments", "reference must have at least 3 characters before the *", "reference=P*"],
  ["inventory/returns", "status must be one of Pending, Received", "status=Open"],
  ["inventory/returns", `order_id ${wholeNumber}`, "order_id=WEB-1"],
])("a wrong query of %s is 400: %s", async (path, message, ...queries) => {
  for (const query of queries) {
    const answer = await service.oms.get(`/${path}?${query}`);

    expect([answer.status, at(answer.body, "response.message")], query).toEqual([400, message]);
  }
});
