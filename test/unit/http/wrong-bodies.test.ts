/**
 * Calls about one record, or about a list of ids. The conformance suite tests bulk creates and changes of
 * records.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type * as z from "zod/mini";
import { functions } from "../../../functions/index.ts";
import { endpoint as createHolds } from "../../../functions/oms/inventory/holds/create-holds.ts";
import { endpoint as cancelOrder } from "../../../functions/oms/orders/cancel-order.ts";
import { endpoint as cancelOrders } from "../../../functions/oms/orders/cancel-orders.ts";
import { endpoint as createOrders } from "../../../functions/oms/orders/create-orders.ts";
import { endpoint as setSubStatus } from "../../../functions/oms/orders/set-sub-status.ts";
import { endpoint as updateOrders } from "../../../functions/oms/orders/update-orders.ts";
import { endpoint as simulateOrder } from "../../../functions/oms/simulations/simulate-order.ts";
import { endpoint as createWebhook } from "../../../functions/oms/webhooks/create-webhook.ts";
import { endpoint as patchWebhook } from "../../../functions/oms/webhooks/patch-webhook.ts";
import { endpoint as checkShippings } from "../../../functions/v2/mobile/check-shippings.ts";
import { endpoint as getOrdersToPick } from "../../../functions/v2/mobile/get-orders-to-pick.ts";
import { endpoint as login } from "../../../functions/v2/mobile/login.ts";
import { endpoint as moveGoods } from "../../../functions/v2/mobile/move-goods.ts";
import { endpoint as updatePickLog } from "../../../functions/v2/mobile/update-pick-log.ts";
import { endpoint as verifyCode } from "../../../functions/v2/mobile/verify-code.ts";
import { endpoint as putAwayLoad } from "../../../functions/v2/pro/put-away-load.ts";
import { endpoint as putAwayMove } from "../../../functions/v2/pro/put-away-move.ts";
import { endpoint as revertShipments } from "../../../functions/wms/revert-shipments.ts";
import { endpoint as updateWeight } from "../../../functions/wms/update-weight.ts";
import { typeFilters } from "../../../shared/events/types.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import {
  bodySchema,
  type Fields,
  type Limits,
  limitsOf,
  recordSchema,
  wrongFields,
} from "../../integration/conformance/wrong-values.ts";
import { linesOf, problemOf } from "../samples.ts";

interface Call {
  readonly endpoint: { readonly path: string; readonly request: z.core.$ZodType };
  readonly good: Fields;
  readonly limits: Limits;
}

const bin = { location: "A1", bin: "01" };

const webhook = { url: "https://shop.example/", types: ["*"], description: "Shop", active: true };
const webhookLimits = (url: "required" | "optional"): Limits => ({
  "data.url": `${url} string 1-2000`,
  "data.types": "optional array 1-100",
  "data.types[]": ["required", ...typeFilters].join(" "),
  "data.description": "optional string 0-255",
  "data.active": "optional boolean",
});

const calls: readonly Call[] = [
  {
    endpoint: cancelOrder,
    good: { order_id: 1 },
    limits: { order_id: "required integer 1-9007199254740991" },
  },
  {
    endpoint: cancelOrders,
    good: { order_ids: [1] },
    limits: { order_ids: "required array 1-100", "order_ids[]": "required integer 1-9007199254740991" },
  },
  {
    endpoint: setSubStatus,
    good: { order_id: 1, sub_status: "on hold" },
    limits: { order_id: "required integer 1-9007199254740991", sub_status: "required string 1-64" },
  },
  {
    endpoint: createHolds,
    good: {
      data: [{ sku: "TEE", quantity: 1, distribution_center: "MAIN", expires_in: 30, reference: "cart" }],
    },
    limits: {
      data: "required array 1-100",
      "data[].sku": "required string 1-100",
      "data[].quantity": "required integer 1-1000000000",
      "data[].distribution_center": "optional string 1-100",
      "data[].expires_in": "required integer 30-86400",
      "data[].reference": "optional string 1-100",
    },
  },
  {
    endpoint: simulateOrder,
    good: { order_id: 1, to: "shipped", tracking_number: "T" },
    limits: {
      order_id: "required integer 1-9007199254740991",
      to: "required picked shipped returned",
      tracking_number: "optional string 1-100",
    },
  },
  {
    endpoint: createWebhook,
    good: { data: webhook },
    limits: { data: "required object", ...webhookLimits("required") },
  },
  {
    endpoint: patchWebhook,
    good: { data: { ...webhook, version: 1 } },
    limits: {
      data: "required object",
      ...webhookLimits("optional"),
      "data.version": "optional integer 1-9007199254740991",
    },
  },
  {
    endpoint: checkShippings,
    good: { page: 1, per_page: 20, order_id: 1, approve: true, tracking_number: "T", carrier: "C" },
    limits: {
      page: "optional integer 1-9007199254740991",
      per_page: "optional integer 1-100",
      order_id: "optional integer 1-9007199254740991",
      approve: "optional boolean",
      tracking_number: "optional string 1-100",
      carrier: "optional string 1-100",
    },
  },
  { endpoint: getOrdersToPick, good: { limit: 1 }, limits: { limit: "optional integer 1-50" } },
  {
    endpoint: moveGoods,
    good: { product_id: 1, sku: "TEE", account_id: 1, quantity: 1, from: bin, to: bin },
    limits: {
      product_id: "optional integer 1-9007199254740991",
      sku: "optional string 1-100",
      account_id: "optional integer 1-9007199254740991",
      quantity: "required integer 1-1000000000",
      from: "required object",
      "from.location": "required string 1-100",
      "from.bin": "required string 1-100",
      to: "required object",
      "to.location": "required string 1-100",
      "to.bin": "required string 1-100",
    },
  },
  {
    endpoint: updatePickLog,
    good: { order_id: 1, picks: [{ sku: "TEE", ...bin, quantity: 1, serials: ["A"] }] },
    limits: {
      order_id: "required integer 1-9007199254740991",
      picks: "required array 1-90",
      "picks[].sku": "required string 1-100",
      "picks[].location": "required string 1-100",
      "picks[].bin": "required string 1-100",
      "picks[].quantity": "required integer 1-1000000000",
      "picks[].serials": "optional array 1-90",
      "picks[].serials[]": "required string 1-64",
    },
  },
  {
    endpoint: putAwayLoad,
    good: { replenishment_id: 1, return_id: 1 },
    limits: {
      replenishment_id: "optional integer 1-9007199254740991",
      return_id: "optional integer 1-9007199254740991",
    },
  },
  {
    endpoint: putAwayMove,
    good: {
      replenishment_id: 1,
      return_id: 1,
      sku: "TEE",
      quantity: 1,
      ...bin,
      lot: "L",
      expires_on: "2027-01-31",
      serials: ["A"],
    },
    limits: {
      replenishment_id: "optional integer 1-9007199254740991",
      return_id: "optional integer 1-9007199254740991",
      sku: "required string 1-100",
      quantity: "required integer 1-1000000000",
      location: "required string 1-100",
      bin: "required string 1-100",
      lot: "optional string 1-100",
      expires_on: "optional date",
      serials: "optional array 1-90",
      "serials[]": "required string 1-64",
    },
  },
  {
    endpoint: login,
    good: { username: "manager", password: "x" },
    limits: { username: "required string 1-100", password: "required string 1-255" },
  },
  {
    endpoint: verifyCode,
    good: { login_id: "x", code: "123456" },
    limits: { login_id: "required string 1-255", code: "required string" },
  },
  {
    endpoint: revertShipments,
    good: { shipments_list: [1] },
    limits: {
      shipments_list: "required array 1-100",
      "shipments_list[]": "required integer 1-9007199254740991",
    },
  },
  {
    endpoint: updateWeight,
    good: { data: [{ nbtybarcode: "NB0000001001", weight: 1 }] },
    limits: {
      data: "required array 1-100",
      "data[].nbtybarcode": "required string 1-100",
      "data[].weight": "required number 0-1000000000",
    },
  },
];

describe.each(calls)("the body of $endpoint.path", ({ endpoint: { request }, good, limits }) => {
  const linesFor = (body: unknown) =>
    linesOf(problemOf(() => parseRequest(request, { params: { webhook_id: "1" }, body })));

  test("has these limits", () => {
    expect(limitsOf(bodySchema(request))).toEqual(limits);
  });

  test("is refused with each wrong value of each field, at its path", () => {
    for (const [path, field, message = expect.any(String)] of wrongFields(bodySchema(request), good)) {
      const place = path.join(".");
      const lines = linesFor({ ...good, ...field });

      // A record in place of a list of records is read as one record, and each of its fields is missed.
      const places = lines.map((line) => line.slice(0, place.length));
      expect({ field, places }).toEqual({ field, places: lines.map(() => place) });
      expect({ field, message: lines[0]?.slice(place.length + 1) }).toEqual({ field, message });
    }
  });

  test.each([[[]], ["text"], [5]])("is refused if it is %j", (body) => {
    expect(linesFor(body)).toEqual(["body must be an object"]);
  });
});

test("a PUT of orders takes the fields of a POST, and those that name an order and its version", () => {
  expect(limitsOf(recordSchema(updateOrders.request))).toEqual({
    ...limitsOf(recordSchema(createOrders.request)),
    order_number: "optional string 1-100",
    order_id: "optional integer 1-9007199254740991",
    version: "optional integer 1-9007199254740991",
  });
});

const conformance = join(import.meta.dirname, "../../integration/conformance");

/** The endpoints whose limits a file of the conformance suite describes. */
const conforming = readdirSync(conformance)
  .map((file) => readFileSync(join(conformance, file), "utf8"))
  .filter((text) => text.includes("conforms({"))
  .flatMap((text) => [...text.matchAll(/"(?:\.\.\/)+functions\/(.+)\.ts"/g)])
  .map(([, name = ""]) => functions[name]);

/** Recounts say of each line what is wrong with it; the others take the queries of lists. */
const others = [
  ...["v2/get-orders", "v2/get-products", "v2/get-stock", "v2/pro/inventory-list"],
  "wms/recount",
];

test("every endpoint with a body has its limits described, here or in the conformance suite", () => {
  const requestOf = (contract: object | undefined): object => Object(Object(contract).request);
  const described = new Set(
    [...conforming, ...calls.map(({ endpoint }) => endpoint), updateOrders].map(requestOf),
  );
  const forgotten = Object.entries(functions).filter(([, contract]) => {
    const request = requestOf(contract);
    return "body" in Object(Object(request).shape) && !described.has(request);
  });

  expect(forgotten.map(([name]) => name)).toEqual(others);
});
