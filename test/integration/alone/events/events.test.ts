/** Every change becomes an event of its account's feed, once and in order (docs/decisions.md, Events). */

import { randomBytes } from "node:crypto";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { endpoint as setSubStatus } from "../../../../functions/oms/orders/set-sub-status.ts";
import { putEntries } from "../../../../infra/operator/set-up/registry.ts";
import { dayOf } from "../../../../shared/common/times.ts";
import {
  dayAttribute,
  feedHeadLookup,
  readFeedHead,
  readSubjectEvents,
} from "../../../../shared/events/feed-repository.ts";
import { putAway } from "../../../../shared/inbound/put-away.ts";
import { barcodeOf } from "../../../../shared/orders/order.ts";
import { historyPartition } from "../../../../shared/orders/storage/order-history-repository.ts";
import { claimOrder } from "../../../../shared/picking/picking-flows.ts";
import { readFeedState } from "../../../../shared/publishing/feed-state.ts";
import { storeEvents } from "../../../../shared/publishing/publish.ts";
import { movementPartition } from "../../../../shared/stock/movements/movement-repository.ts";
import { weeksOf } from "../../../../shared/stock/movements/read-movements.ts";
import { stockItemsOf } from "../../../../shared/stock/stock-levels.ts";
import { getItem, queryRange } from "../../../../shared/store/dynamodb/reads.ts";
import {
  announceReplenishment,
  announceReturn,
  asItIs,
  byManager,
  claim,
  countStock,
  newOrders,
  newProduct,
  newProducts,
  pickFrom,
  pickItems,
  shipOrder,
  shippedOrder,
  stockedProduct,
} from "../../../support/business/world.ts";
import { at, type Client, listAt, numberAt } from "../../../support/http/client.ts";
import { newStore } from "../../../support/records/accounts.ts";
import {
  expectChained,
  expectGapless,
  feedBackwards,
  feedPage,
  wholeFeed,
} from "../../../support/records/feed.ts";
import { contextOf } from "../../../support/records/flows.ts";
import { publishEvents } from "../../../support/records/publish-events.ts";
import { orderOf, productOf, recountOf } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { runOperator } from "../../../support/store/operator.ts";
import { itemsOf } from "../../../support/store/scan.ts";

const service = await ownService({ streams: true, goods: false });

/** An account that can place orders. */
async function newSeller() {
  const store = await newStore(service);
  await putEntries(service.db, store.accountId, { shippingMethods: ["GROUND"] });
  return { store, owner: { ...service, ...store } };
}

/** The events after what happened before, once everything is published. */
async function eventsOf(act: () => Promise<unknown>, query = "") {
  await service.settled();
  const { sequence } = await readFeedHead(service.db, service.accountId, new Date().toISOString());
  await act();
  await service.settled();
  return wholeFeed(service.oms, sequence, query);
}

const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);

/** The events of one record, without those of the stock that it moved. */
const about = <E extends { readonly subject: { readonly kind: string } }>(
  kind: string,
  events: readonly E[],
) => events.filter(({ subject }) => subject.kind === kind);

/** What lies beside an order of its history. */
const historyBeside = async (orderId: number) =>
  (await itemsOf(service.db, "orders")).filter(({ pk }) => pk === historyPartition(orderId));

const shownOrder = async (orderId: number) => {
  const {
    history: _history,
    actions: _actions,
    ...order
  } = Object(at((await service.oms.get(`/orders/${orderId}`)).body, "data"));
  return order;
};

/** Has the head of an account's feed say that events were published on these days. */
async function changeHead(accountId: number, days: Readonly<Record<string, number>>): Promise<void> {
  const { table, key } = feedHeadLookup(accountId);
  const item = { ...(await getItem(service.db, { table, key })) };
  const kept = Object.fromEntries(Object.entries(item).filter(([name]) => !name.startsWith("day:")));
  const Item = { ...kept, ...days };
  await service.db.client.send(new PutCommand({ TableName: service.db.tableName(table), Item }));
}

describe("the events of an order", () => {
  test("show its whole life: each change once, in order, with who made it and the earlier values", async () => {
    const { sku } = await stockedProduct(service, 5);
    let orderId = 0;

    const events = await eventsOf(async () => {
      const created = await service.oms.post("/orders", { data: [orderOf([{ sku, quantity: 2 }])] });
      orderId = numberAt(created.body, "data.0.order_id");
      const edited = { ...orderOf([{ sku, quantity: 3 }]), order_id: orderId };
      await service.oms.put("/orders", { data: [edited] });
      await claim(service, orderId);
      await pickItems(service, orderId, pickFrom(sku, 3));
      await service.wms.post("/orders/UpdateWeight", {
        data: [{ nbtybarcode: barcodeOf(orderId), weight: 1.5 }],
      });
      await service.settled();
      await shipOrder(service, orderId, { tracking_number: "TRACK-1", carrier: "Parcel Post" });
    });

    const own = about("order", events);
    expect(own.map(({ type, by }) => [type, by])).toEqual([
      ["order.created", "account:100"],
      ["order.updated", "account:100"],
      ["order.status_changed", "user:manager"],
      ["order.picked", "user:manager"],
      ["order.weighed", "user:manager"],
      ["order.status_changed", "user:manager"],
      ["order.shipped", "user:manager"],
    ]);
    const previousOf = (wanted: string) => own.find(({ type }) => type === wanted)?.previous;
    expect(previousOf("order.created")).toBeNull();
    expect(previousOf("order.updated")).toMatchObject({ items: [{ sku, quantity: 2 }] });
    expect(previousOf("order.status_changed")).toMatchObject({ status: "Pending", status_id: 1 });
    expect(previousOf("order.weighed")).toMatchObject({ weight: null });
    expect(previousOf("order.shipped")).toMatchObject({ status: "Processing", shipped_at: null });
  });

  test("show the order as it is read, and of its history the one change", async () => {
    const { sku } = await stockedProduct(service, 5);
    let orderId = 0;

    const events = await eventsOf(async () => {
      orderId = (await shippedOrder(service, [{ sku, quantity: 1 }])).order_id;
    });

    const last = about("order", events).at(-1);
    expect(last?.data).toMatchObject(await shownOrder(orderId));
    expect(at(last?.data, "history")).toHaveLength(1);
    expect(at(last?.data, "history.0")).toMatchObject({
      by: "user:manager",
      changed: expect.arrayContaining(["status"]),
    });
    expect(last?.subject).toEqual({ kind: "order", id: String(orderId) });
  });

  test("show a cancellation, a sub-status and a revert", async () => {
    const { sku } = await stockedProduct(service, 5);
    const [first = 0, second = 0] = await newOrders(service, [
      [{ sku, quantity: 1 }],
      [{ sku, quantity: 1 }],
    ]);

    const events = await eventsOf(async () => {
      await service.oms.post("/orders/sub_status", { order_id: first, sub_status: "on hold" });
      await service.oms.post("/orders/cancel", { order_id: first });
      await claim(service, second);
      await service.wms.post("/shipments/revert/pending", { shipments_list: [second] });
    });

    const [ofFirst, ofSecond] = [first, second].map((id) =>
      typesOf(events.filter(({ subject }) => subject.kind === "order" && subject.id === String(id))),
    );
    expect(ofFirst).toEqual(["order.sub_status_changed", "order.status_changed", "order.cancelled"]);
    expect(ofSecond).toEqual(["order.status_changed", "order.status_changed"]);
  });

  test("report a released order that a picker claims as updated", async () => {
    const { sku } = await stockedProduct(service, 5);
    const [orderId = 0] = await newOrders(service, [[{ sku, quantity: 1 }]]);
    await claimOrder(byManager(service.db), orderId, null);

    const events = await eventsOf(() => claim(service, orderId));
    const next = await eventsOf(() =>
      service.oms.post("/orders/sub_status", { order_id: orderId, sub_status: "x" }),
    );

    expect(typesOf(events)).toEqual(["order.updated"]);
    expect(at(events[0]?.data, "history.0.changed")).toEqual(["picker"]);
    expect(typesOf(next)).toEqual(["order.sub_status_changed"]);
    expectGapless(await wholeFeed(service.oms));
  });

  test("name who made a change that is stored beside the order", async () => {
    const { sku } = await stockedProduct(service, 1);
    const [orderId = 0] = await newOrders(service, [[{ sku, quantity: 1 }]]);
    // The longest texts there may be, which can't be compressed.
    const noise = () => randomBytes(48).toString("base64");
    const changes = Array.from({ length: 12 }, noise);

    const events = await eventsOf(async () => {
      for (const sub_status of changes)
        await setSubStatus.flow({ body: { order_id: orderId, sub_status } }, contextOf(service));
    });

    expect((await historyBeside(orderId)).length).toBeGreaterThan(0);
    expect(events.map(({ by, data }) => [by, at(data, "sub_status")])).toEqual(
      changes.map((sub_status) => ["account:100", sub_status]),
    );
  });

  test("are not emitted if nothing changes", async () => {
    const { sku } = await stockedProduct(service, 5);
    const [orderId = 0] = await newOrders(service, [[{ sku, quantity: 1 }]]);
    await service.oms.post("/orders/cancel", { order_id: orderId });

    const events = await eventsOf(() => service.oms.post("/orders/cancel", { order_id: orderId }));

    expect(events).toEqual([]);
  });
});

describe("the events of stock", () => {
  test("give each level and why it changed, and form a chain", async () => {
    const { sku } = await newProduct(service);

    const events = await eventsOf(async () => {
      const target = await announceReplenishment(service, [{ sku, quantity: 6 }]);
      await putAway(contextOf(service), target, { sku, quantity: 4, location: "A1", bin: "03" }, asItIs);
      await newOrders(service, [[{ sku, quantity: 3 }]]);
      await service.wms.post("/recount", recountOf(sku, [{ location: "A1", bin: "03", qty: -1 }]));
    });

    const levels = events.filter(({ type }) => type === "stock.changed");
    expect(levels.map(({ data }) => data?.["reason"]).sort()).toEqual([
      "incoming",
      "incoming",
      "order_created",
      "put_away",
      "recount",
    ]);
    const { body } = await service.oms.get(`/inventory/stock?sku=${sku}`);
    const { held: _, ...level } = Object(at(body, "data.0"));
    expect(levels.at(-1)?.data).toMatchObject(level);
    expect(level).toMatchObject({ on_hand: 3, reserved: 3, available: 0, incoming: 2 });
    expectChained(await wholeFeed(service.oms));
  });

  test("name the record that changed it", async () => {
    const { sku } = await stockedProduct(service, 5);

    const events = await eventsOf(() => newOrders(service, [[{ sku, quantity: 2 }]]));

    const [order] = about("order", events);
    const [level] = about("product", events);
    expect(level).toMatchObject({
      by: "account:100",
      data: { reason: "order_created", order_id: Number(order?.subject.id), reserved: 2 },
      previous: { reserved: 0, available: 5 },
    });
  });
});

test("jobs, movements and events name the call that caused them", async () => {
  const [first, ...others] = await newProducts(service, 60);
  const sku = first?.sku ?? "";
  const idOf = ({ headers }: { readonly headers: Headers }) => headers.get("x-request-id");
  const recount = (qty: number) => recountOf(sku, [{ location: "A1", bin: "03", qty }]);
  let counted: Awaited<ReturnType<Client["post"]>> | undefined;
  let ordered: typeof counted;
  let announced: typeof counted;

  const events = await eventsOf(async () => {
    counted = await service.wms.post("/recount", recount(2));
    await service.settled();
    // So many products that a saga stores the order.
    const items = [{ sku }, ...others].map((one) => ({ sku: one.sku, quantity: 1 }));
    ordered = await service.oms.post("/orders", { data: [orderOf(items)] });
    const data = [{ items: [{ sku, quantity: 3 }] }];
    announced = await service.oms.post("/inventory/replenishments", { data });
  });

  const { body: movements } = await service.oms.get(`/inventory/stock/${sku}/movements`);
  const { body: job } = await service.wms.get(`/jobs/${at(counted?.body, "result.0.correction_id")}`);
  const [a, b, c] = [counted, ordered, announced].map((answer) => answer && idOf(answer));
  expect(listAt(movements, "data").map((one) => at(one, "request_id"))).toEqual([b, a]);
  expect(at(job, "data.request_id")).toBe(a);
  const caused = events.map(({ type, request_id }) => `${type} ${request_id}`);
  expect(caused.toSorted()).toEqual(
    [
      ...[`correction.applied ${a}`, `stock.changed ${a}`],
      ...[`order.created ${b}`, ...[first, ...others].map(() => `stock.changed ${b}`)],
      ...[`replenishment.created ${c}`, `stock.changed ${c}`],
    ].toSorted(),
  );
  const traced = await runOperator(["trace", a ?? "", "--account", "100", "--json"], service.db);
  const steps = listAt({ steps: JSON.parse(traced.stdout) }, "steps").map((one) =>
    [at(one, "step"), at(one, "says")].join(": "),
  );
  expect(steps.slice(0, 3)).toEqual([
    "job: recount queued",
    "job: applied after 1 attempt",
    expect.stringMatching(/^movement: recount, correction_id \d+: on hand \+2, reserved 0$/),
  ]);
  // They are changes of two tables, whose streams keep no common order.
  expect(steps.slice(3).toSorted()).toEqual(
    ["correction.applied", "stock.changed"].map((type) => expect.stringContaining(`event: ${type}`)),
  );
});

describe("the events of other records", () => {
  test("show products, aliases and synsets as they are read", async () => {
    const product = productOf();
    const { sku } = product;
    const [alias, synset] = [`EXT-${sku}`, `KIT-${sku}`];

    const events = await eventsOf(async () => {
      await service.oms.post("/inventory/products", { data: [product] });
      await service.oms.patch("/inventory/products", { data: [{ sku, description: "changed" }] });
      await service.oms.post("/inventory/aliases", { data: [{ alias, sku, channel_id: 2 }] });
      await service.oms.post("/inventory/synsets", { data: [{ synset, items: [{ sku, quantity: 2 }] }] });
    });

    expect(typesOf(events).toSorted()).toEqual([
      "alias.created",
      "product.created",
      "product.updated",
      "synset.created",
    ]);
    const changed = events.find(({ type }) => type === "product.updated");
    const { body } = await service.oms.get(`/inventory/products/${sku}`);
    expect(changed?.data).toEqual(at(body, "data"));
    expect(changed?.previous).toMatchObject({ description: product.description });
    const kit = events.find(({ type }) => type === "synset.created");
    expect(kit?.data).toMatchObject({ synset, items: [{ sku, quantity: 2 }] });
  });

  test("show replenishments and returns, and of what is put away of them", async () => {
    const { sku } = await stockedProduct(service, 5);
    const { order_id } = await shippedOrder(service, [{ sku, quantity: 2 }]);
    const shelf = { sku, location: "A1", bin: "03" };

    const events = await eventsOf(async () => {
      const announced = await announceReplenishment(service, [{ sku, quantity: 4 }]);
      await putAway(contextOf(service), announced, { ...shelf, quantity: 1 }, asItIs);
      await putAway(contextOf(service), announced, { ...shelf, quantity: 3 }, asItIs);
      const back = await announceReturn(service, order_id, [{ sku, quantity: 1 }]);
      await putAway(contextOf(service), back, { ...shelf, quantity: 1 }, asItIs);
    });

    expect(about("replenishment", events).map(({ type, data }) => [type, data?.["status"]])).toEqual([
      ["replenishment.created", "Pending"],
      ["replenishment.received", "Pending"],
      ["replenishment.received", "Received"],
    ]);
    expect(typesOf(about("return", events))).toEqual(["return.created", "return.received"]);
    expect(typesOf(about("order", events))).toEqual(["order.updated"]);
  });

  test("show corrections that took effect, and of those that failed", async () => {
    const { sku } = await stockedProduct(service, { "A1/03": 3 });
    let sent: unknown;

    const events = await eventsOf(async () => {
      await service.runtime.pause();
      const take = recountOf(sku, [{ location: "A1", bin: "03", qty: -2 }]);
      sent = (await service.wms.post("/recount", take)).body;
      const [orderId = 0] = await newOrders(service, [[{ sku, quantity: 2 }]]);
      await claim(service, orderId);
      await pickItems(service, orderId, pickFrom(sku, 2));
      service.runtime.resume();
    });

    const [failed] = about("correction", events);
    const id = numberAt(sent, "result.0.correction_id");
    expect(failed).toMatchObject({
      type: "correction.failed",
      subject: { kind: "correction", id: String(id) },
      by: "user:manager",
      previous: { status: "queued", finished_at: null, reason: null, attempts: 0 },
      data: { status: "failed", reason: expect.stringContaining("goods left the bin"), sku },
    });
  });
});

describe("a reader of the feed", () => {
  test("gets every event of its account once, without gaps, and no event of another account", async () => {
    const other = await newStore(service);
    const { sku } = await stockedProduct(service, 5);
    await newOrders(service, [[{ sku, quantity: 1 }]]);
    await service.settled();

    const [events, others] = [await wholeFeed(service.oms), await wholeFeed(other.oms)];

    expectGapless(events);
    expect(new Set(events.map(({ account_id }) => account_id))).toEqual(new Set([100]));
    expect(others).toEqual([]);
  });

  test("reads on from `next_after`, in pages of any size", async () => {
    await service.settled();
    const whole = await wholeFeed(service.oms);
    const first = await feedPage(service.oms, "?after=3&limit=4");

    expect(first.data.map(({ sequence }) => sequence)).toEqual([4, 5, 6, 7]);
    expect(first.feed).toEqual({ next_after: 7, latest: whole.length, oldest: 1 });
    expect(await wholeFeed(service.oms, whole.length - 17, "&limit=7")).toEqual(whole.slice(-17));
  });

  describe("of an account with a short feed", () => {
    let oms: Client;
    let orderId: number;
    beforeAll(async () => {
      const { store, owner } = await newSeller();
      const { sku } = await stockedProduct(owner, 5);
      orderId = (await shippedOrder(owner, [{ sku, quantity: 1 }])).order_id;
      await newOrders(owner, [[{ sku, quantity: 1 }], [{ sku, quantity: 2 }]]);
      await service.settled();
      ({ oms } = store);
    });

    test.each(["", "&limit=7", "&types=stock.changed&limit=3", "&subject=ORDER&limit=1", "&subject=ORDER"])(
      "reads the same events newest first, to the oldest one (%s)",
      async (query) => {
        const asked = query.replace("ORDER", `order:${orderId}`);

        const [rising, falling] = [await wholeFeed(oms, 0, asked), await feedBackwards(oms, asked)];

        expect(rising.length).toBeGreaterThan(3);
        expect(falling).toEqual(rising.toReversed());
      },
    );
  });

  test("who has read newest first follows later events by `next_after`", async () => {
    await service.settled();
    const { feed } = await feedPage(service.oms, "?order=desc&limit=2");
    const { sku } = await newProduct(service);
    await service.settled();

    const later = await feedPage(service.oms, `?after=${feed.next_after}`);
    const between = await feedPage(service.oms, `?order=desc&before=${feed.latest + 1}&limit=2`);

    expect(later.data).toMatchObject([{ type: "product.created", data: { sku } }]);
    expect(between.feed).toMatchObject({ next_after: feed.latest, next_before: feed.next_before });
  });

  test("chooses types and records, and learns how far the feed was searched", async () => {
    const { sku, product_id } = await stockedProduct(service, 5);
    const [orderId = 0] = await newOrders(service, [[{ sku, quantity: 1 }]]);
    await service.settled();
    const whole = await wholeFeed(service.oms);

    const created = await wholeFeed(service.oms, 0, "&types=order.created,product.created");
    const ofOrders = await wholeFeed(service.oms, 0, "&types=order.*");
    const ofProduct = await wholeFeed(service.oms, 0, `&subject=product:${product_id}`);
    const levels = await wholeFeed(service.oms, 0, `&subject=product:${product_id}&types=stock.changed`);
    const none = await feedPage(service.oms, "?types=return.created&after=0&subject=order:999999");

    const kept = (isKept: (one: (typeof whole)[number]) => boolean) => whole.filter(isKept);
    expect(created).toEqual(kept(({ type }) => type === "order.created" || type === "product.created"));
    expect(ofOrders).toEqual(kept(({ type }) => type.startsWith("order.")));
    expect(ofOrders.map(({ subject }) => subject.id)).toContain(String(orderId));
    expect(ofProduct).toEqual(
      kept(({ subject }) => subject.kind === "product" && subject.id === String(product_id)),
    );
    expect(typesOf(ofProduct)).toEqual(["product.created", "stock.changed", "stock.changed"]);
    expect(typesOf(levels)).toEqual(["stock.changed", "stock.changed"]);
    expect(none).toMatchObject({ data: [], feed: { next_after: whole.length } });
  });

  test("of one record goes on behind a full page of transactions that ends the feed", async () => {
    const store = await newStore(service);
    const owner = { ...service, ...store };
    for (let count = 0; count < 10; count += 1) await publishEvents(owner, "order.created");

    const request = { after: 0, limit: 100, latest: 10 };
    const found = await readSubjectEvents(
      service.db,
      store.accountId,
      { kind: "order", id: "1000" },
      request,
    );

    expect(found.events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(found.examined).toBe(10);
  });

  test("sees an event as it was published, even in an older shape", async () => {
    const store = await newStore(service);
    await publishEvents({ ...service, ...store }, "order.created");

    // Not by a client of the tests, which holds every answer to the shape of today.
    const answer = await fetch(`${service.runtime.url}/apirest/v4/oms/events`, {
      headers: store.credentials,
    });

    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ data: [{ sequence: 1, data: { text: "Łukasz 🧦" } }] });
  });

  test("that waits is answered as soon as there is an event", async () => {
    await service.settled();
    const { feed } = await feedPage(service.oms, "?limit=1");
    const waiting = feedPage(service.oms, `?after=${feed.latest}&wait=20`);

    const { sku } = await newProduct(service);
    const { data } = await waiting;

    expect(data).toMatchObject([{ sequence: feed.latest + 1, type: "product.created", data: { sku } }]);
  });

  test("that waits in vain is answered when its time ends", async () => {
    await service.settled();
    const { feed } = await feedPage(service.oms, "?limit=1");

    const began = performance.now();
    const answer = await feedPage(service.oms, `?after=${feed.latest}&wait=1`);

    expect(answer).toMatchObject({ data: [], feed: { next_after: feed.latest } });
    expect(performance.now() - began).toBeGreaterThan(990);
  });

  test("without `after` begins with the oldest event", async () => {
    await service.settled();

    expect((await feedPage(service.oms, "?limit=1")).data).toMatchObject([{ sequence: 1 }]);
  });

  test("that comes after more than 30 days learns the oldest event", async () => {
    const store = await newStore(service);
    await newProducts({ ...service, ...store }, 3);
    await service.settled();
    const today = dayOf(new Date().toISOString());
    // As if the first two had been published 31 days ago, and the third 30 days ago.
    await changeHead(store.accountId, { [dayAttribute(today - 31)]: 1, [dayAttribute(today - 30)]: 3 });

    const [old, kept, first] = [
      await store.oms.get("/events?after=1"),
      await feedPage(store.oms, "?after=2"),
      await feedPage(store.oms),
    ];
    const [before, back] = [
      await store.oms.get("/events?order=desc&before=2"),
      await feedBackwards(store.oms),
    ];

    expect(old.status).toBe(400);
    expect(at(old.body, "response.message")).toBe(
      "after is too old: the oldest available event is 3; send 2 or higher",
    );
    expect(at(old.body, "response.errors.0.code")).toBe("too_old");
    expect(kept).toMatchObject({ data: [{ sequence: 3 }], feed: { oldest: 3, latest: 3 } });
    expect(first).toEqual(kept);
    expect(before.status).toBe(400);
    expect(at(before.body, "response.message")).toBe(
      "before is too old: the oldest available event is 3; send 3 or higher",
    );
    expect(back).toEqual(kept.data);
  });

  test.each<[string, string, RegExp]>([
    [
      "an `after` beyond the end",
      "after=999999999",
      /^after is beyond the feed's end: the latest event is \d+$/,
    ],
    ["an unknown type", "types=order.lost", /^types must be one of \*, order\.\*,/],
    ["a record of an unknown kind", "subject=bin:1", /^subject must be order:id, product:id,/],
    ["a wait of more than 20 s", "wait=21", /^wait must be a whole number from 0 to 20$/],
    ["a limit of more than 100", "limit=101", /^limit must be a whole number from 1 to 100$/],
    [
      "a `before` beyond the end",
      "order=desc&before=99999999",
      /^before is beyond the feed's end: the latest event/,
    ],
    [
      "a `before` in rising order",
      "before=3",
      /^before goes with order=desc only; in rising order, send after$/,
    ],
    ["an `after` in falling order", "order=desc&after=3", /^after can't be combined with order=desc,/],
    ["a wait in falling order", "order=desc&wait=1", /^wait can't be combined with order=desc,/],
    ["a negative `after`", "after=-1", /^after must be a whole number of at least 0$/],
  ])("is answered what is wrong with %s", async (_what, query, message) => {
    const { status, body } = await service.oms.get(`/events?${query}`);

    expect(status).toBe(400);
    expect(at(body, "response.message")).toMatch(message);
  });
});

test("the ninth movement of a product carries running totals once its change is handled", async () => {
  const { product_id, sku } = await stockedProduct(service, 5);
  const counts = Array.from({ length: 8 }, () => ({ location: "A1", bin: "03", qty: 1 }));

  await service.wms.post("/recount", recountOf(sku, counts));
  await service.settled();

  const [[week] = [0]] = weeksOf(await stockItemsOf(service.db, product_id));
  const movements = await queryRange(service.db, {
    table: "inventory",
    pk: movementPartition(product_id, week),
  });
  const totals = { week: { "1": { count: 9, on_hand: 13, reserved: 0 } }, earlier: {} };
  expect(movements.map((one) => one["totals"])).toEqual([...Array(8).fill(undefined), totals]);
});

describe("a list of what changed since a time", () => {
  /** The lists that take `updated_since`, and what identifies their records. */
  const lists: Readonly<Record<string, readonly string[]>> = {
    "/orders": ["order_id"],
    "/inventory/products": ["product_id"],
    "/inventory/stock": ["product_id", "distribution_center"],
    "/inventory/replenishments": ["replenishment_id"],
    "/inventory/returns": ["return_id"],
  };

  const now = () => new Date().toISOString();

  /** All records of a list, by what identifies them, and the `complete_until` of its first page. */
  async function listed(oms: Client, path: string, query: string) {
    const records = new Map<string, unknown>();
    let until: unknown;
    for (let page = 1; ; page += 1) {
      const { status, body } = await oms.get(`${path}?per_page=3&page=${page}${query}`);
      expect(status, JSON.stringify(body)).toBe(200);
      until ??= at(body, "metadata.complete_until");
      for (const record of listAt(body, "data"))
        records.set((lists[path] ?? []).map((name) => at(record, name)).join(), record);
      if (page >= numberAt(body, "metadata.total_pages")) {
        expect(records.size).toBe(numberAt(body, "metadata.total_records"));
        return { records, until: String(until) };
      }
    }
  }

  test("misses no change of any record, if calls go on by `complete_until`", async () => {
    const { store, owner } = await newSeller();
    const untouched = await newProduct(owner);
    await service.settled();
    const start = now();
    const known = new Map(Object.keys(lists).map((path) => [path, new Map<string, unknown>()]));
    const since = new Map(Object.keys(lists).map((path) => [path, start]));
    const poll = async () => {
      for (const path of Object.keys(lists)) {
        const { records, until } = await listed(store.oms, path, `&updated_since=${since.get(path)}`);
        for (const [id, record] of records) known.get(path)?.set(id, record);
        since.set(path, until);
      }
    };

    const [moved, sold] = await newProducts(owner, 2);
    if (moved === undefined || sold === undefined) throw new Error("no products were created");
    await poll();
    expect(known.get("/inventory/products")?.has(String(untouched.product_id))).toBe(false);
    await countStock(owner, sold.sku, { "A1/03": 9 });
    const [first = 0, second = 0] = await newOrders(owner, [
      [{ sku: sold.sku, quantity: 1 }],
      [{ sku: sold.sku, quantity: 2 }],
    ]);
    const { replenishment_id } = await announceReplenishment(owner, [{ sku: moved.sku, quantity: 5 }]);
    await poll();
    await claimOrder(byManager(service.db), first, null);
    await store.oms.post("/orders/cancel", { order_id: second });
    await store.oms.patch("/inventory/products", { data: [{ sku: moved.sku, distribution_center: "EAST" }] });
    await poll();
    await claim(owner, first);
    await service.settled();
    await poll();
    await store.oms.patch("/inventory/replenishments", {
      data: [{ replenishment_id, items: [{ sku: moved.sku, quantity: 4 }] }],
    });
    const { order_id } = await shippedOrder(owner, [{ sku: sold.sku, quantity: 1 }]);
    await announceReturn(owner, order_id, [{ sku: sold.sku, quantity: 1 }]);
    await service.settled();
    await poll();

    for (const path of Object.keys(lists)) {
      const whole = (await listed(store.oms, path, "")).records;
      // Calls go back before the last one, so they may find what did not change since the first.
      const unchanged = {
        "/inventory/products": untouched.product_id,
        "/inventory/stock": `${untouched.product_id},MAIN`,
      };
      for (const found of [whole, known.get(path)]) found?.delete(String(at(unchanged, path)));
      expect(new Map([...(known.get(path) ?? [])].sort()), path).toEqual(new Map([...whole].sort()));
      expect(whole.size).toBeGreaterThan(0);
    }
  });

  test("includes what was published late, although it changed earlier", async () => {
    const { store, owner } = await newSeller();
    const { sku } = await newProduct(owner);
    const [order_id = 0] = await newOrders(owner, [[{ sku, quantity: 1 }]]);
    await service.settled();
    const since = new Date(Date.now() + 6_000).toISOString();
    const before = await listed(store.oms, "/orders", `&updated_since=${since}`);

    await publishedLate(store.accountId, order_id, new Date(Date.now() + 12_000).toISOString());
    const after = await listed(store.oms, "/orders", `&updated_since=${since}`);

    expect([[...before.records.keys()], [...after.records.keys()]]).toEqual([[], [String(order_id)]]);
  });

  test("includes at the next call what hung for 45 s while it was published", async () => {
    const { store, owner } = await newSeller();
    const { sku } = await newProduct(owner);
    const [order_id = 0] = await newOrders(owner, [[{ sku, quantity: 1 }]]);
    await service.settled();
    const { until } = await listed(store.oms, "/orders", `&updated_since=${now()}`);

    await publishedLate(store.accountId, order_id, new Date(Date.now() - 45_000).toISOString());
    const next = await listed(store.oms, "/orders", `&updated_since=${until}`);

    expect([...next.records.keys()]).toEqual([String(order_id)]);
  });

  /** Stores an event of a change of an hour ago, as if it were published at a time. */
  async function publishedLate(account_id: number, orderId: number, read_at: string) {
    const feed = await readFeedState(service.db, account_id, [], []);
    const occurred_at = new Date(Date.now() - 3_600_000).toISOString();
    const pending = {
      source: `late-${orderId}`,
      version: "2026-11-22",
      account_id,
      occurred_at,
      changed_at: occurred_at,
      by: null,
      request_id: null,
      subject: { kind: "order", id: String(orderId) },
      drafts: [{ type: "order.updated", data: {}, previous: {} }],
    } as const;
    await storeEvents(service.db, account_id, [pending], { ...feed, read_at });
  }

  test("combines with the other filters of the list", async () => {
    const { store, owner } = await newSeller();
    const [one, two] = await newProducts(owner, 2);
    if (one === undefined || two === undefined) throw new Error("no products were created");
    const start = now();
    const [kept = 0, gone = 0] = await newOrders(owner, [
      [{ sku: one.sku, quantity: 1 }],
      [{ sku: one.sku, quantity: 1 }],
    ]);
    await store.oms.post("/orders/cancel", { order_id: gone });
    await service.settled();
    const found = async (path: string, query: string) => [
      ...(await listed(store.oms, path, `&updated_since=${start}${query}`)).records.keys(),
    ];

    expect(await found("/orders", "&status_id=1")).toEqual([String(kept)]);
    expect(await found("/orders", `&order_id=${gone}`)).toEqual([String(gone)]);
    expect(await found("/orders", "&to_date=2020-01-01")).toEqual([]);
    expect(await found("/inventory/stock", `&sku=${one.sku},${two.sku}`)).toEqual([`${one.product_id},MAIN`]);
    expect(await found("/inventory/stock", `&product_id=${two.product_id}`)).toEqual([]);
    expect(await found("/inventory/stock", "&distribution_center=EAST")).toEqual([]);
  });

  test.each(Object.keys(lists))("names in %s what it can't answer", async (path) => {
    const message = async (query: string) => {
      const { status, body } = await service.oms.get(`${path}?updated_since=${query}`);
      return [status, at(body, "response.message")];
    };
    const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();

    const instead = path === "/orders" ? "what was created by from_date" : "all records";
    const [status, tooFar] = await message(days(-32));
    expect(status).toBe(400);
    expect(tooFar).toMatch(
      /^updated_since is too far back: changes are kept since .*; read GET \S*\/events, /,
    );
    expect(String(tooFar).endsWith(`, or list ${instead}`)).toBe(true);
    expect(await message(days(1))).toEqual([
      400,
      expect.stringMatching(/^updated_since lies in the future;/),
    ]);
    expect(await message("1")).toEqual([
      400,
      "updated_since must be a date-time such as 2026-01-31T09:30:00Z",
    ]);
  });
});
