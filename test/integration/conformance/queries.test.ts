/** Wrong queries of lists and reads, and ids of nothing: answers say what is wrong, and what it must be. */
import { expect, test } from "vitest";
import * as z from "zod";
import { documentOf } from "../../../infra/documents/openapi/document.ts";
import { type Answer, at } from "../../support/http/client.ts";
import { filled } from "../../support/http/credentials.ts";
import { expectRefusal } from "../../support/http/refused.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const [oms, wms] = ["/apirest/v4/oms", "/apirest/v4/wms"];

const service = await sharedService({ demoData: true });

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

const get = (path: string): Promise<Answer> => {
  const [base, caller] = path.startsWith(wms) ? [wms, service.wms] : [oms, service.oms];
  return caller.get(path.slice(base.length));
};

/** Asserts that a query was refused for what the message says of a parameter. */
function expectSaid(answer: Answer, message: string): void {
  const [parameter = ""] = message.split(" ", 1);
  expectRefusal(answer, parameter, message.slice(parameter.length + 1));
}

test.each(Object.entries(pagedLists))("a wrong page of %s is 400", async (path, maximum) => {
  const wrong = {
    "page must be a whole number of at least 1": ["page=0", "page=-1", "page=x", "page=%201"],
    [`per_page must be a whole number from 1 to ${maximum}`]: [0, 1.5, maximum + 1].map(
      (n) => `per_page=${n}`,
    ),
  };

  // The list of serials is of a SKU.
  const of = path.endsWith("/serials") ? "sku=X&" : "";
  for (const [message, queries] of Object.entries(wrong))
    for (const query of queries) expectSaid(await get(`${filled(path)}?${of}${query}`), message);
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
  [
    "orders",
    `to_date ${date}`,
    ...["to_date=yesterday", "to_date=2025-02-29", "to_date=9999-12-31T23:00:00-05:00"],
  ],
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
  ["inventory/products", "sku must have at least 3 characters before the *", "sku=LA*"],
  ["inventory/products", "sku must have a * at its end only", "sku=L*MP"],
  ["inventory/stock", "sku must have at least 3 characters before the *", "sku=LA*"],
  ["inventory/stock", "sku must have a * at its end only", "sku=L*MP"],
  [
    "inventory/stock",
    "sku must be 1 to 100 names of at most 100 characters with commas between",
    ...["sku=,", `sku=${"x".repeat(101)}`, `sku=${tooMany}`],
  ],
  [
    "inventory/stock",
    "as_of must be less than two years ago: earlier movements need not be kept",
    "as_of=2001-01-01T00:00:00Z&sku=DEMO-TEE",
  ],
  [
    "inventory/stock",
    "as_of must be an ISO 8601 date-time, such as 2026-11-01T00:00:00Z",
    "as_of=2026-11-01&sku=DEMO-TEE",
  ],
  [
    "inventory/stock",
    "as_of must be before the year 10000 in UTC",
    "as_of=9999-12-31T23:00:00-05:00&sku=DEMO-TEE",
  ],
  ["inventory/aliases/1", "identify_by must be one of alias_id, alias", "identify_by=id"],
  ...["inventory/aliases", "inventory/aliases/TEXT"].flatMap((path): [string, string, string][] => [
    [path, `channel_id ${wholeNumber}`, "channel_id=0"],
    [path, "channel_id must be a whole number of at most 15 digits", `channel_id=${"9".repeat(16)}`],
  ]),
  [
    "inventory/aliases",
    "distribution_center must have at most 255 characters",
    `distribution_center=${"x".repeat(256)}`,
  ],
  ["inventory/stock/1/movements", "order_direction must be one of asc, desc", "order_direction=up"],
  ["inventory/replenishments", "status must be one of Pending, Received", "status=Open"],
  ["inventory/replenishments", "reference must have at least 3 characters before the *", "reference=P*"],
  ["inventory/returns", "status must be one of Pending, Received", "status=Open"],
  ["inventory/returns", `order_id ${wholeNumber}`, "order_id=WEB-1"],
])("a wrong query of %s is 400: %s", async (path, message, ...queries) => {
  for (const query of queries) expectSaid(await service.oms.get(`/${path}?${query}`), message);
});

/** What is not there, where `ID` stands for each of the ids. */
test.each<[path: string, missing: string, ...ids: string[]]>([
  [
    `${oms}/distribution_centers/ID`,
    "distribution center with distribution_center_id ID",
    ...["26", "01", "MAIN", "9".repeat(200)],
  ],
  [`${oms}/manufacture/ID`, "manufacture order with manufacture_id ID", "999999999", "01", "MO-1"],
  [`${oms}/inventory/products/ID/uom`, "product with product_id ID", "999999999", "DEMO-TEE"],
  [
    `${oms}/inventory/stock/ID/movements`,
    "product with the SKU ID",
    ...["NO-SUCH", "demo-tee", "1000", "x".repeat(200)],
  ],
  [
    `${oms}/inventory/aliases/NO-SUCH?channel_id=ID`,
    "alias with the id or text NO-SUCH in channel ID",
    ...["2", "999999999999999"],
  ],
  [`${wms}/inventory/products/ID/bin`, "product with product_id ID", "999999999", "1.5", "DEMO-TEE"],
  [`${wms}/jobs/ID`, "job with job_id ID", "999999999", "0", "-1", "1.5", "abc"],
  [
    `${wms}/recount/ID`,
    "correction with correction_id ID",
    ...["999999999", "0", "-1", "1.5", "abc", "9".repeat(60)],
  ],
])("%s is 404 if there is no %s", async (path, missing, ...ids) => {
  for (const id of ids) {
    const { status, body } = await get(path.replace("ID", id));

    const message = `There is no ${missing.replace("ID", id)}`;
    expect({ status, body }).toEqual({ status: 404, body: { response: { success: false, message } } });
  }
});
