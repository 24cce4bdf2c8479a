/** Webhooks from a call that changes something to what a receiver gets, over everything between. */
import type { ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import { Webhook as Verifier } from "standardwebhooks";
import { afterEach, describe, expect, test, vi } from "vitest";
import { feedHeadLookup, readEvents } from "../../../../shared/events/feed-repository.ts";
import { getItem } from "../../../../shared/store/dynamodb/reads.ts";
import { tableNames } from "../../../../shared/store/tables.ts";
import { readDeliveries } from "../../../../shared/webhooks/delivery-repository.ts";
import { webhookLookup, webhookProgressLookup } from "../../../../shared/webhooks/webhook-repository.ts";
import { damage } from "../../../support/damages/damage.ts";
import { at, listAt, numberAt } from "../../../support/http/client.ts";
import { mustBeDocumentedEvent } from "../../../support/http/documented.ts";
import { type Receiver, startReceiver } from "../../../support/http/receiver.ts";
import { newStore } from "../../../support/records/accounts.ts";
import { wholeFeed } from "../../../support/records/feed.ts";
import { publishEvents } from "../../../support/records/publish-events.ts";
import { orderOf, productOf, unique } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import type { Store } from "../../../support/runtime/service.ts";
import { sendMessages } from "../../../support/store/jobs.ts";
import { itemsOf } from "../../../support/store/scan.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const service = await ownService({ streams: true, goods: false });

const receivers: Receiver[] = [];
afterEach(async () => {
  service.runtime.faults.clear();
  await Promise.all(receivers.splice(0).map((one) => one.close()));
});

async function receiver(
  answer: Parameters<typeof startReceiver>[0] = (_request, response) => response.end("ok"),
) {
  const started = await startReceiver(answer);
  receivers.push(started);
  return started;
}

async function newWebhook({ oms }: Pick<Store, "oms">, url: string, more: object = {}) {
  const { status, body } = await oms.post("/webhooks", { data: { url, ...more } });
  expect(status, JSON.stringify(body)).toBe(200);
  return { id: numberAt(body, "data.webhook_id"), secret: String(at(body, "data.secret")) };
}

const soon = { timeout: 30_000, interval: 50 };
const owner = (store: Store) => ({ db: service.db, accountId: store.accountId });
const woken = () => service.runtime.runSchedule("jobs/wake-webhooks");

const deliveriesOf = async ({ oms }: Pick<Store, "oms">, id: number) =>
  listAt((await oms.get(`/webhooks/${id}/deliveries`)).body, "data");

/**
 * What is stored of a webhook's deliveries: asking for it again and again costs less than a call each time.
 */
const storedDeliveries = (id: number) => readDeliveries(service.db, id, { before: undefined, limit: 10 });

/**
 * Everything that the tables hold but for the secrets, readable: kept answers and batches of the feed are
 * compressed.
 */
async function allButSecrets(): Promise<string> {
  const tables = tableNames.filter((name) => name !== "secrets");
  const items = (await Promise.all(tables.map((name) => itemsOf(service.db, name)))).flat();
  return JSON.stringify(items, (_name, value: unknown) => {
    if (!(value instanceof Uint8Array)) return value;
    return value[0] === 0x1f ? gunzipSync(value).toString() : Buffer.from(value).toString("latin1");
  });
}

// The figures count every webhook, so this test comes before those that leave some.
test("the schedule wakes a webhook whose receiver is down once its probe is due, and no sooner", async () => {
  const store = await newStore(service);
  const { id } = await newWebhook(store, (await receiver()).url);
  await publishEvents(owner(store), "order.created");
  const wokenBy = async (probe_at: string) => {
    await damage(service.db, webhookProgressLookup(id), {}, { probe_at });
    await woken();
    const runs = service.runtime.logs().filter((line) => line.function === "jobs/wake-webhooks");
    return JSON.parse(runs.at(-1)?.text ?? "{}");
  };

  const early = await wokenBy("2999-01-01T00:00:00.000Z");
  const due = await wokenBy("2026-01-01T00:00:00.000Z");
  await service.settled();

  expect([early, due]).toMatchObject([
    { looked: 1, woken: 0 },
    { looked: 1, woken: 1 },
  ]);
});

test("an order becomes a signed post of the very event that the feed has, within seconds", async () => {
  const { url, received } = await receiver();
  const store = await newStore(service);
  const { secret, id } = await newWebhook(store, url, { types: ["product.*"] });

  const { body, headers } = await store.oms.post("/inventory/products", { data: [productOf()] });
  await vi.waitUntil(() => received.length > 0, soon);

  const [event] = await wholeFeed(store.oms);
  const [got] = received;
  expect(JSON.parse(got?.body ?? "")).toEqual(event);
  expect(event).toMatchObject({ type: "product.created", data: at(body, "data.0") });
  expect(new Verifier(secret).verify(got?.body ?? "", got?.headers ?? {})).toEqual(event);
  expect(got?.headers).toMatchObject({ "content-type": "application/json", "webhook-id": event?.id });
  mustBeDocumentedEvent(got?.body ?? "");
  await vi.waitUntil(async () => (await storedDeliveries(id)).length > 0, soon);
  expect(await deliveriesOf(store, id)).toMatchObject([
    {
      ...{ status: "delivered", attempts: 1, response_code: 200, response_body: "ok" },
      ...{ event_id: event?.id, request_id: event?.request_id },
    },
  ]);
  expect(event?.request_id).toBe(headers.get("x-request-id"));
  const lines = service.runtime.logs().filter(({ text }) => text.includes(event?.request_id ?? "none"));
  const messages = lines.map(({ text }) => at(JSON.parse(text), "message"));
  expect(messages.toSorted()).toEqual(["events published", "request", "webhook called"]);
});

test("a receiver that does not answer delays no other deliveries, and fails", async () => {
  const unanswered: ServerResponse[] = [];
  const dead = await receiver((_request, response) => void unanswered.push(response));
  const live = await receiver();
  const [slowStore, store] = [await newStore(service), await newStore(service)];
  const slow = await newWebhook(slowStore, dead.url);
  await newWebhook(store, live.url);
  await publishEvents(owner(slowStore), "order.created");
  await woken();
  await vi.waitUntil(() => dead.received.length > 0, soon);

  await publishEvents(owner(store), "order.created");
  await woken();
  await vi.waitUntil(() => live.received.length > 0, soon);
  const stillWaiting = await deliveriesOf(slowStore, slow.id);
  for (const response of unanswered) response.destroy();
  await vi.waitUntil(async () => (await storedDeliveries(slow.id)).length > 0, soon);

  expect(stillWaiting).toEqual([]);
  expect(await deliveriesOf(slowStore, slow.id)).toMatchObject([
    { status: "waiting", attempts: 1, response_code: null, error: expect.any(String) },
  ]);
});

describe("no message is needed twice, and none is lost", () => {
  test("an unreadable webhook, progress or feed keeps no other webhook asleep, and fails the run", async () => {
    const [well, ...ill] = await Promise.all(Array.from({ length: 4 }, () => newStore(service)));
    if (well === undefined) throw new Error("no store was made");
    const { url, received } = await receiver();
    const ids = await Promise.all([...ill, well].map(async (store) => (await newWebhook(store, url)).id));
    const broken = [
      [webhookLookup(ill[0]?.accountId ?? 0, ids[0] ?? 0), "types"],
      [webhookProgressLookup(ids[1] ?? 0), "cursor"],
      [feedHeadLookup(ill[2]?.accountId ?? 0), "sequence"],
    ] as const;
    for (const store of [...ill, well]) await publishEvents(owner(store), "order.created");
    const items = await Promise.all(broken.map(([lookup]) => getItem(service.db, lookup)));
    for (const [lookup, attribute] of broken) await damage(service.db, lookup, {}, { [attribute]: "broken" });

    await expect(woken()).rejects.toThrow("3 webhooks could not be read");
    await vi.waitUntil(() => received.length > 0, soon);
    for (const [position, [lookup, attribute]] of broken.entries())
      await damage(service.db, lookup, {}, { [attribute]: items[position]?.[attribute] });
    await woken();
    await vi.waitUntil(() => received.length === 4, soon);

    expect(received).toHaveLength(4);
  });

  test("a message that comes many times delivers once", async () => {
    const { url, received } = await receiver();
    const store = await newStore(service);
    const { id } = await newWebhook(store, url);
    await publishEvents(owner(store), "order.created", "order.created");
    const text = JSON.stringify({ account_id: store.accountId, webhook_id: id });

    await sendMessages(service.runtime, "webhook", Array<string>(15).fill(text));
    await service.settled();

    expect(received.map(({ headers }) => headers["webhook-id"])).toHaveLength(2);
  });

  test("a sender that is killed between the post and its record leaves the event to another", async () => {
    const { url, received } = await receiver();
    const store = await newStore(service);
    const { id } = await newWebhook(store, url);
    await service.settled();
    const fault = service.runtime.faults.add({
      effect: "kill-before",
      operation: "TransactWriteItems",
      function: "jobs/send-webhooks",
    });
    await publishEvents(owner(store), "order.created");
    await woken();
    await fault.exhausted;

    // As if the time had come at which the lease of the killed one is over.
    await damage(service.db, webhookProgressLookup(id), {}, { lease_until: 0 });
    await woken();
    await vi.waitUntil(async () => (await storedDeliveries(id)).length > 0, soon);

    expect(received.length).toBeGreaterThanOrEqual(2);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(await deliveriesOf(store, id)).toMatchObject([{ status: "delivered", attempts: 1 }]);
  });
});

test("test, resend and replay send what they say, over the calls", async () => {
  const { url, received } = await receiver();
  const store = await newStore(service);
  const { id, secret } = await newWebhook(store, url);
  const [event] = await publishEvents(owner(store), "order.created");
  await woken();
  await vi.waitUntil(async () => (await storedDeliveries(id)).length === 1, soon);
  const [delivery] = await deliveriesOf(store, id);

  const resent = await store.oms.post(`/webhooks/${id}/deliveries/${at(delivery, "delivery_id")}/resend`);
  const tested = await store.oms.post(`/webhooks/${id}/test`);
  await vi.waitUntil(() => received.length === 3, soon);
  await store.oms.post(`/webhooks/${id}/replay?after=0`);
  await vi.waitUntil(() => received.length === 4, soon);
  await service.settled();

  expect([resent.status, tested.status]).toEqual([200, 200]);
  mustBeDocumentedEvent(received.find(({ body }) => body.includes("webhook.test"))?.body ?? "");
  const types = received.map(({ body }) => at(JSON.parse(body), "type"));
  expect(types.toSorted()).toEqual([...Array(3).fill("order.created"), "webhook.test"]);
  for (const { body, headers } of received)
    expect(new Verifier(secret).verify(body, headers)).toEqual(JSON.parse(body));
  const ids = received.map(({ headers }) => headers["webhook-id"]).filter((one) => one === event?.id);
  expect(ids).toHaveLength(3);
  const all = await deliveriesOf(store, id);
  const calls = [null, null, ...[resent, tested].map((call) => call.headers.get("x-request-id"))];
  expect(new Set(all.map((one) => at(one, "request_id")))).toEqual(new Set(calls));
  expect(all.map((one) => at(one, "cause")).toSorted()).toEqual(["event", "event", "resend", "test"]);
  const page = await store.oms.get(`/webhooks/${id}/deliveries?limit=2`);
  const rest = await store.oms.get(
    `/webhooks/${id}/deliveries?limit=2&before=${at(page.body, "next_before")}`,
  );
  expect([...listAt(page.body, "data"), ...listAt(rest.body, "data")]).toEqual(all);
  expect(at(rest.body, "next_before")).toBeNull();
});

test("410 switches a webhook off, with an event, a metric and a log line, and none of the receiver's words", async () => {
  const gone = await receiver((_request, response) =>
    response.writeHead(410, { "x-told": "word-of-the-header" }).end("word-of-the-body"),
  );
  const store = await newStore(service);
  const { id, secret } = await newWebhook(store, gone.url);
  await store.oms.post(`/webhooks/${id}/rotate`, undefined, { "Idempotency-Key": unique("rotate") });
  const { body } = await store.oms.post("/inventory/products", { data: [productOf()] });
  expect(at(body, "data.0.sku")).toBeDefined();
  await vi.waitUntil(async () => {
    const { events } = await readEvents(service.db, store.accountId, { after: 0, limit: 100 });
    return events.some(({ type }) => type === "webhook.disabled");
  }, soon);

  const { body: shown } = await store.oms.get(`/webhooks/${id}`);
  expect(at(shown, "data")).toMatchObject({ active: false, disabled_reason: "gone" });
  const event = (await wholeFeed(store.oms)).find(({ type }) => type === "webhook.disabled");
  expect(event).toMatchObject({
    subject: { kind: "webhook", id: String(id) },
    data: { webhook_id: id, active: false, disabled_reason: "gone" },
    previous: { active: true, disabled_reason: null },
  });
  expect(JSON.stringify(event)).not.toContain("hooks-of-the-shop");
  const logs = service.runtime.logs().map(({ text }) => text);
  expect(
    logs.some((line) => line.includes("webhook switched off") && line.includes(`"webhook_id":${id}`)),
  ).toBe(true);
  expect(logs.some((line) => line.includes('"webhooks_disabled":1'))).toBe(true);
  for (const word of ["word-of-the", "hooks-of-the-shop", "in-the-query", "whsec_", secret])
    expect(logs.filter((line) => line.includes(word))).toEqual([]);
  expect(at((await deliveriesOf(store, id))[0], "response_body")).toBe("word-of-the-body");
  const { body: again } = await store.oms.patch(`/webhooks/${id}`, { data: { active: true } });
  expect(at(again, "data")).toMatchObject({ active: true, disabled_reason: null, disabled_at: null });
});

test("a secret lies in no table but its own, whatever calls made it", async () => {
  const store = await newStore(service);
  const key = () => ({ "Idempotency-Key": unique("secret") });
  const made = await store.oms.post(
    "/webhooks",
    { data: { url: "https://a.example/", active: false } },
    key(),
  );
  const id = numberAt(made.body, "data.webhook_id");
  const rotated = await store.oms.post(`/webhooks/${id}/rotate`, undefined, key());
  const secrets = [made, rotated].map(({ body }) => String(at(body, "data.secret")));
  await store.oms.post("/orders", { data: [orderOf()] });

  const [everywhere, inside] = [await allButSecrets(), JSON.stringify(await itemsOf(service.db, "secrets"))];

  expect(everywhere).toContain("https://a.example/");
  for (const secret of secrets) {
    expect(inside).toContain(secret);
    expect(everywhere).not.toContain(secret);
  }
  expect(everywhere).not.toContain("whsec_");
});
