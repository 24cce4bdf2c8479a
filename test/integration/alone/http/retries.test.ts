import { describe, expect, test } from "vitest";
import { endpoint as createAttributes } from "../../../../functions/oms/attributes/create-attributes.ts";
import { endpoint as patchAliases } from "../../../../functions/oms/inventory/aliases/patch-aliases.ts";
import { endpoint as createProducts } from "../../../../functions/oms/inventory/products/create-products.ts";
import { endpoint as patchProducts } from "../../../../functions/oms/inventory/products/patch-products.ts";
import { endpoint as createReplenishments } from "../../../../functions/oms/inventory/replenishments/create-replenishments.ts";
import { endpoint as patchReplenishments } from "../../../../functions/oms/inventory/replenishments/patch-replenishments.ts";
import { endpoint as createReturns } from "../../../../functions/oms/inventory/returns/create-returns.ts";
import { endpoint as patchSynsets } from "../../../../functions/oms/inventory/synsets/patch-synsets.ts";
import { endpoint as cancelOrder } from "../../../../functions/oms/orders/cancel-order.ts";
import { endpoint as cancelOrders } from "../../../../functions/oms/orders/cancel-orders.ts";
import { endpoint as createOrders } from "../../../../functions/oms/orders/create-orders.ts";
import { endpoint as setSubStatus } from "../../../../functions/oms/orders/set-sub-status.ts";
import { endpoint as updateOrders } from "../../../../functions/oms/orders/update-orders.ts";
import { endpoint as createSerials } from "../../../../functions/oms/serials/create-serials.ts";
import { endpoint as setSerialAttributes } from "../../../../functions/oms/serials/set-serial-attributes.ts";
import { claimOrder } from "../../../../shared/picking/picking-flows.ts";
import { expectBalanceAndMovements } from "../../../support/business/ledger.ts";
import { goodsOf } from "../../../support/business/stockpile.ts";
import {
  announceReplenishment,
  byManager,
  newOrders,
  newProduct,
  pendingOrder,
  shippedOrder,
} from "../../../support/business/world.ts";
import { at, listAt, numberAt } from "../../../support/http/client.ts";
import { createAndAnswer } from "../../../support/records/flows.ts";
import { aliasOf, orderOf, productOf, unique } from "../../../support/records/records.ts";
import { dyingAfter, troubledDatabase } from "../../../support/records/troubled.ts";
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

/** A call that creates or changes one record. */
interface Change {
  /** The call with a new key. */
  readonly begin: () => Send;
  /** The record as clients read it; undefined while there is none. */
  readonly read: () => Promise<unknown>;
  /** Another client changes the record before the retry. */
  readonly interfere?: () => Promise<unknown>;
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
  "PATCH of an alias": async () => {
    const [named, alias] = [aliasOf({ sku }), unique("renamed")];
    const made = await ok(service.oms.post("/inventory/aliases", { data: [named] }));
    const sent = (more: object) => ({ data: [{ alias_id: numberAt(made, "data.0.alias_id"), ...more }] });
    let other = "EAST";
    return {
      begin: () => asked(service, patchAliases, sent({ alias, sku: "DEMO-MUG" })),
      read: async () =>
        (await get(`/inventory/aliases/${alias}`)) ?? get(`/inventory/aliases/${named.alias}`),
      interfere: () => {
        other = other === "EAST" ? "MAIN" : "EAST";
        return ok(service.oms.patch("/inventory/aliases", sent({ distribution_center: other })));
      },
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

const red = [{ attribute: "color", value: "red" }];

const creates: Readonly<Record<string, () => Promise<Change>>> = {
  "POST of an order": async () => {
    const sent = orderOf([{ sku, quantity: 2 }]);
    return {
      begin: () => asked(service, createOrders, { data: [sent] }),
      read: () => get(`/orders?order_number=${sent.order_number}`, "data.0"),
    };
  },
  "POST of a product": async () => {
    const sent = productOf();
    return {
      begin: () => asked(service, createProducts, { data: [sent] }),
      read: () => get(`/inventory/products/${sent.sku}`),
    };
  },
  "POST of a replenishment": async () => {
    const reference = unique("REF");
    return {
      begin: () =>
        asked(service, createReplenishments, { data: [{ items: [{ sku, quantity: 1 }], reference }] }),
      read: () => get(`/inventory/replenishments?reference=${reference}`, "data.0"),
    };
  },
  "POST of a return": async () => {
    const items = [{ sku: (await goodsOf(service, 1)).sku, quantity: 1 }];
    const data = [{ order_id: (await shippedOrder(service, items)).order_id, items }];
    return {
      begin: () => asked(service, createReturns, { data }),
      read: () => get(`/inventory/returns?order_id=${data[0]?.order_id}`, "data.0"),
    };
  },
  "POST of an attribute": async () => {
    const path = { owner_type: "product", owner_id: String((await newProduct(service)).product_id) };
    return {
      begin: () => asked(service, createAttributes, { data: red }, { params: path, query: {} }),
      read: () => get(`/attributes/product/${path.owner_id}`, "data.0"),
    };
  },
  "POST of a serial's attributes": async () => {
    const { product_id, sku: own } = await newProduct(service);
    await ok(service.oms.post("/serials/bulk", { data: [{ sku: own, serials: ["A1"] }] }));
    const range = { sku: own, serial_start: "A1", serial_end: "A1" };
    const of = (value: string) => ({ data: [{ ...range, attributes: [{ attribute: "color", value }] }] });
    return {
      begin: () => asked(service, setSerialAttributes, of("red")),
      read: async () => {
        const attributes = await get(`/serials/${own}/A1`, "data.attributes");
        return at(attributes, "0") === undefined
          ? undefined
          : { ...range, product_id, serials_covered: 1, attributes };
      },
      interfere: () => ok(service.oms.post("/serials/batch/attributes", of("blue"))),
    };
  },
  "POST of serials": async () => {
    const { product_id, sku: own } = await newProduct(service);
    const record = { sku: own, serials: ["A", "B"] };
    return {
      begin: () => asked(service, createSerials, { data: [record] }),
      read: async () => {
        const found = await get(`/serials/${own}/B`);
        return found && { ...record, product_id, created_at: at(found, "created_at") };
      },
    };
  },
};

const isReplayed = ({ headers }: Awaited<ReturnType<Send>>): boolean =>
  headers?.["idempotent-replayed"] === "true";

describe.each(Object.entries({ ...creates, ...changes }))("a retried %s", (_name, prepare) => {
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
      await interfere?.();
      const interfered = await read();
      const retried = await send(service.db);
      const after = await read();
      const again = await send(service.db);

      deaths += 1;
      expect([again.statusCode, again.body]).toEqual([retried.statusCode, retried.body]);
      const answered = at(JSON.parse(retried.body ?? ""), "data");
      const record = Object(Array.isArray(answered) ? answered[0] : answered);
      const isStored = JSON.stringify(left) !== JSON.stringify(before);
      if (!isStored) untouched += 1;
      if (isStored || interfere === undefined)
        expect([retried.statusCode, isReplayed(retried)]).toEqual([200, isStored]);
      if (isStored) {
        expect(left).toMatchObject(record);
        expect(after).toEqual(interfered);
      } else if (interfere === undefined) expect(after).toMatchObject(record);
    }
    expect(untouched).toBeGreaterThan(0);
    expect(deaths).toBeGreaterThan(untouched);
  });
});

describe.each(Object.entries(changes))("a %s that another client overtakes", (_name, prepare) => {
  test("is decided again on the record as it is then, so neither change is lost", async () => {
    const { begin, read, interfere } = await prepare();
    const before = await read();
    const overtaken = troubledDatabase(service, { before: async () => interfere?.() });

    const answer = await begin()(overtaken.db);

    const after = await read();
    const isRefused = at(after, "status") === "Processing";
    expect(overtaken.hits).toBe(1);
    expect([answer.statusCode, numberAt(after, "version") - numberAt(before, "version")]).toEqual(
      isRefused ? [400, 1] : [200, 2],
    );
  });
});

/** What the first page of a list shows of records, which have an own value in a field, in their order. */
async function listed(path: string, field: string, records: readonly object[]) {
  const found = listAt(await ok(service.oms.get(`${path}?per_page=100`)), "data");
  return records.map((record) => found.find((one) => at(one, field) === at(record, field)));
}

/** Has a call die after its first transaction about records. Answers what clients read of them then. */
async function dyingHalfWay<R>(send: Send, read: () => Promise<readonly R[]>): Promise<readonly R[]> {
  const before = JSON.stringify(await read());
  for (let writes = 2; ; writes += 1) {
    await expect(send(dyingAfter(service, writes))).rejects.toThrow();
    await service.runtime.requestsDone();
    await expireKeyLocks(service);
    const left = await read();
    if (JSON.stringify(left) !== before) return left;
  }
}

/** More orders than are stored at once. */
function hundredOrders() {
  const lines = [sku, "DEMO-TEE", "DEMO-MUG", "DEMO-CAP"].map((one) => ({ sku: one, quantity: 1 }));
  return Array.from({ length: 100 }, () => orderOf(lines));
}

const bulk: Readonly<
  Record<
    string,
    () => Promise<{
      readonly endpoint: Parameters<typeof asked>[1];
      readonly body: object;
      /** The records of the call in its order, as clients read them; undefined where there is none. */
      readonly read: () => Promise<readonly unknown[]>;
      readonly interfere?: () => Promise<unknown>;
    }>
  >
> = {
  "POST of 100 orders": async () => {
    const data = hundredOrders();
    return { endpoint: createOrders, body: { data }, read: () => listed("/orders", "order_number", data) };
  },
  "POST of 80 products": async () => {
    const data = Array.from({ length: 80 }, () => productOf());
    const read = () => listed("/inventory/products", "sku", data);
    return { endpoint: createProducts, body: { data }, read };
  },
  "POST of 60 returns of one order": async () => {
    const items = [{ sku: (await goodsOf(service, 60)).sku, quantity: 60 }];
    const { order_id } = await shippedOrder(service, items);
    const data = Array.from({ length: 60 }, () => ({ order_id, items: [{ ...items[0], quantity: 1 }] }));
    return {
      endpoint: createReturns,
      body: { data },
      read: async () => {
        const found = listAt(
          { data: await get(`/inventory/returns?order_id=${order_id}&per_page=100`) },
          "data",
        );
        return data.map((_, position) => found.toReversed()[position]);
      },
    };
  },
  "POST of 600 serials": async () => {
    const { sku: own, product_id } = await newProduct(service);
    const data = Array.from({ length: 6 }, (_, record) => ({
      sku: own,
      serials: Array.from({ length: 100 }, (_serial, position) => `S${record}-${position}`),
    }));
    const stored = async ({ serials }: (typeof data)[number]) => {
      const found = await get(`/serials/${own}/${serials[99]}`);
      return found && { sku: own, product_id, serials, created_at: at(found, "created_at") };
    };
    return { endpoint: createSerials, body: { data }, read: () => Promise.all(data.map(stored)) };
  },
  "PATCH of 60 products": async () => {
    const products = Array.from({ length: 60 }, () => productOf());
    await createAndAnswer(service, createProducts, ...products);
    const patch = (description: string) => products.map(({ sku: own }) => ({ sku: own, description }));
    return {
      endpoint: patchProducts,
      body: { data: patch("mine") },
      read: () => listed("/inventory/products", "sku", products),
      interfere: () => ok(service.oms.patch("/inventory/products", { data: patch("other") })),
    };
  },
  "cancel-bulk of 40 orders": async () => {
    const ids = await newOrders(service, Array(40).fill([{ sku, quantity: 1 }]));
    const records = ids.map((order_id) => ({ order_id }));
    return {
      endpoint: cancelOrders,
      body: { order_ids: ids },
      read: () => listed("/orders", "order_id", records),
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
    const left = await dyingHalfWay(send, read);
    await interfere?.();
    const interfered = await read();

    const retried = await send(service.db);
    const again = await send(service.db);
    const after = await read();

    expect([retried, again].map((answer) => [answer.statusCode, isReplayed(answer)])).toEqual([
      [200, true],
      [200, true],
    ]);
    expect(again.body).toBe(retried.body);
    const stored = left.map((one, index) => JSON.stringify(one) !== JSON.stringify(before[index]));
    expect(new Set(stored)).toEqual(new Set([true, false]));
    const answers = listAt(JSON.parse(retried.body ?? ""), "data");
    for (const [index, isStored] of stored.entries()) {
      expect(isStored ? left[index] : after[index]).toMatchObject(Object(answers[index]));
      if (isStored) expect(after[index]).toEqual(interfered[index]);
    }
  });
});

test("a create whose function never hears that its records are stored is answered by a retry at once", async () => {
  const send = asked(service, createOrders, { data: [orderOf([{ sku, quantity: 1 }])] });
  const deaf = troubledDatabase(service);
  deaf.add("lose-response", { times: 20 });

  const failed = send(deaf.db);
  await expect(failed).rejects.toThrow();
  const retried = await send(service.db);

  expect([retried.statusCode, isReplayed(retried)]).toEqual([200, true]);
});

test("a create that died half way stores by a retry what can still be stored, and names the rest", async () => {
  const data = hundredOrders();
  const send = asked(service, createOrders, { data });
  const left = await dyingHalfWay(send, () => listed("/orders", "order_number", data));
  const half = left.map((one) => one !== undefined);
  const taken = half.indexOf(false);
  // Another call takes the number of an order that is not stored yet.
  await ok(service.oms.post("/orders", { data: data.slice(taken, taken + 1) }));

  const retried = await send(service.db);
  const again = await send(service.db);

  const answer: unknown = JSON.parse(retried.body ?? "");
  expect([retried.statusCode, again.statusCode, again.body]).toEqual([400, 400, retried.body]);
  expect(at(answer, "response.errors")).toMatchObject([
    { path: `data.${taken}.order_number`, message: `already exists (${data[taken]?.order_number})` },
  ]);
  expect(listAt(answer, "data").map((record) => at(record, "success"))).toEqual(half);
});

test("the stock of retried calls equals the sum of its movements", () =>
  expectBalanceAndMovements(service, sku));
