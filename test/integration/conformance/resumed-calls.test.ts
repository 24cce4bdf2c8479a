/**
 * A call that goes on after an interrupted run of it names places as the whole call would: what is left is
 * numbered by its positions in the call.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import type * as z from "zod";
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
import type { Endpoint, RequestSchema } from "../../../shared/http/endpoint.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import { noIdempotencyKey } from "../../../shared/store/idempotency.ts";
import {
  announceReplenishment,
  newProduct,
  pendingOrder,
  shippedOrder,
  stockedProduct,
} from "../../support/business/world.ts";
import { at, listAt } from "../../support/http/client.ts";
import { contextOf, create } from "../../support/records/flows.ts";
import { aliasOf, orderOf, productOf, synsetOf, unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService({ demoData: true });
const { sku } = await stockedProduct(service, 100);
const items = [{ sku, quantity: 1 }];
const outOfStock = [{ sku: (await newProduct(service)).sku, quantity: 1 }];
const unknown = [{ sku: "NO-SUCH", quantity: 1 }];
const noId = 999_999_999;

/** A call about these elements, of which an earlier run stored some, by their positions. */
type Send = (elements: readonly unknown[], earlier?: ReadonlyMap<number, unknown>) => Promise<object>;

const calling =
  <I extends RequestSchema, O extends z.core.$ZodType<object, object>>(
    endpoint: Endpoint<"oms", I, O>,
    {
      list = "data",
      ...more
    }: { readonly list?: string; readonly params?: object; readonly query?: object } = {},
  ): Send =>
  (elements, earlier = new Map()) =>
    endpoint.flow(parseRequest(endpoint.request, { body: { [list]: elements }, ...more }), {
      ...contextOf(service),
      idempotency: { ...noIdempotencyKey, earlier },
    });

interface BulkCall {
  readonly send: Send;
  /** A new element that can be stored. */
  readonly sound: () => unknown;
  /** Elements that are refused together. */
  readonly refused: readonly (readonly unknown[])[];
}

const pending = () => pendingOrder(service, items);
const shipped = async (quantity: number) => (await shippedOrder(service, [{ sku, quantity }])).order_id;
const cancelled = async () => {
  const id = await pending();
  await calling(cancelOrders, { list: "order_ids" })([id]);
  return id;
};
const replacing = (order_id: unknown, lines = items, more = {}) => ({ ...orderOf(lines), order_id, ...more });
const twice = <T>(element: T): readonly T[] => [element, element];
const ofProduct = async () => {
  const { product_id } = await newProduct(service);
  return { params: { owner_type: "product", owner_id: String(product_id) }, query: {} };
};
const color = (attribute = unique("color")) => ({ attribute, value: "red" });
const range = (of: string, serial_start: string, serial_end = serial_start, attributes = [color()]) => ({
  ...{ sku: of, serial_start, serial_end, attributes },
});

/** By the file of the endpoint. */
const calls = {
  "create-orders": async () => {
    const known = orderOf(items);
    await create(service, createOrders, known);
    return {
      send: calling(createOrders),
      sound: () => orderOf(items),
      refused: [
        [orderOf(unknown), orderOf(items, { order_number: known.order_number })],
        twice(orderOf(items)),
        [orderOf(outOfStock, { if_short: "refuse" })],
        [orderOf([{ sku, quantity: 1, hold_id: "none" }])],
      ],
    };
  },
  "update-orders": async () => ({
    send: calling(updateOrders),
    sound: async () => replacing(await pending()),
    refused: [
      [replacing(undefined, items, { order_number: undefined })],
      [replacing(noId)],
      [replacing(await pending(), unknown)],
      [replacing(await cancelled()), replacing(await pending(), items, { version: 9 })],
      [replacing(await pending(), outOfStock, { if_short: "refuse" })],
    ],
  }),
  "cancel-orders": async () => ({
    send: calling(cancelOrders, { list: "order_ids" }),
    sound: pending,
    refused: [[await cancelled(), noId], [await shipped(1)]],
  }),
  "create-products": async () => ({
    send: calling(createProducts),
    sound: () => productOf(),
    refused: [
      [productOf({ supplier: "Nobody" }), productOf({ sku }), productOf({ distribution_center: "NOWHERE" })],
      twice(productOf()),
    ],
  }),
  "patch-products": async () => ({
    send: calling(patchProducts),
    sound: async () => ({ sku: (await newProduct(service)).sku, weight: 7 }),
    refused: [
      [{ sku: "NO-SUCH" }, { sku, version: 99 }],
      [{ sku, supplier: "Nobody" }],
      twice({ sku, weight: 8 }),
    ],
  }),
  "create-synsets": async () => ({
    send: calling(createSynsets),
    sound: () => synsetOf(items),
    refused: [
      [synsetOf(unknown), synsetOf([...items, ...items]), synsetOf(items, { synset: sku })],
      twice(synsetOf(items)),
    ],
  }),
  "patch-synsets": async () => {
    const known = async () => {
      const sent = synsetOf(items);
      await create(service, createSynsets, sent);
      return sent.synset;
    };
    return {
      send: calling(patchSynsets),
      sound: async () => ({ synset: await known(), items: [{ sku, quantity: 7 }] }),
      refused: [[{ synset: "NO-SUCH", items }], [{ synset: await known(), items: unknown }]],
    };
  },
  "create-aliases": async () => {
    const known = aliasOf({ sku });
    await create(service, createAliases, known);
    return {
      send: calling(createAliases),
      sound: () => aliasOf({ sku }),
      refused: [
        [aliasOf({ sku: "NO-SUCH" }), known, aliasOf({ sku, channel_id: 77 })],
        twice(aliasOf({ sku })),
      ],
    };
  },
  "patch-aliases": async () => {
    const known = async () => {
      const { data } = await create(service, createAliases, aliasOf({ sku }));
      return { alias_id: data[0]?.alias_id };
    };
    const alias = unique("ALIAS");
    return {
      send: calling(patchAliases),
      sound: async () => ({ ...(await known()), distribution_center: "EAST" }),
      refused: [
        [{ distribution_center: "EAST" }],
        [{ alias_id: noId }, { alias: "NO-SUCH" }],
        [
          { ...(await known()), sku: "NO-SUCH" },
          { ...(await known()), alias },
          { ...(await known()), alias },
        ],
      ],
    };
  },
  "create-replenishments": async () => ({
    send: calling(createReplenishments),
    sound: () => ({ items }),
    refused: [[{ items: unknown }, { items, distribution_center: "WEST" }]],
  }),
  "patch-replenishments": async () => ({
    send: calling(patchReplenishments),
    sound: async () => ({ ...(await announceReplenishment(service, items)), eta: "2026-04-02" }),
    refused: [
      [{ replenishment_id: noId }],
      [{ ...(await announceReplenishment(service, items)), items: unknown }],
    ],
  }),
  "create-returns": async () => {
    const [order_id, other] = [await shipped(3), await shipped(1)];
    return {
      send: calling(createReturns),
      sound: () => ({ order_id, items }),
      refused: [
        [
          { order_id: noId, items },
          { order_id: other, items: [{ sku, quantity: 2 }] },
          { order_id: await pending(), items },
        ],
      ],
    };
  },
  "create-attributes": async () => {
    const owner = await ofProduct();
    await calling(createAttributes, owner)([color("known")]);
    return {
      send: calling(createAttributes, owner),
      sound: () => color(),
      refused: [[color("known"), ...twice(color())]],
    };
  },
  "patch-attributes": async () => {
    const owner = await ofProduct();
    const sound = async () => {
      const known = color();
      await calling(createAttributes, owner)([known]);
      return { ...known, value: "blue" };
    };
    return { send: calling(patchAttributes, owner), sound, refused: [[color(), color()]] };
  },
  "create-serials": async () => {
    await create(service, createSerials, { sku, serials: ["KNOWN"] });
    const sound = () => ({ sku, serials: [unique("SN")] });
    return {
      send: calling(createSerials),
      sound,
      refused: [
        [
          { sku: "NO-SUCH", serials: ["A"] },
          { sku, serials: [unique("SN"), "KNOWN"] },
          { sku, serials: twice(unique("SN")) },
        ],
        twice(sound()),
      ],
    };
  },
  "set-serial-attributes": async () => {
    const { sku: own } = await newProduct(service);
    await create(service, createSerials, { sku: own, serials: ["A1"] });
    return {
      send: calling(setSerialAttributes),
      sound: () => range(own, "A1"),
      refused: [
        [range("NO-SUCH", "A1"), range(own, "A2", "A1"), range(own, "A1", "A1", [color("c"), color("c")])],
        [range(own, "B1")],
      ],
    };
  },
} satisfies Readonly<Record<string, () => Promise<BulkCall>>>;

/** The files of endpoints that store the elements of a call one by one. */
function bulkEndpoints(): readonly string[] {
  const folder = new URL("../../../functions/oms/", import.meta.url);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .filter((file) => /\b(bulkCall|defineBulk)\(/.test(readFileSync(new URL(file, folder), "utf8")))
    .map((file) => basename(file, ".ts"));
}

async function problemOf(call: Promise<object>): Promise<Problem> {
  const refused = await call.catch((error: unknown) => error);
  if (refused instanceof Problem) return refused;
  throw new Error("the call was not refused by a problem", { cause: refused });
}

describe("a call that goes on after an interrupted run names places as the whole call would", () => {
  test("of every bulk endpoint", () => {
    expect(Object.keys(calls).toSorted()).toEqual(bulkEndpoints().toSorted());
  });

  test.each(Object.entries(calls))("%s", async (_, prepare) => {
    const { send, sound, refused } = await prepare();
    const first = await sound();
    const [stored] = listAt(await send([first]), "data");

    for (const elements of refused) {
      const [other, last] = [await sound(), await sound()];
      const whole = await problemOf(send([other, ...elements, last]));
      const rest = await problemOf(send([first, ...elements, last], new Map([[0, stored]])));

      expect(String(at(whole.details.errors, "0.path"))).toMatch(/^\w+\.[12](\.|$)/);
      expect(rest.details.errors).toEqual(whole.details.errors);
      const outcomes = listAt(rest.details, "data").map((one) => at(one, "success"));
      const failed = outcomes.filter((isStored) => isStored === false).length;
      const [count, why] = rest.message.split(" records were not stored: ");
      expect(count).toBe(`${failed} of ${elements.length + 2}`);
      expect(why).toBeOneOf([whole.message, expect.stringMatching(/^Order \d+ is /)]);
      // The sound record is stored, unless all that are left are refused together.
      expect([outcomes[0], outcomes.at(-1)]).toEqual([true, failed <= elements.length]);
    }
  });

  test("and refuses what another call has changed since alone", async () => {
    const { send, sound } = await calls["update-orders"]();
    const orders = [await sound(), await sound(), await sound()];
    const [stored] = listAt(await send(orders.slice(0, 1)), "data");
    await calling(cancelOrders, { list: "order_ids" })([at(orders[1], "order_id")]);

    const rest = await problemOf(send(orders, new Map([[0, stored]])));

    expect(listAt(rest.details, "data").map((one) => at(one, "success"))).toEqual([true, false, true]);
  });
});
