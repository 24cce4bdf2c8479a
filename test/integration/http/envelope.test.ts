import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, at, type Client, listAt, numberAt } from "../../support/http/client.ts";
import { customer, orderOf, productOf, unique } from "../../support/records/records.ts";
import type { Service } from "../../support/runtime/service.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { newProducts, newStore } from "../../support/store/world.ts";

let service: Service;
let readOnly: Client;
beforeAll(async () => {
  service = await sharedService({ demoData: true });
  readOnly = (await newStore(service, { key_scope: "read" })).oms;
});

const jsonType = { "content-type": "application/json" };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const failure = (message: unknown) => ({ response: { success: false, message } });

describe("every answer", () => {
  test.each<[string, number, () => Promise<Answer>]>([
    ["a list", 200, () => service.oms.get("/orders")],
    ["a record", 200, () => service.oms.get("/orders/DEMO-1?identify_by=order_number")],
    ["a created record", 200, () => service.oms.post("/inventory/products", { data: [productOf()] })],
    ["a pong of the WMS", 200, () => service.wms.post("/ping")],
    ["a validation failure", 400, () => service.oms.post("/orders", { data: [{}] })],
    ["malformed JSON", 400, () => service.oms.send("POST", "/orders", "{", jsonType)],
    ["a refused recount", 400, () => service.wms.post("/recount", [])],
    ["a refused weight", 400, () => service.wms.post("/orders/UpdateWeight", { data: [] })],
    ["a refused revert", 400, () => service.wms.post("/shipments/revert/pending", { shipments_list: [] })],
    ["missing credentials", 401, () => service.with({}).get("/apirest/v4/oms/orders")],
    ["a read-only key", 403, () => readOnly.post("/orders", { data: [orderOf()] })],
    ["an unknown record", 404, () => service.oms.get("/orders/999999999")],
    ["an unknown path", 404, () => service.with({}).get("/nowhere")],
    ["an unknown correction", 404, () => service.wms.get("/recount/999999999")],
  ])("to %s is JSON and carries a request id", async (_case, status, call) => {
    const answer = await call();

    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("x-request-id")).toMatch(uuid);
  });

  test("has a request id of its own", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => service.oms.post("/ping")));

    expect(new Set(answers.map(({ headers }) => headers.get("x-request-id"))).size).toBe(5);
  });
});

describe("what no endpoint claims is 404 in the envelope", () => {
  test.each([
    ["GET", "/"],
    ["GET", "/apirest/v4/orders"],
    ["GET", "/apirest/v4/oms"],
    ["GET", "/apirest/v4/oms/nothing"],
    ["GET", "/apirest/v4/oms/orders/"],
    ["GET", "/apirest/v4/oms/orders/1/items"],
    ["GET", "/apirest/v4/OMS/orders"],
    ["GET", "/apirest/v4/oms/inventory/products/1/UOM"],
    ["GET", "/apirest/v4/oms/ping"],
    ["DELETE", "/apirest/v4/oms/orders"],
    ["PATCH", "/apirest/v4/oms/orders"],
    ["POST", "/apirest/v4/oms/orders/1"],
    ["PUT", "/apirest/v4/oms/inventory/products"],
    ["POST", "/apirest/v4/oms/inventory/stock"],
    ["DELETE", "/apirest/v4/oms/inventory/products/1"],
    ["GET", "/apirest/v4/wms/recount"],
    ["PUT", "/apirest/v4/wms/recount"],
    ["POST", "/apirest/v4/wms/recount/1"],
    ["GET", "/apirest/v4/wms/orders/UpdateWeight"],
    ["POST", "/apirest/v4/wms/orders/updateweight"],
    ["GET", "/apirest/v4/wms/shipments/revert/pending"],
    ["POST", "/apirest/v4/wms/shipments/revert"],
    ["OPTIONS", "/apirest/v4/oms/orders"],
  ])("%s %s", async (method, path) => {
    const answer = await service.with(service.credentials).send(method, path, undefined);

    expect(answer.status).toBe(404);
    expect(answer.body).toEqual(failure(expect.any(String)));
  });
});

const writes: readonly (readonly ["post" | "put" | "patch", string])[] = [
  ["post", "/orders"],
  ["put", "/orders"],
  ["post", "/orders/cancel"],
  ["post", "/orders/cancel-bulk"],
  ["post", "/orders/sub_status"],
  ["post", "/inventory/products"],
  ["patch", "/inventory/products"],
];

describe("a body that is not JSON is 400", () => {
  test.each(writes)("%s %s: malformed, empty or missing", async (method, path) => {
    const bodies = ["{", "data=1", "", undefined];
    for (const body of bodies) {
      const answer = await service.oms.send(method.toUpperCase(), path, body, jsonType);

      expect(answer.status, String(body)).toBe(400);
      expect(answer.body).toEqual(failure(expect.stringMatching(/JSON/)));
    }
  });
});

test("one record stands in data by itself as well as in a list", async () => {
  const sent = productOf();

  const { status, body } = await service.oms.post("/inventory/products", { data: sent });

  expect(status).toBe(200);
  expect(listAt(body, "data").map((product) => at(product, "sku"))).toEqual([sent.sku]);
});

describe("a dangerous or oversized body is 400", () => {
  const product = JSON.stringify(productOf());

  test.each([
    ["__proto__ in the body", `{"__proto__":{"a":1},"data":[${product}]}`],
    ["__proto__ in a record", `{"data":[{"__proto__":{"sku":"X"},${product.slice(1)}]}`],
    ["an escaped __proto__", `{"data":[{"\\u005f_proto__":{"sku":"X"},${product.slice(1)}]}`],
    ["constructor.prototype", `{"constructor":{"prototype":{"a":1}},"data":[${product}]}`],
  ])("%s", async (_case, body) => {
    const answer = await service.oms.send("POST", "/inventory/products", body, jsonType);

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(failure(expect.stringContaining("forbidden key")));
  });

  test.each<["post" | "put" | "patch", string]>([
    ["post", "/orders"],
    ["post", "/inventory/products"],
    ["patch", "/inventory/products"],
  ])("%s %s: a string of 2 MB", async (method, path) => {
    const text = "x".repeat(2_000_000);

    const answer = await service.oms[method](path, {
      data: [{ ...productOf({ description: text }), ...orderOf(undefined, { order_reference: text }) }],
    });

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(failure("The body must have at most 1048576 bytes"));
  });

  test("a string that is too long for its field, without repeating it", async () => {
    const answer = await service.oms.post("/inventory/products", {
      data: [productOf({ description: "x".repeat(500_000) })],
    });

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.message")).toBe("data.0.description must have at most 2000 characters");
  });

  test("deep nesting", async () => {
    const answer = await service.oms.send(
      "POST",
      "/inventory/products",
      `{"data":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
      jsonType,
    );

    expect(answer.status).toBe(400);
  });
});

describe("validation", () => {
  test("lists every wrong place, and its message names the first", async () => {
    const answer = await service.oms.post("/orders", {
      data: [
        orderOf(),
        {
          ...orderOf([
            { sku: "DEMO-MUG", quantity: 1 },
            { sku: "", quantity: 0 },
          ]),
          shipping_method: 5,
          customer: { ...customer, email: "nobody", country: undefined },
        },
      ],
    });

    const errors = listAt(answer.body, "response.errors");
    expect(answer.status).toBe(400);
    expect(new Set(errors.map((error) => at(error, "path")))).toEqual(
      new Set([
        "data.1.shipping_method",
        "data.1.customer.email",
        "data.1.customer.country",
        "data.1.items.1.sku",
        "data.1.items.1.quantity",
      ]),
    );
    expect(errors).toContainEqual({ path: "data.1.customer.country", message: "is required" });
    expect(at(answer.body, "response.message")).toBe(`${at(errors[0], "path")} ${at(errors[0], "message")}`);
    expect(answer.body).toEqual({
      response: { success: false, message: expect.any(String), errors: expect.any(Array) },
    });
  });

  test("lists every reference that names nothing", async () => {
    const answer = await service.oms.post("/orders", {
      data: [
        orderOf([{ sku: "NO-SUCH", quantity: 1 }], { shipping_method: "NOPE" }),
        orderOf(undefined, { cart: { store_name: "No Such Store", id: 99 } }),
      ],
    });

    expect(answer.status).toBe(400);
    expect(listAt(answer.body, "response.errors").map((error) => at(error, "path"))).toEqual([
      "data.0.shipping_method",
      "data.0.items.0.sku",
      "data.1.cart.store_name",
      "data.1.cart.id",
    ]);
  });

  const warnedOf = ({ body }: Answer) => listAt(body, "warnings").map((warning) => at(warning, "path"));

  test("leaves out unknown fields with a warning, and what only answers show without one", async () => {
    const sent = productOf({ product_id: 1, account_id: 101, version: 99, colour: "red" });

    const answer = await service.oms.post("/inventory/products", { data: [sent], extra: 1 });

    expect(answer.status).toBe(200);
    expect(at(answer.body, "data.0.product_id")).not.toBe(1);
    expect(warnedOf(answer)).toEqual(["data.0.account_id", "data.0.colour", "extra"]);
    expect(at(answer.body, "data.0.version")).toBe(1);
    for (const name of ["colour", "account_id"]) {
      expect(at(answer.body, `data.0.${name}`)).toBeUndefined();
    }
  });

  test("leaves out unknown fields of nested records", async () => {
    const answer = await service.oms.post("/orders", {
      data: [
        orderOf([{ sku: "DEMO-MUG", quantity: 1, ...{ product_id: 1 } }], {
          customer: { ...customer, vip: true },
          status: "Shipped",
          status_id: 9,
        }),
      ],
    });

    expect(answer.status).toBe(200);
    expect(at(answer.body, "data.0.status")).toBe("Pending");
    expect(at(answer.body, "data.0.customer.vip")).toBeUndefined();
    expect(warnedOf(answer)).toEqual(["data.0.customer.vip"]);
  });

  test.each<[string, () => Promise<Answer>]>([
    [
      "quantity",
      () =>
        service.oms.post("/orders", {
          data: [{ ...orderOf(), items: [{ sku: "DEMO-MUG", quantity: "12" }] }],
        }),
    ],
    ["order_id", () => service.oms.post("/orders/cancel", { order_id: "12" })],
    ["order_ids", () => service.oms.post("/orders/cancel-bulk", { order_ids: ["12"] })],
    ["width", () => service.oms.post("/inventory/products", { data: [productOf({ width: "12" })] })],
    ["case_qty", () => service.oms.post("/inventory/products", { data: [productOf({ case_qty: "12" })] })],
  ])('takes "12" for no number: %s', async (_field, call) => {
    const answer = await call();

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.message")).toMatch(/must be a (whole )?number$/);
  });

  test("keeps text as it was sent: neither trimmed nor normalized", async () => {
    const description = "  Häuser & <b>Bäume</b> 🌳 \n 'x' \"y\" 日本語 ";
    const sku = unique("SKÜ 日本");

    const created = await service.oms.post("/inventory/products", {
      data: [productOf({ sku, description })],
    });
    const read = await service.oms.get(`/inventory/products/${encodeURIComponent(sku)}`);

    expect(created.status).toBe(200);
    expect(at(read.body, "data.sku")).toBe(sku);
    expect(at(read.body, "data.description")).toBe(description);
  });
});

describe("lists", () => {
  test("serve both descriptions of the pagination block, with exact totals", async () => {
    const { accountId, oms } = await newStore(service);
    await newProducts({ db: service.db, accountId }, 3);

    const first = await oms.get("/inventory/products?per_page=2");
    const second = await oms.get("/inventory/products?per_page=2&page=2");

    expect(listAt(first.body, "data")).toHaveLength(2);
    expect(at(first.body, "metadata")).toEqual({
      page: 1,
      per_page: 2,
      total_records: 3,
      total_pages: 2,
      total_current_page: 2,
    });
    expect(at(first.body, "pagination")).toEqual({ current_page: 1, per_page: 2, total: 3, total_pages: 2 });
    expect(listAt(second.body, "data")).toHaveLength(1);
    expect(at(second.body, "metadata")).toEqual({
      page: 2,
      per_page: 2,
      total_records: 3,
      total_pages: 2,
      total_current_page: 1,
    });
    expect(at(second.body, "pagination")).toEqual({ current_page: 2, per_page: 2, total: 3, total_pages: 2 });
  });

  test.each([
    ["/orders", 20],
    ["/inventory/products", 20],
    ["/inventory/stock", 1000],
  ])("%s of a store without records has no page, and the defaults", async (path, per_page) => {
    const { oms } = await newStore(service);

    const answer = await oms.get(path);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: [],
      metadata: { page: 1, per_page, total_records: 0, total_pages: 0, total_current_page: 0 },
      pagination: { current_page: 1, per_page, total: 0, total_pages: 0 },
    });
  });

  test.each(["/orders", "/inventory/products", "/inventory/stock"])(
    "%s: a page past the end is empty, with the totals",
    async (path) => {
      const all = await service.oms.get(path);
      const total = numberAt(all.body, "metadata.total_records");

      for (const page of ["1000", "999999999999999"]) {
        const answer = await service.oms.get(`${path}?page=${page}&per_page=1`);

        expect(answer.status).toBe(200);
        expect(at(answer.body, "data")).toEqual([]);
        expect(at(answer.body, "metadata")).toEqual({
          page: Number(page),
          per_page: 1,
          total_records: total,
          total_pages: total,
          total_current_page: 0,
        });
      }
    },
  );

  const wrongPages = ["0", "abc", "%201"];
  test.each(["/orders", "/inventory/products", "/inventory/stock"])(
    "%s: a page or per_page that is no positive integer, or above the maximum, is 400",
    async (path) => {
      const most = path.endsWith("stock") ? 1000 : 100;
      const queries = [
        ...wrongPages.flatMap((value) => [`page=${value}`, `per_page=${value}`]),
        `per_page=${most + 1}`,
        "page=1&page=2",
      ];
      for (const query of queries) {
        const answer = await service.oms.get(`${path}?${query}`);

        expect(answer.status, query).toBe(400);
        expect(at(answer.body, "response.errors.0.path"), query).toBe(query.split("=")[0]);
      }
      const largest = await service.oms.get(`${path}?per_page=${most}`);
      expect(largest.status).toBe(200);
    },
  );

  test.each(["/orders", "/inventory/products"])(
    "%s: order_by is taken in any case; another one, or another order_direction, is 400 and names the accepted",
    async (path) => {
      const accepted = path === "/orders" ? "OrderID, OrderDate" : "ProductID";

      const by = await service.oms.get(`${path}?order_by=name`);
      const cased = await service.oms.get(`${path}?order_by=${accepted.split(",")[0]?.toLowerCase()}`);
      const direction = await service.oms.get(`${path}?order_direction=up`);

      expect([by.status, cased.status, direction.status]).toEqual([400, 200, 400]);
      expect(at(by.body, "response.message")).toBe(`order_by must be one of ${accepted}`);
      expect(at(direction.body, "response.message")).toBe("order_direction must be one of asc, desc");
    },
  );
});
