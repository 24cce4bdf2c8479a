/**
 * Bodies that are JSON, but not of the shape that a call takes. The conformance suite sends such bodies over
 * HTTP.
 */
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { functions } from "../../../functions/index.ts";
import { endpoint as createProducts } from "../../../functions/oms/inventory/products/create-products.ts";
import { endpoint as patchProducts } from "../../../functions/oms/inventory/products/patch-products.ts";
import { endpoint as cancelOrder } from "../../../functions/oms/orders/cancel-order.ts";
import { endpoint as cancelOrders } from "../../../functions/oms/orders/cancel-orders.ts";
import { endpoint as createOrders } from "../../../functions/oms/orders/create-orders.ts";
import { endpoint as setSubStatus } from "../../../functions/oms/orders/set-sub-status.ts";
import { endpoint as updateOrders } from "../../../functions/oms/orders/update-orders.ts";
import type { RequestSchema } from "../../../shared/http/endpoint.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import { orderInputOf, problemOf, productInputOf } from "../samples.ts";

/** The paths that the body is refused for. */
function refusedPaths(request: RequestSchema, body: unknown): readonly string[] {
  const { kind, details } = problemOf(() => parseRequest(request, { body }));
  expect(kind).toBe("invalid");
  return (details.errors ?? []).map(({ path }) => path);
}

const bulk: readonly (readonly [string, RequestSchema])[] = [
  ["POST /orders", createOrders.request],
  ["PUT /orders", updateOrders.request],
  ["POST /inventory/products", createProducts.request],
  ["PATCH /inventory/products", patchProducts.request],
];

const calls: typeof bulk = [
  ...bulk,
  ["POST /orders/cancel", cancelOrder.request],
  ["POST /orders/cancel-bulk", cancelOrders.request],
  ["POST /orders/sub_status", setSubStatus.request],
];

describe.each(calls)("%s refuses a body", (_name, request) => {
  test.each([[[]], ["text"], [12], [true], [null], [{}], [{ order: 1 }]])("that is %j", (body) => {
    expect(refusedPaths(request, body).length).toBeGreaterThan(0);
  });
});

describe.each(bulk)("%s refuses data", (_name, request) => {
  test.each([[{}], ["text"], [1], [null], [[1]], [["a"]], [[null]], [[[]]]])("that is %j", (data) => {
    expect(refusedPaths(request, { data })[0]).toMatch(/^data/);
  });

  test.each([0, 101])("of %i records", (count) => {
    const data = Array.from({ length: count }, () => ({ ...productInputOf(), ...orderInputOf() }));

    expect(refusedPaths(request, { data })).toEqual(["data"]);
  });
});

type Schema = z.core.JSONSchema.BaseSchema;
const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

/** The paths of lists that may have any number of elements. */
function boundless(schema: Schema, path: string): readonly string[] {
  const { type, items, maxItems, properties = {}, anyOf = [] } = schema;
  const within: readonly (readonly [string, unknown])[] = [
    ...Object.entries(properties).map(([name, field]) => [`${path}.${name}`, field] as const),
    ...anyOf.map((choice) => [path, choice] as const),
    [`${path}[]`, items],
  ];
  return [
    ...(type === "array" && maxItems === undefined ? [path] : []),
    ...within.flatMap(([at, one]) => (isSchema(one) ? boundless(one, at) : [])),
  ];
}

test("every list of a request has a limit, so that its elements can be checked in no time", () => {
  const found = Object.entries(functions).flatMap(([key, contract]) =>
    contract.type === "endpoint"
      ? boundless(z.toJSONSchema(contract.request, { io: "input", unrepresentable: "any" }), key)
      : [],
  );

  // A recount is read entry by entry, up to its limit.
  expect(found.filter((path) => !path.startsWith("wms/recount."))).toEqual([]);
});
