import { describe, expect, test } from "vitest";
import { putEntries } from "../../../infra/operator/set-up/registry.ts";
import { newOrders, newProduct, newStore } from "../../support/business/world.ts";
import { at, listAt, numberAt } from "../../support/http/client.ts";
import { orderOf, unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

/** Numbers and references of the account's orders, oldest first. Each is an `order_number` of its own. */
const named = [
  ["WEB-1", "PO-2026"],
  ["WEB-10", "PO-2026-01"],
  ["WEB-1/A", "PO-2026-02"],
  ["WEB-1#000000001001", "PO-2026"],
  ["web-1", "PO-2027"],
  ["1001", "PO-2026\u{10ffff}x"],
  ["ÄÖ€-1", "PO-20"],
  ["WEB-2", undefined],
  ["100*", "WEB-1"],
  ["A,B", undefined],
  ["7", undefined],
  ["7,7", undefined],
] as const;
const ids = new Map<string, number>();

const service = await sharedService();
const line = { sku: (await newProduct(service)).sku, quantity: 1 };
const other = { db: service.db, accountId: (await newStore(service)).accountId };
await newProduct(other, { sku: line.sku });
const data = named.map(([order_number, order_reference]) =>
  orderOf([line], { order_number, order_reference }),
);
const { body } = await service.oms.post("/orders", { data });
for (const order of listAt(body, "data"))
  ids.set(String(at(order, "order_number")), numberAt(order, "order_id"));

const search = (query: Readonly<Record<string, string>>) =>
  service.oms.get(`/orders?${new URLSearchParams({ order_direction: "asc", ...query })}`);
const numbersOf = (body: unknown) => listAt(body, "data").map((order) => at(order, "order_number"));

describe("orders are found by", () => {
  test.each<[Readonly<Record<string, string>>, readonly string[]]>([
    [{ order_number: "WEB-1" }, ["WEB-1"]],
    [{ order_number: "WEB-1/A" }, ["WEB-1/A"]],
    [{ order_number: "1001" }, ["1001"]],
    [{ order_number: "WEB" }, []],
    [{ order_number: "WEB-1*" }, ["WEB-1", "WEB-10", "WEB-1/A", "WEB-1#000000001001"]],
    [{ order_number: "ÄÖ€*" }, ["ÄÖ€-1"]],
    [{ order_number: "100*" }, ["1001", "100*"]],
    [{ order_reference: "PO-2026" }, ["WEB-1", "WEB-1#000000001001"]],
    [{ order_reference: "PO-2026*" }, ["WEB-1", "WEB-10", "WEB-1/A", "WEB-1#000000001001", "1001"]],
    [{ order_reference: "PO-2026-*" }, ["WEB-10", "WEB-1/A"]],
    [{ order_reference: "PO-2*", order_number: "WEB-1*", per_page: "2" }, ["WEB-1", "WEB-10"]],
    [{ order_reference: "PO-2026", order_number: "WEB-10" }, []],
    [{ order_number: "WEB-2,WEB-1, NONE,WEB-2" }, ["WEB-1", "WEB-2"]],
    [{ order_number: "WEB-10,100*,ÄÖ€*" }, ["WEB-10", "1001", "ÄÖ€-1", "100*"]],
    [{ order_number: "WEB-2,A\\,B" }, ["WEB-2", "A,B"]],
    [{ order_number: "A,B" }, ["A,B"]],
    [{ order_number: "7,7" }, ["7,7"]],
    [{ order_number: "7," }, ["7"]],
    [{ order_number: "A,WEB-2" }, ["WEB-2"]],
    [{ order_reference: "PO-20,PO-2027,PO-2026-*" }, ["WEB-10", "WEB-1/A", "web-1", "ÄÖ€-1"]],
    [{ order_reference: "PO-2026", order_number: "WEB-1,WEB-2" }, ["WEB-1"]],
  ])("%j", async (query, expected) => {
    const { status, body } = await search(query);

    expect(status).toBe(200);
    expect(numbersOf(body)).toEqual(expected);
  });

  test("several ids, and those of other accounts find nothing", async () => {
    const other = await newStore(service);
    await putEntries(service.db, other.accountId, { shippingMethods: ["GROUND"] });
    await newProduct({ db: service.db, accountId: other.accountId }, { sku: line.sku });
    const { body } = await other.oms.post("/orders", { data: [orderOf([line])] });
    const [first = 0, last = 0] = [ids.get("WEB-1"), ids.get("A,B")];

    const found = await search({
      order_id: `${last},${first},999999999, ${numberAt(body, "data.0.order_id")}`,
    });
    const filtered = await search({ order_id: `${last},${first}`, order_number: "WEB-*", status_id: "1" });

    expect(numbersOf(found.body)).toEqual(["WEB-1", "A,B"]);
    expect(numbersOf(filtered.body)).toEqual(["WEB-1"]);
  });

  test("how their numbers begin, newest first and page by page, with exact totals", async () => {
    const second = await service.oms.get("/orders?order_number=WEB-1*&page=2&per_page=3");

    expect(numbersOf(second.body)).toEqual(["WEB-1"]);
    expect(at(second.body, "metadata")).toEqual({
      page: 2,
      per_page: 3,
      total_records: 4,
      total_pages: 2,
      total_current_page: 1,
    });
  });

  test("a beginning together with statuses and days", async () => {
    const prefix = unique("MIX");
    const [kept = 0, gone = 0] = await newOrders(service, [[line], [line]], { order_reference: prefix });
    await service.oms.post("/orders/cancel", { order_id: gone });
    const today = new Date().toISOString().slice(0, 10);
    const found = async (query: Readonly<Record<string, string>>) => {
      const { body } = await search({ order_reference: `${prefix}*`, ...query });
      return [listAt(body, "data").map((order) => at(order, "order_id")), at(body, "pagination.total")];
    };

    const answers = [
      await found({ status_id: "1" }),
      await found({ status_id: "10, 4", from_date: today }),
      await found({ status_id: "1,10" }),
      await found({ to_date: "2020-01-01" }),
    ];

    expect(answers).toEqual([
      [[kept], 1],
      [[gone], 1],
      [[kept, gone], 2],
      [[], 0],
    ]);
  });
});

test("an order that is given another number and reference is found by these alone", async () => {
  const [before, after] = [unique("OLD"), unique("NEW")];
  const [order_id] = await newOrders(service, [[line]], { order_number: before, order_reference: before });
  const replacement = orderOf([line], { order_id, order_number: after, order_reference: after });
  const answer = await service.oms.put("/orders", { data: [replacement] });

  const found = await Promise.all(
    [before, after].flatMap((text) =>
      ["order_number", "order_reference"].map(async (field) =>
        numberAt((await search({ [field]: `${text}*` })).body, "metadata.total_records"),
      ),
    ),
  );

  expect(answer.status).toBe(200);
  expect(found).toEqual([0, 0, 1, 1]);
});

test("v2 takes the same searches in its body", async () => {
  const { body } = await service.v2.post("/get_orders", {
    order_number: "WEB-1*",
    status_id: "1,4",
    per_page: 1,
  });

  expect(numbersOf(body)).toEqual(["WEB-1#000000001001"]);
  expect(at(body, "pagination.total")).toBe(4);
});
