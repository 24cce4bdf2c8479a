import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { newStore } from "../../support/business/world.ts";
import { type Answer, at, listAt, numberAt, requestId } from "../../support/http/client.ts";
import { orderOf, productOf, unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService({ demoData: true });
const readOnly = (await newStore(service, { key_scope: "read" })).oms;

const jsonType = { "content-type": "application/json" };

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
    expect(answer.headers.get("x-request-id")).toMatch(requestId);
  });

  test("has a request id of its own", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => service.oms.post("/ping")));

    expect(new Set(answers.map(({ headers }) => headers.get("x-request-id"))).size).toBe(5);
  });
});

const oms = "/apirest/v4/oms";
const wms = "/apirest/v4/wms";

const anyone = (method: string, path: string, headers = {}) =>
  service.with({}).send(method, path, undefined, headers);

describe("a path that is not served is 404 in the envelope, and names the path that was meant:", () => {
  test.each([
    ["GET", "/", undefined],
    ["GET", `${oms}/orders/`, `${oms}/orders`],
    ["OPTIONS", `${oms}/orders/`, `${oms}/orders`],
    ["GET", `${oms}/orders/1/items`, `${oms}/orders/1`],
    ["GET", "/apirest/v4/OMS/orders", `${oms}/orders`],
    ["POST", `${wms}/shipments/revert`, `${wms}/shipments/revert/pending`],
  ])("%s %s", async (method, path, meant) => {
    const answer = await anyone(method, path);

    const advice =
      meant === undefined ? "the documentation is at /apirest/v4/oms/docs" : `did you mean ${meant}?`;
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual(failure(`There is no ${method} ${path}; ${advice}`));
  });
});

describe("a served path with another method is 405 in the envelope, with the methods that it takes:", () => {
  test.each([
    ["GET", `${oms}/ping`, "POST, OPTIONS"],
    ["DELETE", `${oms}/orders`, "GET, HEAD, POST, PUT, OPTIONS"],
    ["PUT", `${oms}/inventory/products`, "GET, HEAD, POST, PATCH, OPTIONS"],
    ["HEAD", `${wms}/recount`, "POST, OPTIONS"],
    ["POST", "/health", "GET, HEAD, OPTIONS"],
  ])("%s %s", async (method, path, allow) => {
    const answer = await anyone(method, path);

    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe(allow);
    if (method !== "HEAD")
      expect(answer.body).toEqual(failure(expect.stringContaining(`does not take ${method}`)));
  });
});

describe("other methods", () => {
  test("OPTIONS is 204 with the methods of the path, to callers without credentials, and has no CORS headers", async () => {
    const preflight = { origin: "https://shop.example.com", "access-control-request-method": "GET" };

    const answer = await anyone("OPTIONS", `${oms}/orders/1`, preflight);

    expect(answer.status).toBe(204);
    expect(answer.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test.each([
    ["a record", 200, "/orders/DEMO-1?identify_by=order_number"],
    ["a list", 200, "/orders"],
    ["an unknown record", 404, "/orders/999999999"],
    ["a wrong query", 400, "/orders?page=0"],
  ])("HEAD answers as GET without a body: %s", async (_case, status, path) => {
    const [got, head] = [await service.oms.get(path), await service.oms.send("HEAD", path, undefined)];

    /** Those that differ with each call or connection. */
    const others = /^(x-request-id|apigw-requestid|date|connection|keep-alive)$/;
    const headersOf = ({ headers }: Answer) => [...headers].filter(([name]) => !others.test(name));
    expect([got.status, head.status]).toEqual([status, status]);
    expect(head.body).toBeUndefined();
    expect(headersOf(head)).toEqual(headersOf(got));
  });
});

test("the health is open to callers without credentials", async () => {
  const answer = await anyone("GET", "/health");

  expect([answer.status, answer.body]).toEqual([200, { status: "ok" }]);
});

const forms: readonly (readonly [string, (record: object) => unknown])[] = [
  ["a record", (record) => record],
  ["a list", (record) => [record]],
  ["a record as data", (record) => ({ data: record })],
  ["a list as data", (record) => ({ data: [record] })],
];

describe.each(forms)("%s as the body", (_form, bodyOf) => {
  const colour = "is not a field of this call and was ignored";

  test("creates and changes records, with the same warnings as the others", async () => {
    const sent = productOf();

    const created = await service.oms.post("/inventory/products", bodyOf({ ...sent, colour: "red" }));
    const changed = await service.oms.patch("/inventory/products", bodyOf({ sku: sent.sku, colour: "red" }));

    for (const { status, body } of [created, changed]) {
      expect(status).toBe(200);
      expect(listAt(body, "data").map((product) => at(product, "sku"))).toEqual([sent.sku]);
      expect(at(body, "warnings")).toEqual([{ path: "data.0.colour", message: colour }]);
    }
  });

  test("creates and changes a webhook, with the same warnings as the others", async () => {
    const url = "https://hooks.example.com/a";

    const created = await service.oms.post("/webhooks", bodyOf({ url, colour: "red" }));
    const path = `/webhooks/${numberAt(created.body, "data.webhook_id")}`;
    const changed = await service.oms.patch(path, bodyOf({ active: false, colour: "red" }));
    await service.oms.send("DELETE", path, undefined);

    for (const { status, body } of [created, changed]) {
      expect([status, at(body, "data.url")]).toEqual([200, url]);
      expect(at(body, "warnings")).toEqual([{ path: "data.colour", message: colour }]);
    }
  });

  test.each([
    ["cancel", "data.status", "colour"],
    ["cancel-bulk", "data.0.status", "data.0.colour"],
  ])("cancels an order by its record: %s", async (call, status, warned) => {
    const placed = await service.oms.post("/orders", orderOf());
    const { data } = Object(
      await service.oms.get(`/orders/${numberAt(placed.body, "data.0.order_id")}`),
    ).body;

    const answer = await service.oms.post(`/orders/${call}`, bodyOf({ ...data, colour: "red" }));

    expect([answer.status, at(answer.body, status)]).toEqual([200, "Cancelled"]);
    expect(listAt(answer.body, "warnings").map((warning) => at(warning, "path"))).toEqual([warned]);
  });
});

test("a call about one record refuses several, and says how many there are", async () => {
  const answer = await service.oms.post("/orders/cancel", [{ order_id: 1 }, { order_id: 2 }]);

  expect(answer.status).toBe(400);
  expect(answer.body).toEqual(failure("The call is about one record, and the body holds 2"));
});

test("a record in a wrapper of another name is not taken for a record", async () => {
  const answer = await service.oms.post("/orders", { orders: [orderOf()] });

  expect(answer.status).toBe(400);
  expect(at(answer.body, "response.message")).toBe("data is required");
});

describe("a read-only field of a PUT or PATCH", () => {
  test("is ignored if it matches the record, and raises a warning if it differs", async () => {
    const placed = await service.oms.post("/orders", orderOf());
    const path = `/orders/${numberAt(placed.body, "data.0.order_id")}`;
    const order: object = Object(at((await service.oms.get(path)).body, "data"));
    const other = { status: "Cancelled", weight: 5, order_reference: "R-1", created_at: null };

    const same = await service.oms.put("/orders", { ...order, order_reference: "R-0" });
    const { version: _, ...unversioned } = Object(order);
    const answer = await service.oms.put("/orders", { data: [{ ...unversioned, ...other }] });

    expect([same.status, at(same.body, "warnings")]).toEqual([200, undefined]);
    expect([answer.status, at(answer.body, "data.0.status")]).toEqual([200, "Pending"]);
    expect(at(answer.body, "data.0.order_reference")).toBe("R-1");
    expect(at(answer.body, "warnings")).toEqual([
      {
        path: "data.0.status",
        message: 'is read-only and stays "Pending"; POST /apirest/v4/oms/orders/cancel cancels the order',
      },
      {
        path: "data.0.weight",
        message: "is read-only and stays null; POST /apirest/v4/wms/orders/UpdateWeight sets it",
      },
    ]);
  });

  test("is silent in a POST, with the history", async () => {
    const placed = await service.oms.post("/orders", orderOf());
    const path = `/orders/${numberAt(placed.body, "data.0.order_id")}`;
    const order: object = Object(at((await service.oms.get(path)).body, "data"));

    const again = await service.oms.post("/orders", { ...order, order_number: unique("ORDER") });

    expect([again.status, at(again.body, "warnings")]).toEqual([200, undefined]);
  });
});

test("a packed body is stored as one that is not, and a wrong form of packing is 415", async () => {
  const sent = productOf();
  const send = (encoding: string, body: Buffer<ArrayBuffer>) =>
    service.oms.send("POST", "/inventory/products", body, { "content-encoding": encoding, ...jsonType });

  const stored = await send("gzip", gzipSync(JSON.stringify({ data: [sent] })));
  const other = await send("br", brotliCompressSync(JSON.stringify({ data: [sent] })));

  expect([stored.status, at(stored.body, "data.0.sku")]).toEqual([200, sent.sku]);
  expect([other.status, other.body]).toEqual([
    415,
    failure("The Content-Encoding must be gzip, or left out"),
  ]);
});

describe("a dangerous body is 400", () => {
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
