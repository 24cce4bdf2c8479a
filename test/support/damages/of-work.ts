/** Damage to serials and webhooks. */
import { expect } from "vitest";
import { endpoint as createSerials } from "../../../functions/oms/serials/create-serials.ts";
import { deliveryLookup, insertDelivery, newDeliveryId } from "../../../shared/data/deliveries.ts";
import { findAnyOrder, orderLookup } from "../../../shared/data/orders.ts";
import { serialLookup } from "../../../shared/data/serials.ts";
import { secretLookup } from "../../../shared/data/webhook-secrets.ts";
import { countLookup, idsLookup, progressLookup, webhookLookup } from "../../../shared/data/webhooks.ts";
import { newDelivery } from "../../../shared/domain/webhooks/delivery.ts";
import { getItem } from "../../../shared/store/reads.ts";
import { transact } from "../../../shared/store/transact.ts";
import { keyOf } from "../../../shared/store/writes.ts";
import { create } from "../flows.ts";
import type { Service } from "../service.ts";
import { newWebhook } from "../webhooks.ts";
import { claimedOrder, picked, pickFrom, returned, shippedOrder, stocked } from "../world.ts";
import { type Damage, damage, invent, lose } from "./damage.ts";
import { storeWithMethod } from "./of-stock.ts";

/** A product with the serials S-1 and S-2, of which the first is picked for an order. */
async function serialized(service: Service) {
  const { sku, product_id } = await stocked(service, 2);
  await create(service, createSerials, { sku, serials: ["S-1", "S-2"] });
  const orderId = await claimedOrder(service, [{ sku, quantity: 1 }]);
  await picked(service, orderId, { ...pickFrom(sku, 1), serials: ["S-1"] });
  return { product_id, orderId };
}

const what = "the order that it is picked for";

/** A webhook of an account of its own, and a delivery of it that waits. */
async function waiting(service: Service) {
  const store = await storeWithMethod(service);
  const { webhook_id } = await newWebhook(store);
  const now = new Date().toISOString();
  const event = { id: "evt_1", type: "order.created", sequence: 0 };
  const delivery_id = newDeliveryId(now);
  const writes = insertDelivery(newDelivery({ webhook_id, delivery_id, cause: "event", event }, now));
  await transact(service.db, writes);
  const [, entry] = writes;
  if (entry === undefined) throw new Error("the delivery does not wait");
  const lookup = deliveryLookup(webhook_id, delivery_id);
  return { entry: { table: "webhooks", key: keyOf(entry) } as const, lookup, delivery_id, webhook_id };
}

/** Each damages data of its own. They are prepared first, and done together. */
export const damagesOfWork: Readonly<Record<string, (service: Service) => Promise<Damage>>> = {
  "a serial that its order named and that can be picked again": async (service) => {
    const { product_id, orderId } = await serialized(service);
    const { key, table } = serialLookup(product_id, "S-1");
    return {
      breaks: () =>
        invent(
          service.db,
          { table, key },
          { product_id, serial: "S-1", created_at: "2026-01-01", receipt: "" },
        ),
      finds: [{ record: `serial S-1 of product ${product_id}`, what, is: "none", ought: orderId }],
    };
  },
  "a serial that is picked for an order which does not name it": async (service) => {
    const { product_id, orderId } = await serialized(service);
    return {
      breaks: () => damage(service.db, serialLookup(product_id, "S-2"), {}, { picked_for: orderId }),
      finds: [{ record: `serial S-2 of product ${product_id}`, what, is: orderId, ought: "none" }],
    };
  },
  "a serial that an order names and that is gone": async (service) => {
    const { product_id, orderId } = await serialized(service);
    return {
      breaks: () => lose(service.db, serialLookup(product_id, "S-1")),
      leaves: [{ record: `serial S-1 of product ${product_id}`, is: "not there", ought: `order ${orderId}` }],
    };
  },
  "a return that its order does not note": async (service) => {
    const { sku, product_id } = await stocked(service, 5);
    const { order_id } = await shippedOrder(service, [{ sku, quantity: 3 }]);
    const before = await getItem(service.db, orderLookup(order_id));
    await returned(service, order_id, [{ sku, quantity: 2 }]);
    return {
      breaks: () => invent(service.db, orderLookup(order_id), { ...before }),
      finds: [
        { record: `order ${order_id}`, what: `returned units of product ${product_id}`, is: 0, ought: 2 },
      ],
      assess: async () => {
        const order = await findAnyOrder(service.db, order_id);
        expect(order?.items).toMatchObject([{ quantity: 3, returned: 2 }]);
      },
    };
  },
  "webhooks that are counted wrong": async (service) => {
    const store = await storeWithMethod(service);
    await newWebhook(store);
    return {
      breaks: () => damage(service.db, countLookup(store.accountId), { webhooks: 3 }),
      finds: [{ record: `webhooks of account ${store.accountId}`, what: "their number", is: 4, ought: 1 }],
    };
  },
  "ids of webhooks that are behind": async (service) => {
    await newWebhook(await storeWithMethod(service));
    return {
      breaks: () => damage(service.db, idsLookup, {}, { webhooks: 0 }),
      finds: [{ record: "ids of webhooks", what: "the last one that was given", is: 0 }],
    };
  },
  "a webhook of which nobody knows how far it has come": async (service) => {
    const store = await storeWithMethod(service);
    const { webhook_id } = await newWebhook(store);
    return {
      breaks: () => lose(service.db, progressLookup(webhook_id)),
      finds: [{ record: `webhook ${webhook_id} of account ${store.accountId}`, what: "how far it has come" }],
    };
  },
  "a webhook that is ahead of its feed": async (service) => {
    const store = await storeWithMethod(service);
    const { webhook_id } = await newWebhook(store);
    return {
      breaks: () => damage(service.db, progressLookup(webhook_id), { cursor: 7 }),
      finds: [
        {
          record: `webhook ${webhook_id} of account ${store.accountId}`,
          what: "the last event that was handed over",
          is: 7,
          ought: "at most 0, where the feed ends",
        },
      ],
    };
  },
  "a webhook whose secret is gone": async (service) => {
    const store = await storeWithMethod(service);
    const { webhook_id } = await newWebhook(store);
    return {
      breaks: () => lose(service.db, secretLookup(webhook_id, 1)),
      leaves: [
        {
          record: `webhook ${webhook_id} of account ${store.accountId}`,
          what: "its secret of version 1",
          is: "not there",
        },
      ],
    };
  },
  "progress and a secret of a webhook that is gone": async (service) => {
    const store = await storeWithMethod(service);
    const { webhook_id } = await newWebhook(store);
    const record = `webhook ${webhook_id}`;
    return {
      breaks: async () => {
        await lose(service.db, webhookLookup(store.accountId, webhook_id));
        await damage(service.db, countLookup(store.accountId), { webhooks: -1 });
      },
      finds: [
        { record, what: "how far it has come" },
        { record, what: "a secret" },
      ],
    };
  },
  "a delivery that waits and is not found": async (service) => {
    const { webhook_id, delivery_id, entry } = await waiting(service);
    return {
      breaks: () => lose(service.db, entry),
      finds: [{ record: `delivery ${delivery_id} of webhook ${webhook_id}`, is: "not there" }],
    };
  },
  "a delivery that was made and still waits": async (service) => {
    const { webhook_id, delivery_id, lookup } = await waiting(service);
    return {
      breaks: () => damage(service.db, lookup, {}, { status: "delivered" }),
      finds: [
        {
          record: `delivery ${delivery_id} of webhook ${webhook_id}`,
          is: "there, and the delivery is delivered",
        },
      ],
    };
  },
};
