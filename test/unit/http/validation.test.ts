import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { endpoint as createProducts } from "../../../functions/oms/inventory/products/create-products.ts";
import { endpoint as patchProducts } from "../../../functions/oms/inventory/products/patch-products.ts";
import { endpoint as listStock } from "../../../functions/oms/inventory/stock/list-stock.ts";
import { endpoint as cancelOrders } from "../../../functions/oms/orders/cancel-orders.ts";
import { endpoint as createOrders } from "../../../functions/oms/orders/create-orders.ts";
import { endpoint as listOrders } from "../../../functions/oms/orders/list-orders.ts";
import { endpoint as setSubStatus } from "../../../functions/oms/orders/set-sub-status.ts";
import { endpoint as updateOrders } from "../../../functions/oms/orders/update-orders.ts";
import { endpoint as createSerials } from "../../../functions/oms/serials/create-serials.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import { customerInput, linesOf, orderInputOf, problemOf, productInputOf } from "../samples.ts";

const rejectionOf = (schema: z.core.$ZodType, request: unknown) =>
  linesOf(problemOf(() => parseRequest(schema, request)));

/** What is wrong with a call that creates one order, or one product. */
const orderRejection = (more: object) =>
  rejectionOf(createOrders.request, { body: { data: [{ ...orderInputOf(), ...more }] } });
const productRejection = (more: object) =>
  rejectionOf(createProducts.request, { body: { data: [{ ...productInputOf(), ...more }] } });

const item = (more: object) => ({ items: [{ sku: "TEE", quantity: 1, ...more }] });
const customer = (more: object) => ({ customer: { ...customerInput, ...more } });

describe("a required field", () => {
  test.each(["", " ", "\t\u00a0"])("is reported missing if it is %j", (blank) => {
    expect(orderRejection(customer({ firstname: blank }))).toEqual(["data.0.customer.firstname is required"]);
    expect(productRejection({ description: blank })).toEqual(["data.0.description is required"]);
  });

  test("is reported missing if it is null, even if it may be empty", () => {
    expect(orderRejection({ order_number: null })).toEqual(["data.0.order_number is required"]);
    expect(orderRejection(customer({ state: null, zip: null }))).toEqual([
      "data.0.customer.state is required",
      "data.0.customer.zip is required",
    ]);
  });
});

describe("a wrong type", () => {
  test.each([
    ["a number for a string", { order_number: 5 }, "order_number must be a string"],
    ["a string for a number", item({ sold_price: "9.50" }), "items.0.sold_price must be a number"],
    ["a string for an integer", item({ quantity: "12" }), "items.0.quantity must be a number"],
    ["a fraction for an integer", item({ quantity: 1.5 }), "items.0.quantity must be a whole number"],
    ["true for an integer", item({ quantity: true }), "items.0.quantity must be a number"],
    [
      "infinity for an integer",
      item({ quantity: Number.POSITIVE_INFINITY }),
      "items.0.quantity must be a number",
    ],
    [
      "infinity for a number",
      item({ sold_price: Number.POSITIVE_INFINITY }),
      "items.0.sold_price must be a number",
    ],
    ["no number for a number", item({ sold_price: Number.NaN }), "items.0.sold_price must be a number"],
    ["a list for an object", { cart: [] }, "cart must be an object"],
    ["an object for a list", { items: { sku: "TEE" } }, "items must be a list"],
    ["a text for an item", { items: ["TEE"] }, "items.0 must be an object"],
    ["a fraction for a cart id", { cart: { id: 1.5 } }, "cart.id must be a whole number"],
    [
      "a list for a postal code",
      customer({ zip: ["1"] }),
      "customer.zip must be text, or a whole number of at least 0",
    ],
    [
      "a fraction for a postal code",
      customer({ zip: 1.5 }),
      "customer.zip must be text, or a whole number of at least 0",
    ],
  ])("is named: %s", (_, more, line) => {
    expect(orderRejection(more)).toEqual([`data.0.${line}`]);
  });
});

describe("a length", () => {
  test.each([
    ["an empty text", { order_number: "" }, "order_number is required"],
    ["a name of blanks", { order_number: "  " }, "order_number is required"],
    ["a long text", { order_number: "x".repeat(101) }, "order_number must have at most 100 characters"],
    ["a long postal code", customer({ zip: "1".repeat(21) }), "customer.zip must have at most 20 characters"],
    ["no items", { items: [] }, "items must hold at least 1 element"],
    [
      "too many items",
      { items: Array.from({ length: 501 }, () => ({ sku: "TEE", quantity: 1 })) },
      "items must hold at most 500 elements",
    ],
  ])("is named: %s", (_, more, line) => {
    expect(orderRejection(more)).toEqual([`data.0.${line}`]);
  });

  test.each([
    ["", "sub_status is required"],
    ["x".repeat(65), "sub_status must have at most 64 characters"],
  ])("of a sub-status is named", (sub_status, line) => {
    expect(rejectionOf(setSubStatus.request, { body: { order_id: 1, sub_status } })).toEqual([line]);
  });

  test("of one character is not one of characters", () => {
    const schema = z.object({ body: z.object({ code: z.string().check(z.maxLength(1)) }) });

    expect(rejectionOf(schema, { body: { code: "xx" } })).toEqual(["code must have at most 1 character"]);
  });
});

describe("a size", () => {
  test.each([
    ["a quantity of none", item({ quantity: 0 }), "items.0.quantity must be at least 1"],
    ["a negative quantity", item({ quantity: -1 }), "items.0.quantity must be at least 1"],
    ["a huge quantity", item({ quantity: 1_000_000_001 }), "items.0.quantity must be at most 1000000000"],
    ["a huge price", item({ sold_price: 1_000_000_001 }), "items.0.sold_price must be at most 1000000000"],
    [
      "a huge discount",
      item({ sold_price: -1_000_000_001 }),
      "items.0.sold_price must be at least -1000000000",
    ],
    [
      "a price of nearly nothing",
      item({ sold_price: -1e-10 }),
      "items.0.sold_price must be 0, or at least 1e-9 from it",
    ],
    ["a negative postal code", customer({ zip: -1 }), "customer.zip must be at least 0"],
    ["an order type of none", { order_type_id: 0 }, "order_type_id must be at least 1"],
  ])("is named: %s", (_, more, line) => {
    expect(orderRejection(more)).toEqual([`data.0.${line}`]);
  });

  test.each([
    [0.5, "data.0.case_qty must be at least 1"],
    [1_000_000_001, "data.0.case_qty must be at most 1000000000"],
  ])("of a case of %d is named", (case_qty, line) => {
    expect(productRejection({ case_qty })).toEqual([line]);
  });
});

describe("a format", () => {
  test.each(["nobody", "a@b", "a b@example.com", "@example.com"])("of the e-mail %j is refused", (email) => {
    expect(orderRejection(customer({ email }))).toEqual(["data.0.customer.email must be an e-mail address"]);
  });

  test.each([
    "nowhere",
    "ftp://example.com/x.png",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "//example.com",
  ])("of the URL %j is refused", (image_url) => {
    expect(productRejection({ image_url })).toEqual(["data.0.image_url must be an http or https URL"]);
  });

  test("that is right is accepted", () => {
    const query = { from_date: "2024-02-29", to_date: "2026-12-31" };
    const records = [{ ...orderInputOf(), ...customer({ email: "a.b+c@example.co.uk" }) }];
    const products = [productInputOf({ image_url: "https://example.com/a.png?x=1" })];

    expect(parseRequest(listOrders.request, { query }).query).toMatchObject(query);
    expect(parseRequest(createOrders.request, { body: { data: records } }).body.data).toEqual(records);
    expect(parseRequest(createProducts.request, { body: { data: products } }).body.data).toEqual(products);
  });
});

describe("a choice", () => {
  test.each(["fifo", 5])("of the pick style %j names the accepted values", (pick_style) => {
    expect(productRejection({ pick_style })).toEqual([
      "data.0.pick_style must be one of STANDARD, SAVE_SPACE, FIFO, LIFO, FEFO, FLFO, LLFO, BIN_ASC, BIN_DESC",
    ]);
  });

  test.each(["yes", "n", true])("of one_time_product %j names the accepted values", (one_time_product) => {
    expect(productRejection({ one_time_product })).toEqual([
      "data.0.one_time_product must be one of Yes, Y, YES, No, N, NO",
    ]);
  });
});

describe("the places that are named", () => {
  test("are those of every wrong field of every record, and the message names the first", () => {
    const data = [
      orderInputOf(),
      {
        ...orderInputOf(),
        order_number: "",
        items: [
          { sku: "TEE", quantity: 1 },
          { sku: 1, quantity: "2" },
        ],
      },
      null,
    ];

    const problem = problemOf(() => parseRequest(createOrders.request, { body: { data } }));

    expect(problem.message).toBe("data.1.order_number is required");
    expect(linesOf(problem)).toEqual([
      "data.1.order_number is required",
      "data.1.items.1.sku must be a string",
      "data.1.items.1.quantity must be a number",
      "data.2 is required",
    ]);
  });

  test.each([
    [null, "body is required"],
    [[], "body must be an object"],
    ["text", "body must be an object"],
    [{}, "data is required"],
    [{ data: "one" }, "data must be a list"],
  ])("concern the whole body if it is %j", (body, line) => {
    expect(rejectionOf(createOrders.request, { body })).toEqual([line]);
  });

  test("are those in a list of ids", () => {
    const body = { order_ids: [1, "2", 0, 1.5] };

    expect(rejectionOf(cancelOrders.request, { body })).toEqual([
      "order_ids.1 must be a number",
      "order_ids.2 must be at least 1",
      "order_ids.3 must be a whole number",
    ]);
  });
});

describe("very many wrong places", () => {
  const empty = (count: number): object[] => Array.from({ length: count }, () => ({}));

  test("are counted, and the first 100 are named", { timeout: 60_000 }, () => {
    // In all 200,300 places: more than zod collects before its stack overflows.
    const data = empty(100).map(() => ({ items: empty(500), kits: empty(500) }));

    const { message, details } = problemOf(() => parseRequest(createOrders.request, { body: { data } }));

    expect(message).toBe("data.0.order_number is required");
    expect(details.errors).toHaveLength(100);
    expect(details.errors?.at(-1)).toEqual({ path: "data.0.items.48.sku", message: "is required" });
    expect(details.errorsTotal).toBe(200_300);
  });

  test("are counted beside errors that were found before", () => {
    const found = Array.from({ length: 99 }, (_, number) => ({ path: `x${number}`, message: "is unknown" }));

    const { details } = problemOf(() =>
      parseRequest(createOrders.request, { body: { data: empty(2) } }, found),
    );

    expect(details.errors?.slice(99)).toEqual([{ path: "data.0.order_number", message: "is required" }]);
    expect(details.errorsTotal).toBe(99 + 8);
  });

  test("of a call with too many records are one: that there are too many", () => {
    const body = { data: empty(300_000) };

    expect(rejectionOf(createOrders.request, { body })).toEqual(["data must hold at most 100 elements"]);
  });

  test("hide no rule that spans records", () => {
    const serials = Array.from({ length: 100 }, (_, number) => `S${number}`);
    const data = Array.from({ length: 21 }, () => ({ sku: "TEE", serials }));

    expect(rejectionOf(createSerials.request, { body: { data } })).toEqual([
      "data must hold at most 2000 serials in all",
    ]);
  });

  test("of other parts than the records are named once", () => {
    const schema = z.extend(createOrders.request, { params: z.object({ id: z.string() }) });

    expect(rejectionOf(schema, { params: {}, body: { data: [orderInputOf(), {}] } })).toContain(
      "id is required",
    );
    expect(
      rejectionOf(schema, { params: {}, body: { data: empty(3) } }).filter((line) => line.startsWith("id ")),
    ).toHaveLength(1);
  });
});

describe("what is not declared", () => {
  test("is left out", () => {
    const data = [{ ...orderInputOf(), colour: "red" }];

    expect(parseRequest(createOrders.request, { body: { data, more: 1 } }).body).toEqual({
      data: [orderInputOf()],
    });
    expect(parseRequest(listOrders.request, { query: { nonsense: "1" } }).query).not.toHaveProperty(
      "nonsense",
    );
  });

  test("fills no field through a prototype", () => {
    const record: unknown = JSON.parse(`{"__proto__":${JSON.stringify(orderInputOf())}}`);

    expect(rejectionOf(createOrders.request, { body: { data: [record] } })).toEqual([
      "data.0.order_number is required",
      "data.0.shipping_method is required",
      "data.0.customer is required",
      "data.0.items is required",
    ]);
  });
});

describe("a patch", () => {
  test("may hold the sku alone", () => {
    const data = [{ sku: "TEE" }];

    expect(parseRequest(patchProducts.request, { body: { data } }).body.data).toEqual(data);
  });

  test("needs the sku, and holds its fields to the rules of a new product", () => {
    expect(rejectionOf(patchProducts.request, { body: { data: [{ cost: -1 }] } })).toEqual([
      "data.0.sku is required",
      "data.0.cost must be at least 0",
    ]);
  });
});

describe("any request", () => {
  const schemas: readonly z.core.$ZodType[] = [
    createOrders.request,
    updateOrders.request,
    cancelOrders.request,
    setSubStatus.request,
    createProducts.request,
    patchProducts.request,
    listOrders.request,
    listStock.request,
  ];
  const field = fc.constantFrom(
    "data",
    "order_number",
    "items",
    "sku",
    "quantity",
    "customer",
    "zip",
    "__proto__",
  );
  const value = fc.jsonValue();
  const body = fc.oneof(
    value,
    fc.record({ data: fc.array(fc.dictionary(field, fc.oneof(value, fc.constantFrom("", 0, -1, 1.5)))) }),
    fc.dictionary(fc.constantFrom("order_id", "order_ids", "sub_status"), value),
  );
  const query = fc.dictionary(
    fc.constantFrom("page", "per_page", "status_id", "from_date", "sku"),
    fc.string(),
  );

  test("is read, or refused with places and words that a client understands", () => {
    fc.assert(
      fc.property(fc.constantFrom(...schemas), body, query, (schema, sentBody, sentQuery) => {
        const result = z.safeParse(schema, { body: sentBody, query: sentQuery });
        if (result.success) return;

        const problem = problemOf(() => parseRequest(schema, { body: sentBody, query: sentQuery }));

        expect(problem.kind).toBe("invalid");
        expect(linesOf(problem).length).toBeGreaterThan(0);
        for (const line of linesOf(problem)) {
          expect(line).toMatch(/^[\w.]+ (?:is required|must |has the wrong type)/);
          expect(line).not.toMatch(/undefined|null|\[object|NaN/);
        }
      }),
      { numRuns: 300 },
    );
  });
});
