import { describe, expect, test } from "vitest";
import { newProduct, newStore } from "../../support/business/world.ts";
import { type Answer, at, listAt, numberAt } from "../../support/http/client.ts";
import { messages, rejection } from "../../support/http/credentials.ts";
import { orderOf, unique } from "../../support/records/records.ts";
import type { Store } from "../../support/runtime/service.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService({ demoData: true });
const v2 = service.v2;
/** Other accounts, of which one may only read. */
const stranger = await newStore(service);
const readOnly = await newStore(service, { key_scope: "read" });

const keyRefused = rejection(messages.key);
const missingKey = rejection(messages.key, {
  path: "Authorization",
  message: "is missing; send the key of the account in it, as it is",
});
const keyBehindScheme = rejection(messages.key, {
  path: "Authorization",
  message: "must be the key alone, without Bearer or Basic before it",
});

type Headers = Readonly<Record<string, string>>;

const ping = (headers: Headers): Promise<Answer> => service.with(headers).post("/apiv2/ping");

describe("v2 credentials", () => {
  /** What a call is made with: of the number and the key that are the account's. */
  type HeadersOf = (AccountID: string, right: string) => Headers;
  const ownHeaders = (headersOf: HeadersOf, { accountId, credentials }: Store = service): Headers =>
    headersOf(String(accountId), String(credentials["Key"]));

  test.each<[string, HeadersOf]>([
    ["in Authorization", (AccountID, right) => ({ AccountID, Authorization: right })],
    ["in Key", (AccountID, right) => ({ AccountID, Key: right })],
    ["in both", (AccountID, right) => ({ AccountID, Authorization: right, Key: right })],
    [
      "in Authorization, which wins over Key",
      (AccountID, right) => ({ AccountID, Authorization: right, Key: "wrong" }),
    ],
    [
      "in Key beside an empty Authorization",
      (AccountID, right) => ({ AccountID, Authorization: "", Key: right }),
    ],
    ["in headers in small letters", (AccountID, right) => ({ accountid: AccountID, authorization: right })],
  ])("the key may be %s", async (_case, headersOf) => {
    const answer = await ping(ownHeaders(headersOf));

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: { status: "success", result: "pong" } });
  });

  test.each<[string, HeadersOf, object]>([
    ["no key", (AccountID) => ({ AccountID }), missingKey],
    ["two empty keys", (AccountID) => ({ AccountID, Authorization: "", Key: "" }), missingKey],
    ["a wrong Authorization", (AccountID) => ({ AccountID, Authorization: "wrong" }), keyRefused],
    [
      "a wrong Authorization beside the right Key",
      (AccountID, right) => ({ AccountID, Authorization: "wrong", Key: right }),
      keyRefused,
    ],
    [
      "Bearer before the key",
      (AccountID, right) => ({ AccountID, Authorization: `Bearer ${right}` }),
      keyBehindScheme,
    ],
  ])("%s is 401 with the interface's text", async (_case, headersOf, body) => {
    const answer = await ping(ownHeaders(headersOf));

    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(body);
  });
});

describe("a read-only key", () => {
  test.each(["ping", "get_orders", "get_products", "get_stock"])("may %s", async (name) => {
    const answer = await readOnly.v2.post(`/${name}`, {});

    expect(answer.status).toBe(200);
  });

  test.each([
    ["add_orders", { data: [orderOf()] }],
    ["cancel_order", { order_id: 1 }],
    ["add_orders", {}],
    ["cancel_order", {}],
  ])("may not %s, whatever is sent: 403 with the Key message", async (name, body) => {
    const answer = await readOnly.v2.post(`/${name}`, body);

    expect(answer.status).toBe(403);
    expect(answer.body).toEqual(rejection(messages.key, messages.readOnly));
  });
});

const lists = [
  ["get_orders", "/orders"],
  ["get_products", "/inventory/products"],
  ["get_stock", "/inventory/stock"],
] as const;

describe("a list", () => {
  const asQuery = (body: Readonly<Record<string, string | number>>): string =>
    Object.entries(body)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join("&");

  test.each<[string, string, Readonly<Record<string, string | number>>, number]>([
    ["get_orders", "/orders", {}, 3],
    ["get_orders", "/orders", { page: 2, per_page: 2 }, 1],
    ["get_orders", "/orders", { page: "2", per_page: "2", order_direction: "asc" }, 1],
    ["get_orders", "/orders", { status_id: 1 }, 1],
    ["get_orders", "/orders", { status_id: "9", order_by: "OrderDate" }, 1],
    [
      "get_orders",
      "/orders",
      { filter_by: "store_id", filter_value: 1, warehouse_id: 1, order_type_id: 1 },
      3,
    ],
    ["get_orders", "/orders", { filter_by: "store_name", filter_value: "Demo Web Store" }, 3],
    ["get_orders", "/orders", { from_date: "2020-01-01", to_date: "2020-12-31" }, 0],
    ["get_orders", "/orders", { page: 99 }, 0],
    ["get_products", "/inventory/products", {}, 3],
    ["get_products", "/inventory/products", { per_page: 1, page: 3, order_direction: "asc" }, 1],
    ["get_stock", "/inventory/stock", { sku: "", page: " " }, 3],
    ["get_stock", "/inventory/stock", { sku: " DEMO-MUG " }, 1],
    ["get_stock", "/inventory/stock", { distribution_center: "EAST" }, 0],
    ["get_stock", "/inventory/stock", { per_page: 2, page: "2" }, 1],
  ])("%s answers as v4's %s for %j", async (name, path, body, count) => {
    const [legacy, current] = [
      await v2.post(`/${name}`, body),
      await service.oms.get(`${path}?${asQuery(body)}`),
    ];

    expect(legacy.status).toBe(200);
    expect(legacy.body).toEqual(current.body);
    expect(listAt(legacy.body, "data")).toHaveLength(count);
  });

  test.each(lists)("%s uses its defaults without a body", async (name) => {
    const [none, empty, form] = [
      await v2.send("POST", `/${name}`, undefined),
      await v2.send("POST", `/${name}`, " ", { "content-type": "application/json" }),
      await v2.send("POST", `/${name}`, "", { "content-type": "application/x-www-form-urlencoded" }),
    ];
    const { body } = await v2.post(`/${name}`, {});

    for (const answer of [none, empty, form]) {
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual(body);
    }
  });

  test.each<[string, unknown, string]>([
    ["get_orders", { page: 0 }, "page must be a whole number of at least 1"],
    ["get_orders", { per_page: 101 }, "per_page must be a whole number from 1 to 100"],
    [
      "get_orders",
      { from_date: 20200101 },
      "from_date must be a date such as 2026-01-31, or a date-time such as 2026-01-31T09:30:00Z",
    ],
    [
      "get_orders",
      { filter_by: "store_name", filter_value: "Shop\ud800" },
      "filter_value must be well-formed text",
    ],
    ["get_stock", { distribution_center: "\udc00" }, "distribution_center must be well-formed text"],
    ["get_stock", { per_page: 1001 }, "per_page must be a whole number from 1 to 1000"],
    [
      "get_stock",
      { sku: "x".repeat(101) },
      "sku must be 1 to 100 names of at most 100 characters with commas between",
    ],
    ...lists.map(([name]): [string, unknown, string] => [name, [], "body must be an object"]),
  ])("%s refuses %j", async (name, body, message) => {
    const answer = await v2.post(`/${name}`, body);

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.message")).toBe(message);
  });

  test.each(lists)("%s refuses a body that is not JSON", async (name) => {
    const [malformed, form] = [
      await v2.send("POST", `/${name}`, "{", { "content-type": "application/json" }),
      await v2.send("POST", `/${name}`, "page=1", { "content-type": "application/x-www-form-urlencoded" }),
    ];

    expect([malformed.status, form.status]).toEqual([400, 400]);
    expect(malformed.body).toEqual(rejection("The body is not valid JSON"));
    expect(form.body).toEqual(
      rejection("The body must be JSON; it is a form (application/x-www-form-urlencoded)"),
    );
  });
});

describe("an order", () => {
  const availableOf = async (sku: string): Promise<number> =>
    numberAt((await v2.post("/get_stock", { sku })).body, "data.0.available");

  test("is added, reserves stock, is found by v4, and releases its stock when it is cancelled", async () => {
    const { sku } = await newProduct(service);
    const order = orderOf([{ sku, quantity: 3 }]);

    const added = await v2.post("/add_orders", { data: [order] });
    const order_id = numberAt(added.body, "data.0.order_id");
    const reserved = await availableOf(sku);
    const found = await service.oms.get(`/orders/${order_id}`);
    const cancelled = await v2.post("/cancel_order", { order_id });
    const again = await v2.post("/cancel_order", { order_id });

    expect([added.status, cancelled.status, again.status]).toEqual([200, 200, 200]);
    expect(found.body).toMatchObject({ data: at(added.body, "data.0") });
    expect(reserved).toBe(-3);
    expect(at(cancelled.body, "data.status")).toBe("Cancelled");
    expect(again.body).toEqual(cancelled.body);
    expect(await availableOf(sku)).toBe(0);
  });

  test("is added once for an Idempotency-Key, which v4 does not share", async () => {
    const headers = { "Idempotency-Key": unique("key") };
    const body = { data: [orderOf()] };

    const first = await v2.post("/add_orders", body, headers);
    const again = await v2.post("/add_orders", body, headers);
    const current = await service.oms.post("/orders", body, headers);

    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(at(current.body, "response.message")).toMatch(/^data\.0\.order_number /);
  });

  test.each<[string, unknown, string]>([
    ["add_orders", {}, "data is required"],
    ["add_orders", { data: [orderOf([{ sku: "NOPE", quantity: 1 }])] }, "data.0.items.0.sku"],
    ["add_orders", { data: [orderOf(undefined, { shipping_method: "NOPE" })] }, "data.0.shipping_method"],
    ["cancel_order", {}, "order_id is required"],
    ["cancel_order", { order_id: 999_999_999 }, "There is no order with order_id 999999999"],
  ])("%s refuses %j as v4 does", async (name, body, message) => {
    const path = name === "add_orders" ? "/orders" : "/orders/cancel";

    const [legacy, current] = [await v2.post(`/${name}`, body), await service.oms.post(path, body)];

    expect(legacy.status).toBe(current.status);
    expect(at(legacy.body, "response.message")).toContain(message);
    expect(legacy.body).toEqual(current.body);
  });
});

describe("another account", () => {
  test("sees nothing of the first account and cancels none of its orders", async () => {
    const pending = await v2.post("/get_orders", { status_id: 1 });
    const order_id = numberAt(pending.body, "data.0.order_id");

    const seen = await Promise.all([
      ...lists.map(([name]) => stranger.v2.post(`/${name}`, {})),
      stranger.v2.post("/get_stock", { sku: "DEMO-MUG" }),
      stranger.v2.post("/get_orders", { filter_by: "store_name", filter_value: "Demo Web Store" }),
    ]);
    const ordered = await stranger.v2.post("/add_orders", { data: [orderOf()] });
    const cancelled = await stranger.v2.post("/cancel_order", { order_id });
    const after = await service.oms.get(`/orders/${order_id}`);

    for (const { status, body } of seen) {
      expect(status).toBe(200);
      expect(at(body, "data")).toEqual([]);
      expect(at(body, "metadata.total_records")).toBe(0);
    }
    expect([ordered.status, cancelled.status]).toEqual([400, 404]);
    expect(at(after.body, "data.status")).toBe("Pending");
  });
});
