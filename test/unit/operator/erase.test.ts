import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { eraseCustomers, ordersWithEmail } from "../../../infra/operator/erase/erase-customers.ts";
import type { Event } from "../../../shared/events/event.ts";
import { feedBatch, feedBatchKey, readFeedHead } from "../../../shared/events/feed-repository.ts";
import type { Order } from "../../../shared/orders/order.ts";
import { erasedCustomer } from "../../../shared/orders/order-transitions.ts";
import { insertOrder, orderLookup } from "../../../shared/orders/storage/order-repository.ts";
import { compressOrder, orderAsStored } from "../../../shared/orders/storage/stored-order.ts";
import { feedWrites, readFeedState } from "../../../shared/publishing/feed-state.ts";
import { publish } from "../../../shared/publishing/publish.ts";
import { setAside, setAsideChanges } from "../../../shared/publishing/set-aside.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { Key } from "../../../shared/store/dynamodb/keys.ts";
import { getItem, type Lookup, type RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { Busy, withBudget } from "../../../shared/store/dynamodb/retry.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import type { TableName } from "../../../shared/store/tables.ts";
import type { ItemChange } from "../../../shared/streams/change.ts";
import { newDelivery } from "../../../shared/webhooks/delivery.ts";
import {
  deliveryLookup,
  insertDelivery,
  newDeliveryId,
} from "../../../shared/webhooks/delivery-repository.ts";
import { webhookProgressLookup } from "../../../shared/webhooks/webhook-repository.ts";
import { type FaultyStore, faultyStore } from "../../support/records/faulty-store.ts";
import { createdAt, sampleOrder, termsOf } from "../samples.ts";

let store: FaultyStore;
let db: Database;
beforeEach(() => {
  ({ store, db } = faultyStore());
});

const marker = "zqmark";

const cancelledOrder = (more: Partial<Order> = {}): Order =>
  sampleOrder({
    status: "Cancelled",
    customer: { ...termsOf().customer, firstname: marker, email: `${marker}@example.com` },
    ...more,
  });

async function stored(...some: readonly Order[]): Promise<void> {
  for (const one of some)
    await transact(db, insertOrder({ ...one, order_number: String(one.order_id) }, "data.0"));
}

const put = (table: TableName, item: Key & RawItem) => transact(db, [{ kind: "insert", table, item }]);

/** Publishes an event for each of these orders, in one batch of their account's feed. */
async function published(
  orders: readonly (Pick<Order, "order_id" | "customer" | "version"> & { readonly at: string })[],
): Promise<readonly Event[]> {
  const before = await readFeedState(db, 100, [], []);
  const { sequence } = await readFeedHead(db, 100, before.read_at);
  const events = orders.map(({ at, ...data }, position): Event => {
    const subject = { kind: "order", id: String(data.order_id) };
    return {
      ...{ id: `evt-${sequence + position + 1}`, sequence: sequence + position + 1, subject },
      ...{ type: "order.updated", version: "2026-11-22", account_id: 100, by: null, request_id: null },
      ...{ occurred_at: at, data, previous: null },
    };
  });
  const changes = events.map((one) => ({
    source: one.id,
    subject: one.subject,
    changed_at: one.occurred_at,
  }));
  await transact(db, feedWrites(100, before, { events, changes, levels: [] }));
  return events;
}

/** The first names of the customers in a batch of the feed. */
async function namesInBatch(last: number): Promise<readonly unknown[]> {
  const events = z.parse(feedBatch, await getItem(db, { table: "events", key: feedBatchKey(100, last) }));
  return events.map(({ data }) => z.parse(z.object({ customer: named }), data).customer.firstname);
}

const named = z.object({ firstname: z.string() });

const itemOf = (one: Order): RawItem => ({
  account_id: one.account_id,
  version: one.version,
  content: compressOrder(one, []).packed.content,
});

/** A change of an order's item, as the stream delivers it. */
const changeOf = (before: Order, after: Order, sequence: string): ItemChange => ({
  ...orderLookup(after.order_id),
  ...{ id: sequence, sequence, at: createdAt, before: itemOf(before), after: itemOf(after) },
});

/** The first names in the changes of an order that are set aside, before and after each. */
async function namesSetAside(orderId: number): Promise<readonly string[]> {
  const changes = await setAsideChanges(db, orderLookup(orderId));
  const images = changes.flatMap(({ change }) => [change.before, change.after]);
  return images.map((image) => z.parse(orderAsStored, image).record.customer.firstname);
}

let unreadable: string[] = [];
const onUnreadable = ({ table, key }: Lookup) => void unreadable.push(`${table} ${key.pk} ${key.sk}`);
beforeEach(() => {
  unreadable = [];
});

const erase = (orderIds: readonly number[], waitMs = 0) =>
  eraseCustomers(db, orderIds, { waitMs, settleMs: 0, advance: () => undefined, onUnreadable });

const outcomes = async (ended: ReturnType<typeof erase>) =>
  (await ended).orders.map(({ outcome }) => outcome);

describe("an order is erased once its erasure is", () => {
  test("set aside, which may be long after earlier changes were", async () => {
    const order = cancelledOrder();
    await stored(order);
    await setAside(db, changeOf(order, order, "1"), "unreadable");

    const ended = outcomes(erase([1001], 5_000));
    await sleep(800);
    const erased = { ...order, customer: erasedCustomer(order.customer, createdAt), version: 8 };
    await setAside(db, changeOf(order, erased, "2"), null);

    expect(await ended).toEqual(["erased"]);
    expect(await namesSetAside(1001)).toEqual(["", "", "", ""]);
  });

  test.each([
    ["by a clock that is behind", 8, "2020-01-01T00:00:00.000Z", "erased"],
    ["not if an earlier change is, by a clock that is ahead", 7, "2099-01-01T00:00:00.000Z", "unpublished"],
  ])("published, %s", async (_case, version, at, outcome) => {
    const order = cancelledOrder();
    await stored(order);
    await published([{ ...order, version, at }]);

    expect(await outcomes(erase([1001]))).toEqual([outcome]);
  });
});

test("a busy database is no refusal of the order: the erasure ends, and can be run again", async () => {
  await stored(cancelledOrder());
  const throttled = Object.assign(new Error("busy"), { name: "ThrottlingException" });
  store.fault = (command) => (command === "TransactWriteItems" ? throttled : undefined);

  const options = { waitMs: 0, settleMs: 0, advance: () => undefined, onUnreadable: () => undefined };
  const erasing = withBudget(() => eraseCustomers(db, [cancelledOrder().order_id], options), 0);

  await expect(erasing).rejects.toThrow(Busy);
});

describe("the copies of customers", () => {
  test("are erased in a batch of the feed that has events of several orders", async () => {
    const orders = [1001, 1002, 1003].map((order_id) => cancelledOrder({ order_id }));
    await stored(...orders);
    await published(orders.map((one) => ({ ...one, at: createdAt })));

    const { copies } = await erase([1001, 1002]);

    expect(await namesInBatch(3)).toEqual(["", "", marker]);
    expect(copies.events).toBe(1);
  });

  test("stay erased if another command rewrites the same batch", async () => {
    const orders = [1001, 1002].map((order_id) => cancelledOrder({ order_id }));
    await stored(...orders);
    await published(orders.map((one) => ({ ...one, at: createdAt })));

    await Promise.all([erase([1001]), erase([1002])]);

    expect(await namesInBatch(2)).toEqual(["", ""]);
  });

  test("stay erased if their change is set aside again", async () => {
    const order = cancelledOrder();
    await stored(order);
    const changes = [changeOf(order, order, "1"), changeOf(order, order, "2")] as const;
    for (const change of changes) await setAside(db, change, "unreadable");
    await erase([1001]);

    await setAside(db, changes[0], "unreadable");

    expect(await namesSetAside(1001)).toEqual(["", "", "", ""]);
  });

  test("are in no change that is delivered again and set aside after the erasure", async () => {
    const order = cancelledOrder();
    await stored(order);
    await setAside(db, changeOf(order, order, "1"), "unreadable");
    await erase([1001]);

    const { set_aside } = await publish(db, [changeOf(order, order, "2")], async () => undefined);

    expect(set_aside).toBe(1);
    expect(await namesSetAside(1001)).toEqual(["", "", "", ""]);
  });

  test("may be settled meanwhile", async () => {
    const order = cancelledOrder();
    await stored(order);
    const change = changeOf(order, order, "1");
    await setAside(db, change, "unreadable");
    store.fault = (command, input) => {
      if (command !== "TransactWriteItems" || !input.includes("set-aside-change")) return undefined;
      store.fault = () => undefined;
      const [first] = z.parse(rewriting, JSON.parse(input)).TransactItems;
      if (first !== undefined) store.call("DeleteItem", first.Update);
      return undefined;
    };

    expect(await outcomes(erase([1001]))).toEqual(["unpublished"]);
  });

  test("are erased in the answers of receivers whose webhook is deleted, and to events that left the feed", async () => {
    const order = cancelledOrder();
    await stored(order);
    const [own] = await published([{ ...order, at: createdAt }]);
    const kept = { id: "evt-other", type: "order.updated", sequence: 1 };
    const answers = [
      await answered(1, { ...kept, id: own?.id ?? "" }),
      await answered(1, kept),
      await answered(2, kept),
      await answered(2, { ...kept, type: "product.updated" }),
    ];
    await put("webhooks", { ...webhookProgressLookup(1).key, webhook_id: 1 });

    const { copies } = await erase([1001]);

    const bodies = await Promise.all(answers.map(async (one) => (await getItem(db, one))?.["response_body"]));
    expect(bodies).toEqual([null, marker, null, marker]);
    expect(copies.deliveries).toBe(2);
  });

  test("are all erased by an erasure by email that dies at any call and is run again", async () => {
    const answer = { table: "jobs", key: { pk: "idempotency#1", sk: "only" } } as const;
    const eraseByEmail = async () => {
      const sought = await ordersWithEmail(db, `${marker}@example.com`, 100, onUnreadable);
      return erase([...sought.orders, ...sought.earlier]);
    };
    for (let last = 1, isDone = false; !isDone; last += 1) {
      ({ store, db } = faultyStore());
      const orders = [1001, 1002].map((order_id) => cancelledOrder({ order_id }));
      await stored(...orders);
      await published(orders.map((one) => ({ ...one, at: createdAt })));
      for (const one of orders) await setAside(db, changeOf(one, one, "1"), "unreadable");
      await put("jobs", { ...answer.key, answer: gzipSync(JSON.stringify({ data: orders })) });
      const begun = store.calls.length;
      store.fault = () => (store.calls.length - begun >= last ? new Error("died") : undefined);

      isDone = await eraseByEmail().then(
        () => true,
        () => false,
      );
      store.fault = () => undefined;
      await eraseByEmail();

      const kept = z.parse(z.instanceof(Uint8Array), (await getItem(db, answer))?.["answer"]);
      expect(gunzipSync(kept).toString()).not.toContain(marker);
      expect(await namesInBatch(2)).toEqual(["", ""]);
      expect(await namesSetAside(1001)).toEqual(["", ""]);
      expect(await namesSetAside(1002)).toEqual(["", ""]);
    }
  });

  test("that can't be read are named, and the others erased", async () => {
    const order = cancelledOrder();
    await stored(order);
    const answer = { data: [{ order_id: 1001, customer: { firstname: marker } }] };
    await put("jobs", { pk: "idempotency#1", sk: "only", answer: Buffer.from("no gzip") });
    await put("jobs", { pk: "idempotency#2", sk: "only", answer: gzipSync(JSON.stringify(answer)) });
    await put("orders", { pk: "order#0", sk: "000000000001", account_id: 100, content: Buffer.from("none") });
    await put("orders", { pk: "order#0", sk: "000000000002", account_id: 100, layout: 7 });
    await put("webhooks", { pk: "webhook-deliveries#1", sk: "1", layout: 7 });
    await put("jobs", { pk: "idempotency#3", sk: "only", layout: 7 });

    const { orders: found } = await ordersWithEmail(db, `${marker}@EXAMPLE.com`, 100, onUnreadable);
    const { copies } = await erase(found);

    const rewritten = await getItem(db, { table: "jobs", key: { pk: "idempotency#2", sk: "only" } });
    expect([found, copies.answers]).toEqual([[1001], 1]);
    expect(JSON.stringify(rewritten)).not.toContain(marker);
    expect(gunzipSync(z.parse(z.instanceof(Uint8Array), rewritten?.["answer"])).toString()).not.toContain(
      marker,
    );
    expect(unreadable).toEqual([
      "orders order#0 000000000001",
      "orders order#0 000000000002",
      "webhooks webhook-deliveries#1 1",
      "jobs idempotency#1 only",
      "jobs idempotency#3 only",
    ]);
  });
});

/** The items that a transaction changes. */
const rewriting = z.object({
  TransactItems: z.array(
    z.object({
      Update: z.object({ TableName: z.string(), Key: z.record(z.string(), z.object({ S: z.string() })) }),
    }),
  ),
});

/** A delivery of an event to a webhook, which answered with the customer's name. */
async function answered(
  webhook_id: number,
  event: Parameters<typeof newDelivery>[0]["event"],
): Promise<Lookup> {
  const now = new Date().toISOString();
  const delivery_id = newDeliveryId(now);
  const created = newDelivery({ webhook_id, delivery_id, cause: "resend", request_id: null, event }, now);
  await transact(db, insertDelivery({ ...created, status: "delivered", response_body: marker }));
  return deliveryLookup(webhook_id, delivery_id);
}
