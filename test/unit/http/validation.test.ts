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

const orderRejection = (more: object) =>
  rejectionOf(createOrders.request, { body: { data: [{ ...orderInputOf(), ...more }] } });

const item = (more: object) => ({ items: [{ sku: "TEE", quantity: 1, ...more }] });
const customer = (more: object) => ({ customer: { ...customerInput, ...more } });

describe("a wrong value that `wrong-values.ts` does not derive from a schema is named:", () => {
  test.each([
    ["infinity for an integer", item({ quantity: Infinity }), "items.0.quantity must be a number"],
    ["infinity for a number", item({ sold_price: Infinity }), "items.0.sold_price must be a number"],
    ["no number for a number", item({ sold_price: Number.NaN }), "items.0.sold_price must be a number"],
    [
      "a price of nearly nothing",
      item({ sold_price: -1e-10 }),
      "items.0.sold_price must be 0, or at least 1e-9 from it",
    ],
    ["an object for a list", { items: { sku: "TEE" } }, "items must be a list"],
    ["an empty list for a text", { order_number: [] }, "order_number must be a string"],
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
    ["a negative postal code", customer({ zip: -1 }), "customer.zip must be at least 0"],
    ["a long postal code", customer({ zip: "1".repeat(21) }), "customer.zip must have at most 20 characters"],
  ])("%s", (_, more, line) => {
    expect(orderRejection(more)).toEqual([`data.0.${line}`]);
  });

  test('a maximum length of one says "character", not "characters"', () => {
    const schema = z.object({ body: z.object({ code: z.string().check(z.maxLength(1)) }) });

    expect(rejectionOf(schema, { body: { code: "xx" } })).toEqual(["code must have at most 1 character"]);
  });
});

describe("a format", () => {
  test("that is right is accepted", () => {
    const query = { from_date: "2024-02-29", to_date: "2026-12-31" };
    const records = [{ ...orderInputOf(), ...customer({ email: "a.b+c@example.co.uk" }) }];
    const products = [productInputOf({ image_url: "https://example.com/a.png?x=1" })];

    expect(parseRequest(listOrders.request, { query }).query).toMatchObject(query);
    expect(parseRequest(createOrders.request, { body: { data: records } }).body.data).toEqual(records);
    expect(parseRequest(createProducts.request, { body: { data: products } }).body.data).toEqual(products);
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
    const outcomes = new Set<boolean>();
    fc.assert(
      fc.property(fc.constantFrom(...schemas), body, query, (schema, sentBody, sentQuery) => {
        const { success } = z.safeParse(schema, { body: sentBody, query: sentQuery });
        outcomes.add(success);
        if (success) return;

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
    expect(outcomes).toContain(false);
  });
});
