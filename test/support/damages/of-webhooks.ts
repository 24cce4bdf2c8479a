/** Damages to webhooks and their deliveries. */
import { expect } from "vitest";
import { feedHeadLookup } from "../../../shared/events/feed-repository.ts";
import { getItem } from "../../../shared/store/dynamodb/reads.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { keyOf } from "../../../shared/store/dynamodb/writes.ts";
import { newDelivery } from "../../../shared/webhooks/delivery.ts";
import {
  deliveryLookup,
  insertDelivery,
  newDeliveryId,
} from "../../../shared/webhooks/delivery-repository.ts";
import { secretLookup } from "../../../shared/webhooks/secret-repository.ts";
import {
  countLookup,
  idsLookup,
  webhookLookup,
  webhookProgressLookup,
} from "../../../shared/webhooks/webhook-repository.ts";
import { type Damage, damage, invent, lose, loseAll, type Site } from "./damage.ts";

/** A waiting delivery of a new webhook. */
async function waiting(site: Site) {
  const { webhook_id } = site.webhook();
  const now = new Date().toISOString();
  const event = { id: "evt_1", type: "order.created", sequence: 0 };
  const delivery_id = newDeliveryId(now);
  const writes = insertDelivery(
    newDelivery({ webhook_id, delivery_id, cause: "event", event, request_id: null }, now),
  );
  await transact(site.db, writes);
  const [, entry] = writes;
  if (entry === undefined) throw new Error("the delivery does not wait");
  const lookup = deliveryLookup(webhook_id, delivery_id);
  return { entry: { table: "webhooks", key: keyOf(entry) } as const, lookup, delivery_id, webhook_id };
}

export const damagesOfWebhooks: Readonly<Record<string, (site: Site) => Promise<Damage>>> = {
  "a wrong count of webhooks": async (site) => {
    const { accountId } = site.webhook();
    return {
      breaks: () => damage(site.db, countLookup(accountId), { webhooks: 3 }),
      leaves: [{ record: `webhooks of account ${accountId}`, what: "their number", actual: 4, expected: 1 }],
    };
  },
  "a counter of webhook ids that is behind": async (site) => {
    site.webhook();
    return {
      breaks: () => damage(site.db, idsLookup, {}, { webhooks: 0 }),
      finds: [{ record: "ids of webhooks", what: "the last one that was given", actual: 0 }],
    };
  },
  "a webhook without progress": async (site) => {
    const { accountId, webhook_id } = site.webhook();
    return {
      breaks: () => lose(site.db, webhookProgressLookup(webhook_id)),
      finds: [{ record: `webhook ${webhook_id} of account ${accountId}`, what: "how far it has come" }],
    };
  },
  "a webhook that is ahead of its feed": async (site) => {
    const { accountId, webhook_id } = site.webhook();
    await invent(site.db, feedHeadLookup(accountId), { sequence: 3 });
    return {
      breaks: () => damage(site.db, webhookProgressLookup(webhook_id), { cursor: 7 }),
      finds: [
        {
          record: `webhook ${webhook_id} of account ${accountId}`,
          what: "the last event that was handed over",
          actual: 7,
          expected: "at most 3, where the feed ends",
        },
      ],
    };
  },
  "a webhook without its secret": async (site) => {
    const { accountId, webhook_id } = site.webhook();
    return {
      breaks: () => lose(site.db, secretLookup(webhook_id, 1)),
      leaves: [
        {
          record: `webhook ${webhook_id} of account ${accountId}`,
          what: "its secret of version 1",
          actual: "not there",
        },
      ],
    };
  },
  "progress and a secret of a missing webhook": async (site) => {
    const { accountId, webhook_id, secret } = site.webhook();
    const record = `webhook ${webhook_id}`;
    return {
      breaks: async () => {
        await lose(site.db, webhookLookup(accountId, webhook_id));
        await damage(site.db, countLookup(accountId), { webhooks: -1 });
      },
      leaves: [
        { record, what: "how far it has come" },
        { record, what: "a secret" },
      ],
      assess: async () => {
        expect(await getItem(site.db, webhookProgressLookup(webhook_id))).toBeDefined();
        expect(await getItem(site.db, secretLookup(webhook_id, 1))).toMatchObject({ secret });
      },
    };
  },
  "an unreadable webhook, and unreadable progress of another": async (site) => {
    const { accountId, webhook_id, secret } = site.webhook();
    const lookup = webhookLookup(accountId, webhook_id);
    const other = site.webhook();
    return {
      breaks: async () => {
        await damage(site.db, lookup, {}, { secrets: "torn" });
        await damage(site.db, webhookProgressLookup(other.webhook_id), {}, { cursor: "torn" });
      },
      leaves: [{ record: "table webhooks", what: `the item ${lookup.key.pk} ${lookup.key.sk}` }],
      hides: [
        `webhooks of account ${accountId}`,
        `webhook ${other.webhook_id} of account ${other.accountId}`,
      ],
      assess: async () => {
        expect(await getItem(site.db, webhookProgressLookup(webhook_id))).toBeDefined();
        expect(await getItem(site.db, secretLookup(webhook_id, 1))).toMatchObject({ secret });
      },
    };
  },
  "a waiting delivery without its entry, unless it has expired": async (site) => {
    const [{ webhook_id, delivery_id, entry }, expired] = [await waiting(site), await waiting(site)];
    await damage(site.db, expired.lookup, {}, { expires_at: 1 });
    return {
      breaks: () => loseAll(site.db, [entry, expired.entry]),
      finds: [{ record: `delivery ${delivery_id} of webhook ${webhook_id}`, actual: "not there" }],
    };
  },
  "a delivered event that still has an entry": async (site) => {
    const { webhook_id, delivery_id, lookup } = await waiting(site);
    return {
      breaks: () => damage(site.db, lookup, {}, { status: "delivered" }),
      finds: [
        {
          record: `delivery ${delivery_id} of webhook ${webhook_id}`,
          actual: "there, and the delivery is delivered",
        },
      ],
    };
  },
  "an unreadable delivery": async (site) => {
    const { entry, lookup } = await waiting(site);
    return {
      breaks: () => damage(site.db, lookup, {}, { status: "torn" }),
      leaves: [{ record: "table webhooks", what: `the item ${lookup.key.pk} ${lookup.key.sk}` }],
      hides: [`entry ${entry.key.pk} ${entry.key.sk}`],
      assess: async () => expect(await getItem(site.db, entry)).toBeDefined(),
    };
  },
};
