/**
 * `operator customers erase`: customers with a marker in every personal field are stored by all routes, and
 * the marker is sought in every item of every table, every message and every line of the logs.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, expect, test, vi } from "vitest";
import { setUpStore } from "../../../../infra/demo/registry.ts";
import { orderLookup } from "../../../../shared/orders/storage/order-repository.ts";
import { decompress } from "../../../../shared/store/dynamodb/compressed.ts";
import { getItem } from "../../../../shared/store/dynamodb/reads.ts";
import { tableNames } from "../../../../shared/store/tables.ts";
import { fulfill, newStore, stockedProduct } from "../../../support/business/world.ts";
import { at, listAt, numberAt } from "../../../support/http/client.ts";
import { type Receiver, startReceiver } from "../../../support/http/receiver.ts";
import { expectChained, expectGapless, wholeFeed } from "../../../support/records/feed.ts";
import { orderOf, unique } from "../../../support/records/records.ts";
import { troubledDatabase } from "../../../support/records/troubled.ts";
import { hurried } from "../../../support/runtime/hurried.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { runOperator } from "../../../support/store/operator.ts";
import { itemsOf } from "../../../support/store/scan.ts";

vi.setConfig({ testTimeout: 120_000 });

const receivers: Receiver[] = [];
const service = await ownService({ streams: true, goods: false });
const store = { ...service, ...(await newStore(service)) };
await setUpStore(store.db, store.accountId);
const product = await stockedProduct(store, 100);
afterAll(() => Promise.all(receivers.map((one) => one.close())));

const customerOf = (marker: string) => ({
  firstname: `${marker} first`,
  lastname: `${marker} last`,
  email: `${marker}@example.com`,
  phone: `${marker} phone`,
  address1: `${marker} street`,
  city: `${marker} city`,
  state: `${marker} state`,
  zip: `${marker} zip`,
  country: "US",
});

const body = (marker: string, more: object = {}) =>
  orderOf([{ sku: product.sku, quantity: 1 }], { customer: customerOf(marker), ...more });

const keyed = () => ({ "Idempotency-Key": unique("key") });

async function newOrder(marker: string): Promise<number> {
  const { body: answer } = await store.oms.post("/orders", { data: [body(marker)] }, keyed());
  return numberAt(answer, "data.0.order_id");
}

/** The wait of a command, which takes a hundredth of it here. */
const wait = (milliseconds: number) => sleep(milliseconds / 100);

async function operator(...words: readonly string[]) {
  const ended = await hurried(() => runOperator([...words, "--yes", "--json"], service.db), wait);
  return { ...ended, data: JSON.parse(ended.stdout) };
}

/** Bytes of an item as text, whatever compressed them. */
function textOf(bytes: Uint8Array): string {
  try {
    return JSON.stringify(decompress(bytes));
  } catch {
    return bytes[0] === 0x1f ? gunzipSync(bytes).toString("latin1") : Buffer.from(bytes).toString("latin1");
  }
}

/** Everything that is stored, sent or logged, as one text for each place. */
async function places(): Promise<readonly (readonly [place: string, text: string])[]> {
  const readable = (_name: string, value: unknown) => (value instanceof Uint8Array ? textOf(value) : value);
  const stored = await Promise.all(
    tableNames.map(async (table) =>
      (await itemsOf(service.db, table)).map(
        (item) =>
          [`${table} ${String(item["pk"])} ${String(item["sk"])}`, JSON.stringify(item, readable)] as const,
      ),
    ),
  );
  const { endpoint, queues, deadLetterQueues } = service.runtime.sqs;
  const client = new SQSClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  const messages = await Promise.all(
    [...Object.entries(queues), ...Object.entries(deadLetterQueues)].map(async ([name, QueueUrl]) => {
      const received = await client.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }),
      );
      return [`queue ${name}`, JSON.stringify(received.Messages ?? [])] as const;
    }),
  );
  const logged = service.runtime.logs().map(({ text }) => ["log", text] as const);
  return [...stored.flat(), ...messages, ...logged];
}

const placesWith = async (marker: string): Promise<readonly string[]> =>
  (await places())
    .filter(([, text]) => text.toLowerCase().includes(marker))
    .map(([place]) => place.replaceAll(/[0-9a-f-]{30,}/g, "…"));

async function webhook(status: number): Promise<number> {
  const receiver = await startReceiver((_request, response) => {
    const last = receiver.received.at(-1)?.body ?? "";
    response.writeHead(status).end(last.slice(last.indexOf('"customer"')));
  });
  receivers.push(receiver);
  const { body: answer } = await store.oms.post("/webhooks", {
    data: { url: receiver.url, types: ["order.*"] },
  });
  return numberAt(answer, "data.webhook_id");
}

/** An order whose last changes are set aside, because one of them could not be read. */
async function setAside(marker: string): Promise<number> {
  const orderId = await newOrder(marker);
  await service.settled();
  const { table, key } = orderLookup(orderId);
  const content = (await getItem(service.db, { table, key }))?.["content"];
  const put = (value: unknown) =>
    service.db.client.send(
      new UpdateCommand({
        TableName: service.db.tableName(table),
        Key: { ...key },
        UpdateExpression: "SET content = :content",
        ExpressionAttributeValues: { ":content": value },
      }),
    );
  await put(Buffer.from(`${marker} no order`));
  await put(content);
  await store.oms.post("/orders/cancel", { order_id: orderId });
  await service.settled();
  return orderId;
}

const soon = { timeout: 30_000, interval: 100 };

test("an erased customer is in no item of any table, in no message and in no line of a log", async () => {
  const marker = "zqmark";
  const hooks = [await webhook(200), await webhook(500)];
  const shipped = await newOrder(marker);
  await store.oms.put(`/orders`, { data: [{ order_id: shipped, ...body(`${marker}2`) }] }, keyed());
  await store.oms.put(`/orders`, { data: [{ order_id: shipped, ...body(marker, { items: [] }) }] }, keyed());
  await fulfill(store, shipped);
  const { body: answer } = await store.v2.post("/add_orders", { data: [body(marker)] }, keyed());
  const cancelled = numberAt(answer, "data.0.order_id");
  await store.oms.post("/orders/cancel", { order_id: cancelled }, keyed());
  const aside = await setAside(marker);
  const pending = await newOrder("zqother");
  await vi.waitFor(async () => {
    await service.runtime.runSchedule("jobs/wake-webhooks");
    const answers = await Promise.all(hooks.map((id) => store.oms.get(`/webhooks/${id}/deliveries`)));
    for (const { body: page } of answers) expect(JSON.stringify(page)).toContain(marker);
  }, soon);
  const before = await placesWith(marker);

  const erased = await operator("customers", "erase", ...[shipped, cancelled, aside, pending].map(String));

  const kinds = new Set(before.map((place) => place.split("#")[0]));
  expect([...kinds].toSorted()).toEqual([
    "events feed",
    "events set-aside-change",
    "jobs idempotency",
    "orders order",
    "webhooks webhook-deliveries",
  ]);
  expect(await placesWith(marker)).toEqual([]);
  expect(erased.data.orders).toEqual([
    { order_id: shipped, outcome: "erased" },
    { order_id: cancelled, outcome: "erased" },
    { order_id: aside, outcome: "erased" },
    {
      order_id: pending,
      outcome: "refused",
      reason: `Order ${pending} is Pending; its customer is needed until it is Shipped or Cancelled`,
    },
  ]);
  expect(erased.data.left.orders).toBe(1);
  expect(erased.status).toBe(5);
  await operator("events", "retry");
  expect(await placesWith(marker)).toEqual([]);
  const events = await wholeFeed(store.oms);
  expectGapless(events);
  expectChained(events);
  // A receiver that answers while a later test erases may repeat a customer.
  for (const id of hooks) await store.oms.send("DELETE", `/webhooks/${id}`, undefined);
});

test("what a receiver answers during an erasure to an event that it got before is erased, too", async () => {
  const marker = "zqlate";
  const late = Promise.withResolvers<void>();
  const receiver = await startReceiver(async (_request, response) => {
    const { body: got } = receiver.received.at(-1) ?? {};
    await late.promise;
    response.writeHead(200).end(got?.slice(got.indexOf('"customer"')));
  });
  receivers.push(receiver);
  const { body: created } = await store.oms.post("/webhooks", {
    data: { url: receiver.url, types: ["order.created"] },
  });
  const hook = numberAt(created, "data.webhook_id");
  const orderId = await newOrder(marker);
  await store.oms.post("/orders/cancel", { order_id: orderId });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), soon);
  const answered = () =>
    vi.waitFor(async () => {
      const { body: page } = await store.oms.get(`/webhooks/${hook}/deliveries`);
      expect(listAt(page, "data")).toMatchObject([{ status: "delivered" }]);
    }, soon);

  // The receiver answers as the command waits for what has read the customer.
  const { data } = await hurried(
    () => operator("customers", "erase", String(orderId)),
    async (milliseconds) => {
      if (milliseconds < 10_000) return wait(milliseconds);
      late.resolve();
      await answered();
    },
  );
  late.resolve();
  await answered();

  expect(data.orders).toEqual([{ order_id: orderId, outcome: "erased" }]);
  expect(await placesWith(marker)).toEqual([]);
  await store.oms.send("DELETE", `/webhooks/${hook}`, undefined);
});

test("an erased order keeps its goods, rises in version, and says when it was erased", async () => {
  const orderId = await newOrder("zqkept");
  await store.oms.post("/orders/cancel", { order_id: orderId });
  const { body: before } = await store.oms.get(`/orders/${orderId}`);

  const first = await operator("customers", "erase", String(orderId));
  const again = await operator("customers", "erase", String(orderId));

  const { body: after, headers } = await store.oms.get(`/orders/${orderId}`);
  // The cancellation's change of stock may be published later: it is a change of another table.
  const event = (await wholeFeed(store.oms)).findLast(({ type }) => type === "order.updated");
  expect([first.data.orders, again.data.orders]).toEqual([
    [{ order_id: orderId, outcome: "erased" }],
    [{ order_id: orderId, outcome: "erased before" }],
  ]);
  const nothing = { events: 0, set_aside: 0, deliveries: 0, answers: 0 };
  expect(again.data.copies).toEqual(nothing);
  expect([first.data.left, again.data.left]).toEqual([
    { orders: 0, ...nothing },
    { orders: 0, ...nothing },
  ]);
  const customer = {
    ...{
      firstname: "",
      lastname: null,
      email: null,
      phone: null,
      address1: "",
      city: "",
      state: "",
      zip: "",
    },
    ...{ country: "US", erased_at: expect.any(String) },
  };
  expect(after).toMatchObject({
    data: { version: numberAt(before, "data.version") + 1, items: listAt(before, "data.items"), customer },
  });
  expect(headers.get("etag")).toBe(`"${numberAt(after, "data.version")}"`);
  expect(listAt(after, "data.history").at(-1)).toMatchObject({ by: "operator", changed: ["customer"] });
  expect(event).toMatchObject({ type: "order.updated", data: { order_id: orderId, customer } });
  expect(event?.previous).not.toHaveProperty("customer");
});

test("orders are found by an email address in any case, which the log of changes does not keep", async () => {
  const [own, pending] = [await newOrder("zqMail"), await newOrder("zqmail")];
  await store.oms.post("/orders/cancel", { order_id: own });
  const words = ["customers", "erase", "--email", "ZQmail@Example.com", "--account", String(store.accountId)];

  const tried = await operator(...words, "--dry-run");
  const untouched = at((await store.oms.get(`/orders/${own}`)).body, "data.customer.firstname");
  const erased = await operator(...words);

  expect(tried.data).toMatchObject({
    dry_run: true,
    orders: [{ outcome: "erased" }, { outcome: "refused" }],
  });
  expect(untouched).toBe("zqMail first");
  expect(erased.stderr).toContain(`Orders with this email address: ${own} ${pending}\n`);
  expect((await placesWith("ZQmail")).filter((place) => place.startsWith("identity"))).toEqual([]);
  const { data: audited } = await operator("audit", "list", "--command", "customers", "--limit", "1");
  expect(audited).toMatchObject([{ values: { email: "not kept", orders: [] } }]);
});

test("a retry that has read what is set aside before an erasure publishes no customer", async () => {
  const orderId = await setAside("zqretry");
  const { db, add } = troubledDatabase(service);
  let erased: Awaited<ReturnType<typeof operator>> | undefined;
  const before = async () => {
    erased = await operator("customers", "erase", String(orderId));
  };
  add({ before }, { text: "feed-head" });

  const retried = await hurried(() => runOperator(["events", "retry", "--json"], db), wait);

  expect(erased?.data.orders).toEqual([{ order_id: orderId, outcome: "erased" }]);
  expect(JSON.parse(retried.stdout)).toMatchObject({ left: 0 });
  expect(await placesWith("zqretry")).toEqual([]);
  expectChained(await wholeFeed(store.oms));
});
