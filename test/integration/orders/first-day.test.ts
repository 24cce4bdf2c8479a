/** What ordinary clients send by default, and what they are told (docs/decisions.md, Every answer). */
import { describe, expect, test } from "vitest";
import { at, listAt } from "../../support/http/client.ts";
import { orderOf, productOf, unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService({ demoData: true });

const messageOf = (body: unknown) => at(body, "response.message");

describe("a body that is JSON", () => {
  test.each([
    ["curl -d", "application/x-www-form-urlencoded"],
    ["fetch", "text/plain;charset=UTF-8"],
  ])("is taken with the type that %s gives it by default", async (_client, type) => {
    const body = JSON.stringify({ data: [productOf()] });

    const { status } = await service.oms.send("POST", "/inventory/products", body, { "content-type": type });

    expect(status).toBe(200);
  });

  test("is rejected if it is not UTF-8, so that two SKUs do not become one", async () => {
    const sku = unique("E25103");
    const sent = (type: string, last: string) =>
      service.oms.send(
        "POST",
        "/inventory/products",
        Buffer.from(JSON.stringify({ data: [productOf({ sku: `${sku}${last}` })] }), "latin1"),
        { "content-type": type },
      );

    const answers = [
      await sent("application/json", "é"),
      await sent("application/x-www-form-urlencoded", "è"),
      await sent("application/json; charset=iso-8859-1", "x"),
    ];
    const stored = await service.oms.get(`/inventory/products/${encodeURIComponent(`${sku}\ufffd`)}`);

    expect(answers.map(({ status, body }) => [status, messageOf(body)])).toEqual([
      [400, "The body must be UTF-8; it holds other bytes, or U+FFFD, which stands for them"],
      [400, "The body must be UTF-8; it holds other bytes, or U+FFFD, which stands for them"],
      [400, "The charset of the Content-Type must be UTF-8"],
    ]);
    expect([stored.status, messageOf(stored.body)]).toEqual([
      400,
      "prod_identifier must be UTF-8, percent-encoded",
    ]);
  });
});

test("a text that holds U+FFFD is refused however it is written, so that every answer can be sent back", async () => {
  const body = JSON.stringify({ data: [productOf({ description: "caf\ufffd" })] });
  const type = { "content-type": "application/json" };
  const send = (text: string) => service.oms.send("POST", "/inventory/products", text, type);

  const answers = [await send(body), await send(body.replace("\ufffd", "\\ufffd"))];

  expect(answers.map(({ status, body: said }) => [status, messageOf(said)])).toEqual([
    [400, "The body must be UTF-8; it holds other bytes, or U+FFFD, which stands for them"],
    [400, "data.0.description must not hold U+FFFD, which stands for a lost character"],
  ]);
});

describe("an optional field", () => {
  test("that is null or empty counts as not sent, and the customer's state and zip may be empty", async () => {
    const bare = orderOf();
    const sent = {
      ...orderOf(undefined, { order_reference: "", order_type_id: null, cart: null }),
      customer: { ...bare.customer, lastname: null, email: "", phone: " ", state: "", zip: "" },
    };

    const { body } = await service.oms.post("/orders", { data: [sent] });

    expect(at(body, "data.0")).toMatchObject({
      order_reference: null,
      order_type_id: 1,
      cart: null,
      customer: { lastname: null, email: null, phone: null, state: "", zip: "" },
    });
    expect(body).not.toHaveProperty("warnings");
  });
});

describe("a name", () => {
  test("loses surrounding blanks, is kept in NFC, and is found so", async () => {
    const sku = unique("CAFE");

    const created = await service.oms.post("/inventory/products", {
      data: [productOf({ sku: ` ${sku}e\u0301 ` })],
    });
    const found = await service.oms.get(`/inventory/products/${encodeURIComponent(` ${sku}\u00e9`)}`);
    const hidden = await service.oms.post("/inventory/products", {
      data: [productOf({ sku: `${sku}\u200b` })],
    });

    expect(at(created.body, "data.0.sku")).toBe(`${sku}\u00e9`);
    expect(at(found.body, "data.product_id")).toBe(at(created.body, "data.0.product_id"));
    expect(messageOf(hidden.body)).toBe("data.0.sku must not hold control characters or invisible ones");
  });
});

describe("a query", () => {
  test("takes words in any case, date-times, and blank parameters as not sent", async () => {
    const query =
      "order_by=orderid&order_direction=ASC&page=&status_id=%20&from_date=2020-01-01T10:00:00Z&unknown=";

    const { status, body } = await service.oms.get(`/orders?${query}`);

    expect(status).toBe(200);
    expect(listAt(body, "data").map((order) => at(order, "order_number"))).toContain("DEMO-1");
  });

  test.each([
    [
      "GET",
      "/orders?statusid=4",
      /^statusid is not a query parameter of this call; the nearest is status_id \(/,
    ],
    [
      "POST",
      "/orders/cancel?order_id=1",
      /^order_id is not a query parameter of this call, but a field of its body$/,
    ],
  ])("with an unknown parameter is refused and names the nearest: %s %s", async (method, path, message) => {
    const { body } = await service.oms.send(method, path, method === "POST" ? '{"order_id":1}' : undefined);

    expect(messageOf(body)).toMatch(message);
  });
});

describe("a field that a call does not take", () => {
  test("is named in warnings, also when the call is repeated; the record is stored without it", async () => {
    const order = { ...orderOf(), shipping_metod: "x", customer: { ...orderOf().customer, company: "Acme" } };
    const key = { "Idempotency-Key": unique("warned") };

    const first = await service.oms.post("/orders", { data: [order] }, key);
    const again = await service.oms.post("/orders", { data: [order] }, key);

    expect(at(first.body, "warnings")).toEqual([
      { path: "data.0.customer.company", message: "is not a field of this call and was ignored" },
      {
        path: "data.0.shipping_metod",
        message: "is not a field of this call and was ignored; did you mean shipping_method?",
      },
    ]);
    expect(at(first.body, "data.0.customer")).not.toHaveProperty("company");
    expect(again.body).toEqual(first.body);
  });

  test("is named by v2, too", async () => {
    const { body } = await service.v2.post("/get_orders", { page: 1, perpage: 5 });

    expect(at(body, "warnings")).toEqual([
      { path: "perpage", message: "is not a field of this call and was ignored; did you mean per_page?" },
    ]);
  });
});

describe("an id", () => {
  test("that is twice in a call of ids counts once", async () => {
    const { body: created } = await service.oms.post("/orders", { data: [orderOf(), orderOf()] });
    const [one, two] = [at(created, "data.0.order_id"), at(created, "data.1.order_id")];

    const { status, body } = await service.oms.post("/orders/cancel-bulk", { order_ids: [one, two, one] });

    expect(status).toBe(200);
    expect(listAt(body, "data").map((order) => at(order, "order_id"))).toEqual([one, two]);
  });
});

test("every answer keeps browsers from guessing its type, and JSON is kept in no cache", async () => {
  const answers = [
    await service.oms.post("/ping"),
    await service.oms.get("/nowhere"),
    await service.with({}).get("/"),
  ];

  for (const { headers } of answers) expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(answers.map(({ headers }) => headers.get("cache-control"))).toEqual(Array(3).fill("no-store"));
});
