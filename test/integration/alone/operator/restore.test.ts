/**
 * Rehearses docs/operators/recovery.md: tables as they are at one moment, while clients write, are restored
 * into the tables of a new deployment. Copying the items stands in for what DynamoDB does.
 */

import { randomBytes } from "node:crypto";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, expect, test, vi } from "vitest";
import type { Runtime } from "../../../../infra/local/index.ts";
import { type Finding, verify } from "../../../../infra/operator/verify/index.ts";
import { placed } from "../../../../shared/common/placed.ts";
import { cancelOrders, changeOrders } from "../../../../shared/orders/change-orders.ts";
import { setSubStatus } from "../../../../shared/orders/order-transitions.ts";
import { historyPartition } from "../../../../shared/orders/storage/order-history-repository.ts";
import { orderList, orders } from "../../../../shared/orders/storage/order-repository.ts";
import { acceptRecount } from "../../../../shared/stock/recount/accept-recount.ts";
import { stockOf } from "../../../../shared/stock/stock-levels.ts";
import type { RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import { blockOf } from "../../../../shared/store/lists/block-list.ts";
import { readList } from "../../../../shared/store/lists/read-list.ts";
import { type TableName, tableNames, tableSchemas } from "../../../../shared/store/tables.ts";
import { expectEachBalanced } from "../../../support/business/ledger.ts";
import { goodsOf, stockpile } from "../../../support/business/stockpile.ts";
import {
  byManager,
  countStock,
  type NewProduct,
  pendingOrder,
  shelf,
  stockedProduct,
} from "../../../support/business/world.ts";
import { lose } from "../../../support/damages/damage.ts";
import { storeWithMethod } from "../../../support/damages/of-stock.ts";
import { listAt, numberAt } from "../../../support/http/client.ts";
import { operations, pick, randomFrom, whole } from "../../../support/http/random.ts";
import { contentsOf, putContents } from "../../../support/records/demo-data.ts";
import { contextOf, type Owner } from "../../../support/records/flows.ts";
import { orderOf, recountOf, unique } from "../../../support/records/records.ts";
import { newWebhook, storedWebhook } from "../../../support/records/webhooks.ts";
import { type OwnService, ownService } from "../../../support/runtime/own-service.ts";
import { deployedBy, type Service, serviceOf, storeOf } from "../../../support/runtime/service.ts";
import { takeRuntime } from "../../../support/runtime/worker-runtime.ts";
import { makeOverdue } from "../../../support/store/jobs.ts";
import { runOperator } from "../../../support/store/operator.ts";
import { itemsOf } from "../../../support/store/scan.ts";
import { createTable } from "../../../support/tables/create-table.ts";

let restored: Runtime | undefined;
const lost = await ownService();
afterEach(async () => {
  await restored?.stop();
  restored = undefined;
});

async function twoProducts(): Promise<readonly NewProduct[]> {
  const next = await stockpile(lost, 2, [{ bin: "A1/03", quantity: 500 }]);
  return [next(), next()];
}

const enough = operations(10, 400);

async function trade(owner: Owner, products: readonly NewProduct[], random: () => number): Promise<void> {
  for (let round = 0; round < enough; round += 1) {
    const { sku } = pick(random, products);
    const orderId = await pendingOrder(owner, [{ sku, quantity: 1 }]);
    if (random() < 0.4) await cancelOrders(contextOf(owner), placed([orderId]));
    if (random() < 0.3) await countStock(owner, sku, whole(random, 300, 400));
  }
}

/** Starts clients that order, cancel and count without a pause, until they are stopped. */
function startClients(service: OwnService, products: readonly NewProduct[]) {
  let isOver = false;
  let rounds = 0;
  const client = async (seed: number): Promise<void> => {
    const random = randomFrom(seed);
    for (; !isOver; rounds += 1) {
      const { sku } = pick(random, products);
      const { body, status } = await service.oms.post("/orders", { data: [orderOf([{ sku, quantity: 1 }])] });
      if (status === 200 && random() < 0.4)
        await service.oms.post("/orders/cancel", { order_id: numberAt(body, "data.0.order_id") });
      if (random() < 0.3)
        await service.wms.post(
          "/recount",
          recountOf(sku, [{ ...shelf, qty_in_bin: whole(random, 300, 400) }]),
        );
    }
  };
  const clients = [1, 2, 3, 4].map(client);
  return {
    /** Resolves once they have made `enough` rounds of calls together. */
    busy: () => vi.waitUntil(() => rounds >= enough, { timeout: 60_000, interval: 5 }),
    stop: async () => {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

/** From now on, every function dies at its next call to the database. */
const strike = ({ runtime }: OwnService) =>
  runtime.faults.add({ effect: "kill-before", times: Number.MAX_SAFE_INTEGER });

interface Restored extends Service {
  readonly runtime: Runtime;
}

/** A new deployment with copies of the items. Its queues are empty, as in another region. */
async function restore(contents: Awaited<ReturnType<typeof contentsOf>>): Promise<Restored> {
  const runtime = await takeRuntime();
  restored = runtime;
  await putContents(runtime, contents);
  const service = serviceOf(deployedBy(runtime));
  return { ...service, ...storeOf(service, 100, "demo-oms-key-100"), runtime };
}

async function found({ db }: Restored, repairer?: string): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  await verify({
    db,
    accountId: undefined,
    report: (finding) => void findings.push(finding),
    settleMs: 20,
    retryBudgetMs: 2_000,
    segments: 1,
    ...(repairer === undefined ? {} : { repairer }),
  });
  return findings;
}

const queuedJobs = async ({ db }: Restored): Promise<readonly number[]> =>
  (await itemsOf(db, "jobs")).flatMap(({ status, job_id }) => (status === "queued" ? [Number(job_id)] : []));

/** Runs the schedules: they complete sagas, and send jobs whose messages were lost with the queues. */
async function catchUp(service: Restored): Promise<void> {
  const { runtime, db } = service;
  runtime.resume();
  await runtime.runSchedule("jobs/resume-sagas");
  // The sweeper sends jobs that are older than 45 seconds.
  for (const jobId of await queuedJobs(service)) await makeOverdue(db, jobId);
  await runtime.runSchedule("jobs/sweep-jobs");
  await runtime.settled();
  expect(await queuedJobs(service)).toEqual([]);
}

async function expectToServe({ oms }: Restored, products: readonly NewProduct[]): Promise<void> {
  const lines = products.map(({ sku }) => ({ sku, quantity: 1 }));
  const created = await oms.post("/orders", { data: [orderOf(lines)] });
  const id = numberAt(created.body, "data.0.order_id");
  const read = await oms.get(`/orders/${id}`);
  const { body: page } = await oms.get("/orders?per_page=100");

  expect([created.status, read.status]).toEqual([200, 200]);
  expect(listAt(page, "data").some((order) => numberAt(order, "order_id") === id)).toBe(true);
}

test("if stock was restored from before the orders, a repair makes everything consistent again", async () => {
  const products = await twoProducts();
  const early: readonly TableName[] = ["inventory"];
  const random = randomFrom(20_260_704);
  await trade(lost, products, random);
  const before = await contentsOf(lost.runtime, early);
  await trade(lost, products, random);

  const later = tableNames.filter((name) => !early.includes(name));
  const service = await restore([...before, ...(await contentsOf(lost.runtime, later))]);
  await catchUp(service);
  const named = await found(service);
  const repaired = await found(service, "operator");
  const left = await found(service);

  expect(named.length).toBeGreaterThan(0);
  expect(repaired).toContainEqual(expect.objectContaining({ state: "repaired" }));
  expect(left).toEqual([]);
  await expectEachBalanced(
    service,
    products.map(({ sku }) => sku),
  );
  await expectToServe(service, products);
});

test("if counters were restored from before the orders, a repair adds what is missing and lowers no reservation", async () => {
  const store = await storeWithMethod(lost);
  const { sku, product_id } = await goodsOf(store, 10);
  await lost.settled();
  const early: readonly TableName[] = ["tallies"];
  const before = await contentsOf(lost.runtime, early);
  // The first order of an account leases a block.
  const orderId = await pendingOrder(store, [{ sku, quantity: 4 }]);
  await lost.settled();

  const later = tableNames.filter((name) => !early.includes(name));
  const service = await restore([...before, ...(await contentsOf(lost.runtime, later))]);
  const named = await found(service);
  const repaired = await found(service, "operator");
  const left = await found(service);
  const own = { ...service, accountId: store.accountId };
  const next = await pendingOrder(own, [{ sku, quantity: 1 }]);
  const [level] = await stockOf(service.db, product_id);
  const { total } = await readList(orders, service.db, store.accountId, { page: 1, per_page: 10 });

  const block = blockOf(orderList, orderId);
  const missing = [
    { record: "list order", what: "the last block that was leased, by its counter", actual: block - 1 },
    { record: `list order of ${store.accountId}`, what: "its next id" },
    { record: `list order, block ${block} of ${store.accountId}`, actual: "not there" },
  ].map((one) => expect.objectContaining(one));
  expect(named).toEqual([
    ...missing,
    { kind: "inconclusive", record: `stock of account ${store.accountId}`, why: "unclear" },
  ]);
  const counted = { record: `list order, block ${block} of ${store.accountId}`, what: "counter" };
  expect(repaired).toEqual([...missing, expect.objectContaining({ ...counted, actual: 0, expected: 1 })]);
  expect(left).toEqual([]);
  expect(level).toMatchObject({ on_hand: 10, reserved: 5 });
  expect([next > orderId, total]).toEqual([true, 2]);
});

/** A table with these items, as a restore to a point in time makes it; with the index that finds webhooks. */
async function copied(items: readonly RawItem[]): Promise<string> {
  const TableName = unique("restored");
  const { client } = lost.db;
  await createTable(lost.db, TableName, tableSchemas.webhooks);
  for (const Item of items) await client.send(new PutCommand({ TableName, Item }));
  return TableName;
}

const remove = (table: TableName, { pk, sk }: RawItem): Promise<void> =>
  lose(lost.db, { table, key: { pk: String(pk), sk: String(sk) } });

const restoreFrom = (from: string, ...words: readonly string[]) =>
  runOperator(["data", "restore-record", ...words, "--from", from, "--yes"], lost.db);

test("a lost order comes back out of a restored table, with its lookups and its history", async () => {
  const store = await storeWithMethod(lost);
  const { sku } = await stockedProduct(store, 10);
  const orderId = await pendingOrder(store, [{ sku, quantity: 2 }], { order_reference: unique("ref") });
  const owner = contextOf(store);
  for (let time = 0; time < 12; time += 1)
    await changeOrders(owner, [
      {
        order_id: orderId,
        path: "",
        decide: (one, now) => setSubStatus(one, randomBytes(32).toString("hex"), now),
      },
    ]);
  const finds = ({ pk, id }: RawItem) => String(pk).startsWith("order-") && id === orderId;
  const isOfOrder = ({ pk, sk }: RawItem) =>
    pk === historyPartition(orderId) || String(sk).includes(String(orderId));
  const ofOrder = (await itemsOf(lost.db, "orders")).filter(isOfOrder);
  const lookups = (await itemsOf(lost.db, "directory")).filter(finds);
  const from = await copied(ofOrder);
  const [kept, ...gone] = [
    ...lookups.map((item) => ["directory", item] as const),
    ...ofOrder.map((item) => ["orders", item] as const),
  ];
  for (const [table, item] of gone) await remove(table, item);
  const run = (...words: readonly string[]) => restoreFrom(from, ...words);
  const broken = await found(lost);

  const tried = await run("order", String(orderId), "--dry-run");
  const restored = await run("order", String(orderId));
  const again = await run("order", String(orderId));
  const unknown = await run("order", "999999");

  expect(kept).toBeDefined();
  expect(ofOrder.length).toBeGreaterThan(1);
  expect(broken).not.toEqual([]);
  expect([tried.status, restored.status, again.status, unknown.status]).toEqual([0, 0, 1, 1]);
  expect(again.stderr).toContain(`The order ${orderId} exists, or a part of it: the item order#`);
  expect((await itemsOf(lost.db, "orders")).filter(isOfOrder)).toEqual(ofOrder);
  expect((await itemsOf(lost.db, "directory")).filter(finds)).toEqual(lookups);
  expect(await found(lost)).toEqual([]);
});

test("lost stock comes back as it was, and a repair makes it what bins, orders and movements say now", async () => {
  const store = await storeWithMethod(lost);
  const { product_id, sku } = await stockedProduct(store, { "A1/01": 10, "A1/02": 5 });
  const id = String(product_id);
  const ofProduct = async () =>
    (await itemsOf(lost.db, "inventory")).filter((item) => item["product_id"] === product_id);
  const kinds = async (prefix: string) =>
    (await ofProduct()).filter(({ pk }) => String(pk).startsWith(`${prefix}#`));
  const from = await copied([...(await kinds("stock")), ...(await kinds("bin-content"))]);
  await countStock(store, sku, { "A1/01": 12 });
  await pendingOrder(store, [{ sku, quantity: 2 }]);
  const whole = await restoreFrom(from, "stock", id);
  const nowhere = await restoreFrom("nowhere", "stock", id);
  const [stock] = await kinds("stock");
  const bin = (await kinds("bin-content")).find((item) => item["bin"] === "02");
  await remove("inventory", stock ?? {});
  await remove("inventory", bin ?? {});

  const restored = await restoreFrom(from, "stock", id);
  const unequal = await stockOf(lost.db, product_id);
  await found(lost, "operator");

  expect([whole.status, whole.stderr]).toEqual([1, expect.stringContaining("Nothing of the stock")]);
  expect([nowhere.status, nowhere.stderr]).toEqual([1, expect.stringContaining("no table nowhere")]);
  expect(restored.status).toBe(0);
  expect(unequal).toMatchObject([{ on_hand: 15, reserved: 0 }]);
  expect(await stockOf(lost.db, product_id)).toMatchObject([{ on_hand: 17, reserved: 2 }]);
  const bins = (await kinds("bin-content")).map((item) => [item["bin"], item["quantity"], item["expected"]]);
  expect(bins.toSorted()).toEqual([
    ["01", 12, 12],
    ["02", 5, 5],
  ]);
  expect(await found(lost)).toEqual([]);
});

test("a restored bin waits for the corrections that are queued now, and a count of it is exact", async () => {
  const store = await storeWithMethod(lost);
  const { product_id, sku } = await stockedProduct(store, { "A1/01": 10, "A1/02": 5 });
  const accept = async (bin: string, quantity: number) =>
    acceptRecount(
      byManager(lost.db),
      [
        {
          ...{ account_id: store.accountId, sku, location: "A1", bin, comment: "" },
          change: { kind: "relative", quantity },
        },
      ],
      (jobs) => jobs,
    );
  const items = async (): Promise<readonly RawItem[]> =>
    (await itemsOf(lost.db, "inventory")).filter((item) => item["product_id"] === product_id);
  const bins = async () => (await items()).filter(({ bin, expected }) => bin && expected !== undefined);
  const binNamed = async (name: string) => (await bins()).find(({ bin }) => bin === name);
  await accept("01", -4);
  const from = await copied(await items());
  await accept("01", -1);
  await accept("02", 3);
  const lostBin = await binNamed("01");
  await remove("inventory", lostBin ?? {});

  const { status } = await restoreFrom(from, "stock", String(product_id));
  const restored = await binNamed("01");
  const findings = await found(lost, "operator");
  await catchUp(lost);
  await countStock(store, sku, { "A1/01": 7 });

  expect([status, findings]).toEqual([0, []]);
  expect(restored).toEqual(lostBin);
  const contents = (await bins()).map((item) => [item["bin"], item["quantity"], item["expected"]]);
  expect(contents.toSorted()).toEqual([
    ["01", 7, 7],
    ["02", 8, 8],
  ]);
  expect(await found(lost)).toEqual([]);
});

test("a lost webhook comes back switched off, at its position of then", async () => {
  const store = await storeWithMethod(lost);
  const { webhook_id } = await newWebhook(store);
  const before = await storedWebhook(store, webhook_id);
  const own = (await itemsOf(lost.db, "webhooks")).filter(({ pk, sk }) =>
    [`${pk}`, `${sk}`].some((key) => new RegExp(`(^|#)0*${webhook_id}$`).test(key)),
  );
  const from = await copied(own);
  for (const item of own) await remove("webhooks", item);

  const restored = await restoreFrom(from, "webhook", String(webhook_id));
  const again = await restoreFrom(from, "webhook", String(webhook_id));

  expect([restored.status, again.status]).toEqual([0, 1]);
  expect(await storedWebhook(store, webhook_id)).toEqual({
    ...before,
    webhook: { ...before.webhook, active: false },
  });
  expect(await found(lost)).toEqual([]);
});

// No function of the lost service answers after this one.
test("tables of one moment in the middle of writes serve again without any finding", async () => {
  const products = await twoProducts();
  const clients = startClients(lost, products);
  await clients.busy();
  strike(lost);
  await clients.stop();

  const service = await restore(await contentsOf(lost.runtime));
  const early = await found(service);
  await catchUp(service);
  const late = await found(service);

  expect(early).toEqual([]);
  expect(late).toEqual([]);
  await expectToServe(service, products);
});
