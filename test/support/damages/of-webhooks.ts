/** Damage to webhooks and their deliveries. */
import { expect } from "vitest";
import { deliveryLookup, insertDelivery, newDeliveryId } from "../../../shared/data/deliveries.ts";
import { secretLookup } from "../../../shared/data/webhook-secrets.ts";
import { countLookup, idsLookup, progressLookup, webhookLookup } from "../../../shared/data/webhooks.ts";
import { newDelivery } from "../../../shared/domain/webhooks/delivery.ts";
import { getItem } from "../../../shared/store/reads.ts";
import { transact } from "../../../shared/store/transact.ts";
import { keyOf } from "../../../shared/store/writes.ts";
import type { Service } from "../service.ts";
import { newWebhook } from "../webhooks.ts";
import { newStore } from "../world.ts";
import { type Damage, damage, lose } from "./damage.ts";

/** An account of its own. */
const ownStore = async (service: Service): Promise<Service> => ({
  ...service,
  ...(await newStore(service)),
});

/** A webhook of an account of its own, and a delivery of it that waits. */
async function waiting(service: Service) {
  const store = await ownStore(service);
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
export const damagesOfWebhooks: Readonly<Record<string, (service: Service) => Promise<Damage>>> = {
  "webhooks that are counted wrong": async (service) => {
    const store = await ownStore(service);
    await newWebhook(store);
    return {
      breaks: () => damage(service.db, countLookup(store.accountId), { webhooks: 3 }),
      finds: [{ record: `webhooks of account ${store.accountId}`, what: "their number", is: 4, ought: 1 }],
    };
  },
  "ids of webhooks that are behind": async (service) => {
    await newWebhook(await ownStore(service));
    return {
      breaks: () => damage(service.db, idsLookup, {}, { webhooks: 0 }),
      finds: [{ record: "ids of webhooks", what: "the last one that was given", is: 0 }],
    };
  },
  "a webhook of which nobody knows how far it has come": async (service) => {
    const store = await ownStore(service);
    const { webhook_id } = await newWebhook(store);
    return {
      breaks: () => lose(service.db, progressLookup(webhook_id)),
      finds: [{ record: `webhook ${webhook_id} of account ${store.accountId}`, what: "how far it has come" }],
    };
  },
  "a webhook that is ahead of its feed": async (service) => {
    const store = await ownStore(service);
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
    const store = await ownStore(service);
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
    const store = await ownStore(service);
    const { webhook_id, secret } = await newWebhook(store);
    const record = `webhook ${webhook_id}`;
    return {
      breaks: async () => {
        await lose(service.db, webhookLookup(store.accountId, webhook_id));
        await damage(service.db, countLookup(store.accountId), { webhooks: -1 });
      },
      finds: [{ record, what: "how far it has come" }],
      leaves: [{ record, what: "a secret" }],
      assess: async () =>
        expect(await getItem(service.db, secretLookup(webhook_id, 1))).toMatchObject({ secret }),
    };
  },
  "a webhook that can't be read": async (service) => {
    const store = await ownStore(service);
    const { webhook_id, secret } = await newWebhook(store);
    const lookup = webhookLookup(store.accountId, webhook_id);
    return {
      breaks: () => damage(service.db, lookup, {}, { secrets: "torn" }),
      leaves: [{ record: "table webhooks", what: `the item ${lookup.key.pk} ${lookup.key.sk}` }],
      hides: [`webhooks of account ${store.accountId}`],
      assess: async () => {
        expect(await getItem(service.db, progressLookup(webhook_id))).toBeDefined();
        expect(await getItem(service.db, secretLookup(webhook_id, 1))).toMatchObject({ secret });
      },
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
  "a delivery that can't be read": async (service) => {
    const { entry, lookup } = await waiting(service);
    return {
      breaks: () => damage(service.db, lookup, {}, { status: "torn" }),
      leaves: [{ record: "table webhooks", what: `the item ${lookup.key.pk} ${lookup.key.sk}` }],
      hides: [`entry ${entry.key.pk} ${entry.key.sk}`],
      assess: async () => expect(await getItem(service.db, entry)).toBeDefined(),
    };
  },
};
