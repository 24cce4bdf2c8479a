import { describe, expect, test } from "vitest";
import { endpoint as createProducts } from "../../../../functions/oms/inventory/products/create-products.ts";
import { endpoint as patchProducts } from "../../../../functions/oms/inventory/products/patch-products.ts";
import { endpoint as patchReplenishments } from "../../../../functions/oms/inventory/replenishments/patch-replenishments.ts";
import { endpoint as patchSynsets } from "../../../../functions/oms/inventory/synsets/patch-synsets.ts";
import { endpoint as cancelOrder } from "../../../../functions/oms/orders/cancel-order.ts";
import { endpoint as cancelOrders } from "../../../../functions/oms/orders/cancel-orders.ts";
import { endpoint as setSubStatus } from "../../../../functions/oms/orders/set-sub-status.ts";
import { endpoint as updateOrders } from "../../../../functions/oms/orders/update-orders.ts";
import { claimOrder } from "../../../../shared/picking/picking-flows.ts";
import { expectBalanceAndMovements } from "../../../support/business/ledger.ts";
import {
  announceReplenishment,
  byManager,
  newProduct,
  pendingOrder,
} from "../../../support/business/world.ts";
import { at, listAt, numberAt } from "../../../support/http/client.ts";
import { createAndAnswer } from "../../../support/records/flows.ts";
import { orderOf, productOf, unique } from "../../../support/records/records.ts";
import { dyingAfter } from "../../../support/records/troubled.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { expireKeyLocks } from "../../../support/store/key-locks.ts";
import { asked } from "../../../support/store/sagas.ts";

/**
 * The same `Idempotency-Key` has one effect, however the first call died, and whatever other clients did with
 * the record before the retry.
 */

const service = await ownService({ paused: true });
const { sku } = await newProduct(service);

type Send = ReturnType<typeof asked>;

/** A call that changes one record. */
interface Change {
  /** The call with a new key. */
  readonly begin: () => Send;
  /** The record as clients read it. */
  readonly read: () => Promise<unknown>;
  /** Another client changes the record. */
  readonly interfere: () => Promise<unknown>;
}

const get = async (path: string, from = "data") => at((await service.oms.get(path)).body, from);

async function ok(answer: Promise<{ readonly status: number; readonly body: unknown }>): Promise<unknown> {
  const { status, body } = await answer;
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

const order = async (endpoint: Parameters<typeof asked>[1], body: object, interfere?: () => unknown) => {
  const order_id = await pendingOrder(service, [{ sku, quantity: 1 }]);
  const read = () => get(`/orders/${order_id}`);
  const of = { ...body, order_id };
  const sent = endpoint.method === "PUT" ? { data: [of] } : of;
  return {
    begin: () => asked(service, endpoint, sent),
    read,
    interfere: async () => {
      await interfere?.();
      await service.oms.post("/orders/sub_status", { order_id, sub_status: unique("other") });
    },
  };
};

const changes: Readonly<Record<string, () => Promise<Change>>> = {
  "PUT of an order": async () => {
    const replaced = orderOf([{ sku, quantity: 3 }]);
    return order(updateOrders, replaced);
  },
  "PUT of an order that is claimed then": async () => {
    const order_id = await pendingOrder(service, [{ sku, quantity: 1 }]);
    const replaced = orderOf([{ sku, quantity: 3 }]);
    return {
      begin: () => asked(service, updateOrders, { data: [{ ...replaced, order_id }] }),
      read: () => get(`/orders/${order_id}`),
      interfere: () => claimOrder(byManager(service.db), order_id, unique("picker")),
    };
  },
  cancel: () => order(cancelOrder, {}),
  "sub-status": () => order(setSubStatus, { sub_status: "mine" }),
  "PATCH of a product": async () => {
    const product = await newProduct(service);
    const patch = (description: string) => ({ data: [{ sku: product.sku, description }] });
    return {
      begin: () => asked(service, patchProducts, patch("mine")),
      read: () => get(`/inventory/products/${product.product_id}`),
      interfere: () => ok(service.oms.patch("/inventory/products", patch(unique("other")))),
    };
  },
  "PATCH of a synset": async () => {
    const synset = unique("synset");
    const of = (quantity: number) => ({ data: [{ synset, items: [{ sku, quantity }] }] });
    await ok(service.oms.post("/inventory/synsets", of(1)));
    let other = 10;
    return {
      begin: () => asked(service, patchSynsets, of(7)),
      read: () => get(`/inventory/synsets/${synset}`),
      interfere: () => ok(service.oms.patch("/inventory/synsets", of(other++))),
    };
  },
  "PATCH of a replenishment": async () => {
    const { replenishment_id } = await announceReplenishment(service, [{ sku, quantity: 8 }]);
    const patch = (quantity: number) => ({ data: [{ replenishment_id, items: [{ sku, quantity }] }] });
    let other = 10;
    return {
      begin: () => asked(service, patchReplenishments, patch(7)),
      read: () => get(`/inventory/replenishments/${replenishment_id}`),
      interfere: () => ok(service.oms.patch("/inventory/replenishments", patch(other++))),
    };
  },
};

describe.each(Object.entries(changes))("a retried %s", (_name, prepare) => {
  test("after a call that died anywhere changes the record once, and answers as that call would have", async () => {
    let deaths = 0;
    let untouched = 0;
    for (let writes = 0; ; writes += 1) {
      const { begin, read, interfere } = await prepare();
      const send = begin();
      const before = await read();

      const survived = await send(dyingAfter(service, writes)).catch(() => undefined);
      if (survived !== undefined) break;
      const left = await read();
      await expireKeyLocks(service);
      await interfere();
      const interfered = await read();
      const retried = await send(service.db);
      const after = await read();
      const again = await send(service.db);

      deaths += 1;
      expect([again.statusCode, again.body]).toEqual([retried.statusCode, retried.body]);
      const answered = at(JSON.parse(retried.body ?? ""), "data");
      const isStored = JSON.stringify(left) !== JSON.stringify(before);
      if (!isStored) untouched += 1;
      else {
        expect(retried.statusCode).toBe(200);
        expect(left).toMatchObject(Object(Array.isArray(answered) ? answered[0] : answered));
        expect(after).toEqual(interfered);
      }
    }
    expect(untouched).toBeGreaterThan(0);
    expect(deaths).toBeGreaterThan(untouched);
  });
});

const bulk: Readonly<
  Record<
    string,
    () => Promise<{
      readonly endpoint: Parameters<typeof asked>[1];
      readonly body: object;
      /** The records that the call changes, as clients read them. */
      readonly read: () => Promise<readonly unknown[]>;
      readonly interfere: () => Promise<unknown>;
    }>
  >
> = {
  "PATCH of 60 products": async () => {
    const products = Array.from({ length: 60 }, () => productOf());
    await createAndAnswer(service, createProducts, ...products);
    const patch = (description: string) => products.map(({ sku: own }) => ({ sku: own, description }));
    const skus = new Set<unknown>(products.map(({ sku: own }) => own));
    return {
      endpoint: patchProducts,
      body: { data: patch("mine") },
      read: async () =>
        listAt((await service.oms.get("/inventory/products?per_page=100")).body, "data").filter((one) =>
          skus.has(at(one, "sku")),
        ),
      interfere: () => ok(service.oms.patch("/inventory/products", { data: patch("other") })),
    };
  },
  "cancel-bulk of 40 orders": async () => {
    const ids: number[] = [];
    const data = Array.from({ length: 40 }, () => orderOf([{ sku, quantity: 1 }]));
    const body = await ok(service.oms.post("/orders", { data }));
    for (const one of listAt(body, "data")) ids.push(numberAt(one, "order_id"));
    return {
      endpoint: cancelOrders,
      body: { order_ids: ids },
      read: async () =>
        listAt((await service.oms.get("/orders?per_page=100")).body, "data").filter((one) =>
          ids.includes(numberAt(one, "order_id")),
        ),
      interfere: async () => {
        for (const order_id of ids)
          await service.oms.post("/orders/sub_status", { order_id, sub_status: "other" });
      },
    };
  },
};

describe.each(Object.entries(bulk))("a retried %s", (_name, prepare) => {
  test("after a call that died between its transactions changes each record once", async () => {
    const { endpoint, body, read, interfere } = await prepare();
    const before = await read();
    const send = asked(service, endpoint, body);
    // The lock, and the first transaction.
    await expect(send(dyingAfter(service, 2))).rejects.toThrow();
    await service.runtime.requestsDone();
    const left = await read();
    await expireKeyLocks(service);
    await interfere();
    const interfered = await read();

    const retried = await send(service.db);
    const again = await send(service.db);
    const after = await read();

    expect([retried.statusCode, again.statusCode]).toEqual([200, 200]);
    expect(again.body).toBe(retried.body);
    const stored = left.map((one, index) => JSON.stringify(one) !== JSON.stringify(before[index]));
    expect(new Set(stored)).toEqual(new Set([true, false]));
    const answers = listAt(JSON.parse(retried.body ?? ""), "data");
    const id = "order_id" in Object(answers[0]) ? "order_id" : "product_id";
    const answerOf = new Map(answers.map((one) => [at(one, id), one]));
    for (const [index, isStored] of stored.entries()) {
      const expected = answerOf.get(at(left[index], id));
      if (isStored) {
        expect(left[index]).toMatchObject(Object(expected));
        expect(after[index]).toEqual(interfered[index]);
      } else expect(after[index]).toMatchObject(Object(expected));
    }
  });
});

test("goods of retried calls have books that agree", () => expectBalanceAndMovements(service, sku));
