/**
 * Bodies that are JSON, but not of the shape that a call takes; a few of each are sent over HTTP in
 * `envelope.test.ts`.
 */
import { describe, expect, test } from "vitest";
import { endpoint as createProducts } from "../../../functions/oms/inventory/products/create-products.ts";
import { endpoint as patchProducts } from "../../../functions/oms/inventory/products/patch-products.ts";
import { endpoint as cancelOrder } from "../../../functions/oms/orders/cancel-order.ts";
import { endpoint as cancelOrders } from "../../../functions/oms/orders/cancel-orders.ts";
import { endpoint as createOrders } from "../../../functions/oms/orders/create-orders.ts";
import { endpoint as setSubStatus } from "../../../functions/oms/orders/set-sub-status.ts";
import { endpoint as updateOrders } from "../../../functions/oms/orders/update-orders.ts";
import type { RequestSchema } from "../../../shared/http/endpoint.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import { problemOf } from "../samples.ts";

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
});
