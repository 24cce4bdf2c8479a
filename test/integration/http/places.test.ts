import { describe, expect, test } from "vitest";
import { endpoint as createAttributes } from "../../../functions/oms/attributes/create-attributes.ts";
import { endpoint as patchAttributes } from "../../../functions/oms/attributes/patch-attributes.ts";
import { endpoint as createAliases } from "../../../functions/oms/inventory/aliases/create-aliases.ts";
import { endpoint as patchAliases } from "../../../functions/oms/inventory/aliases/patch-aliases.ts";
import { endpoint as createProducts } from "../../../functions/oms/inventory/products/create-products.ts";
import { endpoint as patchProducts } from "../../../functions/oms/inventory/products/patch-products.ts";
import { endpoint as createReplenishments } from "../../../functions/oms/inventory/replenishments/create-replenishments.ts";
import { endpoint as patchReplenishments } from "../../../functions/oms/inventory/replenishments/patch-replenishments.ts";
import { endpoint as createReturns } from "../../../functions/oms/inventory/returns/create-returns.ts";
import { endpoint as createSynsets } from "../../../functions/oms/inventory/synsets/create-synsets.ts";
import { endpoint as patchSynsets } from "../../../functions/oms/inventory/synsets/patch-synsets.ts";
import { endpoint as cancelOrders } from "../../../functions/oms/orders/cancel-orders.ts";
import { endpoint as createOrders } from "../../../functions/oms/orders/create-orders.ts";
import { endpoint as updateOrders } from "../../../functions/oms/orders/update-orders.ts";
import { endpoint as createSerials } from "../../../functions/oms/serials/create-serials.ts";
import { endpoint as setSerialAttributes } from "../../../functions/oms/serials/set-serial-attributes.ts";
import { Problem } from "../../../shared/common/problem.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import { noIdempotencyKey } from "../../../shared/store/idempotency.ts";
import { goodsOf } from "../../support/business/stockpile.ts";
import {
  announceReplenishment,
  newProduct,
  pendingOrder,
  shippedOrder,
} from "../../support/business/world.ts";
import { at } from "../../support/http/client.ts";
import { contextOf } from "../../support/records/flows.ts";
import { aliasOf, orderOf, productOf, synsetOf, unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import type { asked } from "../../support/store/sagas.ts";

const service = await sharedService({ demoData: true });

interface Bulk {
  readonly endpoint: Parameters<typeof asked>[1];
  /** An element that is stored, and others that are refused, each for another reason. */
  readonly sound: unknown;
  readonly wrong: readonly unknown[];
  readonly list?: string;
  readonly params?: object;
}

const line = (sku: string, quantity = 1) => ({ sku, quantity });
const unknown = line("UNKNOWN");

async function orderAttributes() {
  const owner_id = String(await pendingOrder(service, [line("DEMO-MUG")]));
  return { owner_type: "order", owner_id };
}

const range = (sku: string, [serial_start, serial_end]: readonly [string, string], names = ["color"]) => ({
  ...{ sku, serial_start, serial_end },
  attributes: names.map((attribute) => ({ attribute, value: "red" })),
});

const calls: Readonly<Record<string, () => Promise<Bulk>>> = {
  "POST of orders": async () => ({
    endpoint: createOrders,
    sound: orderOf(),
    wrong: [
      orderOf([line("DEMO-MUG"), unknown]),
      orderOf([line("DEMO-CAP", 1_000_000)], { if_short: "refuse" }),
    ],
  }),
  "PUT of orders": async () => {
    const order_id = await pendingOrder(service, [line("DEMO-MUG")]);
    const { order_number: _number, ...nameless } = orderOf();
    return {
      endpoint: updateOrders,
      sound: { ...orderOf(), order_id },
      wrong: [
        nameless,
        orderOf(),
        { ...orderOf([unknown]), order_id },
        { ...orderOf(), order_id, version: 99 },
      ],
    };
  },
  "POST of cancel-bulk": async () => {
    const { order_id } = await shippedOrder(service, [line((await goodsOf(service, 1)).sku)]);
    const sound = await pendingOrder(service, [line("DEMO-MUG")]);
    return { endpoint: cancelOrders, sound, wrong: [999_999_999, order_id], list: "order_ids" };
  },
  "POST of products": async () => ({
    endpoint: createProducts,
    sound: productOf(),
    wrong: [productOf({ sku: "DEMO-TEE" }), productOf({ distribution_center: "NOWHERE" })],
  }),
  "PATCH of products": async () => {
    const { sku } = await newProduct(service);
    return { endpoint: patchProducts, sound: { sku }, wrong: [unknown, { sku, version: 99 }] };
  },
  "POST of aliases": async () => ({
    endpoint: createAliases,
    sound: aliasOf(),
    wrong: [aliasOf({ sku: "UNKNOWN" }), aliasOf({ channel_id: 77 })],
  }),
  "PATCH of aliases": async () => ({
    endpoint: patchAliases,
    sound: { alias: "EXT-TEE", channel_id: 2 },
    wrong: [{ sku: "DEMO-MUG" }, { alias: "UNKNOWN" }, { alias: "EXT-TEE", channel_id: 2, sku: "UNKNOWN" }],
  }),
  "POST of synsets": async () => ({
    endpoint: createSynsets,
    sound: synsetOf(),
    wrong: [
      synsetOf([unknown]),
      synsetOf([line("DEMO-TEE"), line("DEMO-TEE")]),
      synsetOf(undefined, { synset: "DEMO-TEE" }),
    ],
  }),
  "PATCH of synsets": async () => ({
    endpoint: patchSynsets,
    sound: { synset: "DEMO-KIT" },
    wrong: [{ synset: "UNKNOWN" }, { synset: "DEMO-KIT", items: [unknown] }],
  }),
  "POST of replenishments": async () => ({
    endpoint: createReplenishments,
    sound: { items: [line("DEMO-MUG")] },
    wrong: [
      { items: [line("DEMO-MUG"), unknown] },
      { items: [line("DEMO-MUG")], distribution_center: "NOWHERE" },
    ],
  }),
  "PATCH of replenishments": async () => {
    const { replenishment_id } = await announceReplenishment(service, [line("DEMO-MUG")]);
    return {
      endpoint: patchReplenishments,
      sound: { replenishment_id },
      wrong: [{ replenishment_id: 999_999_999 }, { replenishment_id, items: [unknown] }],
    };
  },
  "POST of returns": async () => {
    const items = [line((await goodsOf(service, 1)).sku)];
    const { order_id } = await shippedOrder(service, items);
    return {
      endpoint: createReturns,
      sound: { order_id, items },
      wrong: [
        { order_id: 999_999_999, items },
        { order_id, items },
      ],
    };
  },
  "POST of attributes": async () => ({
    endpoint: createAttributes,
    sound: { attribute: "color", value: "red" },
    wrong: [{ attribute: "color", value: "blue" }],
    params: await orderAttributes(),
  }),
  "POST of serials": async () => {
    const { sku } = await newProduct(service);
    return {
      endpoint: createSerials,
      sound: { sku, serials: ["A1", "A2"] },
      wrong: [
        { sku: "UNKNOWN", serials: ["B"] },
        { sku, serials: ["B", "A2"] },
        { sku, serials: ["C", "C"] },
      ],
    };
  },
  "PATCH of attributes": async () => {
    const params = await orderAttributes();
    const sound = { attribute: "color", value: "red" };
    await send({ endpoint: createAttributes, params, wrong: [], sound }, [sound]);
    return { endpoint: patchAttributes, sound, wrong: [{ attribute: "UNKNOWN", value: "blue" }], params };
  },
  "POST of serials' attributes": async () => {
    const { sku } = await newProduct(service);
    await service.oms.post("/serials/bulk", { data: [{ sku, serials: ["A1", "A2"] }] });
    return {
      endpoint: setSerialAttributes,
      sound: range(sku, ["A1", "A2"]),
      wrong: [
        range("UNKNOWN", ["A1", "A2"]),
        range(sku, ["A2", "A1"]),
        range(sku, ["A1", "A2"], ["color", "color"]),
        range(sku, ["B1", "B2"]),
      ],
    };
  },
};

/** Makes a call of these elements, of which an interrupted run has `stored` the first: their results. */
function send(
  { endpoint, list = "data", params = {} }: Bulk,
  elements: readonly unknown[],
  stored: readonly unknown[] = [],
): Promise<object> {
  const request = parseRequest(endpoint.request, { body: { [list]: elements }, params, query: {} });
  const earlier = new Map(stored.entries());
  const idempotency = { ...noIdempotencyKey, callId: unique("call"), earlier };
  return endpoint.flow(request, { ...contextOf(service), idempotency });
}

describe.each(Object.entries(calls))("a retried %s", (_name, prepare) => {
  test("names what is wrong by its place in the call, not among the elements that are left", async () => {
    const bulk = await prepare();
    const { list = "data", sound, wrong } = bulk;
    const first = at(await send(bulk, [sound]), "data.0");

    for (const one of wrong) {
      const problem: unknown = await send(bulk, [sound, one], [first]).catch((error: unknown) => error);

      if (!(problem instanceof Problem)) throw problem;
      const paths = problem.details.errors?.map(({ path }) => path.split(".").slice(0, 2).join("."));
      expect(new Set(paths)).toEqual(new Set([`${list}.1`]));
      expect(problem.message).not.toContain(`${list}.0`);
    }
  });
});
