import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, expect, test, vi } from "vitest";
import { setUpStore } from "../../../../infra/demo/registry.ts";
import { archiveStore } from "../../../../infra/operator/archive/archive-store.ts";
import { dropExported } from "../../../../infra/operator/history/archive-history.ts";
import { changeOrders } from "../../../../shared/orders/change-orders.ts";
import type { Order } from "../../../../shared/orders/order.ts";
import { cancel, setSubStatus } from "../../../../shared/orders/order-transitions.ts";
import {
  historyPartition,
  readStoredHistory,
} from "../../../../shared/orders/storage/order-history-repository.ts";
import { movementPartition, weekAt } from "../../../../shared/stock/movements/movement-repository.ts";
import { expectBalanceAndMovements } from "../../../support/business/ledger.ts";
import {
  fulfill,
  type NewProduct,
  newOrders,
  newProduct,
  newStore,
  receiveGoods,
} from "../../../support/business/world.ts";
import { at, listAt } from "../../../support/http/client.ts";
import { contextOf } from "../../../support/records/flows.ts";
import { dyingAfter, troubledDatabase } from "../../../support/records/troubled.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import type { Service } from "../../../support/runtime/service.ts";
import { runOperator } from "../../../support/store/operator.ts";

const before = "2023-05-01";
const folder = mkdtempSync(join(tmpdir(), "past-"));
const file = join(folder, "past.jsonl.gz");
const drop = ["history", "drop", before, "--exported", file];

let store: Service;
let product: NewProduct;
/** An order that was cancelled long ago, one that was shipped then and changed since, and a Pending one. */
let [cancelled, shipped, pending] = [0, 0, 0];

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Runs work with a clock that is years behind. */
async function inThePast(work: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2022-03-05T10:00:00.000Z") });
  try {
    await work();
  } finally {
    vi.useRealTimers();
  }
}

const changed = (
  orderIds: readonly number[],
  decide: (before: Order, now: string) => ReturnType<typeof cancel>,
) =>
  changeOrders(
    contextOf(store),
    orderIds.map((order_id) => ({ order_id, path: "order_id", decide })),
  );

/** An order with much history of the past, which was perhaps also cancelled then. */
async function orderOfThePast(isCancelled: boolean): Promise<number> {
  let ids: readonly number[] = [];
  await inThePast(async () => {
    ids = await newOrders(store, [[{ sku: product.sku, quantity: 2 }]]);
    await annotated(ids, 12);
    if (isCancelled) await changed(ids, cancel);
  });
  return ids[0] ?? 0;
}

const service = await ownService();
await inThePast(async () => {
  store = { ...service, ...(await newStore(service)) };
  await setUpStore(store.db, store.accountId);
  product = await newProduct(store);
  await receiveGoods(store, product.sku, { quantity: 10, day: "2022-03-04", bin: "A1/03" });
  const items = [{ sku: product.sku, quantity: 2 }];
  [cancelled = 0, shipped = 0, pending = 0] = await newOrders(store, [items, items, items]);
  await fulfill(store, shipped);
  await annotated([cancelled, shipped, pending], 12);
  await changed([cancelled], cancel);
});
await annotated([shipped], 12);

/** Adds sub-statuses, which compress badly, to each of the orders. */
async function annotated(orderIds: readonly number[], times: number): Promise<void> {
  for (let time = 0; time < times; time += 1)
    await changed(orderIds, (order, now) => setSubStatus(order, randomBytes(32).toString("hex"), now));
}

async function operator(words: readonly string[], db = service.db) {
  const { status, stdout, stderr } = await runOperator(words, db);
  return { status, stdout: stdout.trimEnd(), stderr: stderr.trimEnd() };
}

const historyOf = async (orderId: number) =>
  listAt((await store.oms.get(`/orders/${orderId}`)).body, "data.history");

/** The old history entries that are stored beside an order. */
const besideOf = async (orderId: number) =>
  (await readStoredHistory(service.db, orderId))
    .toReversed()
    .filter(({ entries }) => entries.every((entry) => entry.at < before))
    .flatMap(({ entries }) => entries);

/** The records of an export, without its first line and its last. */
const linesIn = (name: string): readonly unknown[] =>
  gunzipSync(readFileSync(name))
    .toString()
    .trimEnd()
    .split("\n")
    .slice(1, -1)
    .map((line) => JSON.parse(line));

const ofKind = (lines: readonly unknown[], kind: string) => lines.filter((line) => at(line, "kind") === kind);

test("old history and movements are exported, then dropped; movements still add up and orders keep their latest changes", async () => {
  const { movements } = await expectBalanceAndMovements(store, product.sku);
  const past = { cancelled: await besideOf(cancelled), shipped: await besideOf(shipped) };
  const full = { cancelled: await historyOf(cancelled), shipped: await historyOf(shipped) };
  const untouched = await historyOf(pending);

  const exported = await operator(["history", "export", before, file]);
  const again = await operator(["history", "export", before, file]);
  const dry = await operator([...drop, "--dry-run"]);
  // One transaction drops the movements, and one what lies beside each order.
  for (const writes of [0, 1, 1]) await operator([...drop, "--yes"], dyingAfter(service, writes));
  const halfway = await expectBalanceAndMovements(store, product.sku);
  await operator([...drop, "--yes"]);
  const nothing = await operator([...drop, "--yes"]);

  const lines = linesIn(file);
  expect(ofKind(lines, "movement")).toEqual(movements.map((movement) => ({ kind: "movement", ...movement })));
  expect(movements).toHaveLength(6);
  for (const [order_id, entries] of [
    [cancelled, past.cancelled] as const,
    [shipped, past.shipped] as const,
  ]) {
    expect(entries.length).toBeGreaterThan(5);
    const ofOrder = ofKind(lines, "history").filter((line) => at(line, "order_id") === order_id);
    expect(ofOrder).toEqual(entries.map((entry) => ({ kind: "history", order_id, ...entry })));
  }
  const entries = past.cancelled.length + past.shipped.length;
  expect(exported.stdout).toBe(`Exported: movements 6, history entries ${entries}.`);
  expect(dry.stdout).toBe(`Dropped: movements 6, history entries ${entries}.`);
  expect([again.stdout, again.stderr]).toEqual([
    "",
    expect.stringContaining("past.jsonl.gz exists already, and is not overwritten"),
  ]);

  expect(nothing.stdout).toBe("Dropped: movements 0, history entries 0.");
  expect(halfway.on_hand).toBe(8);
  expect((await expectBalanceAndMovements(store, product.sku)).movements).toMatchObject([
    { reason: "carried_forward", at: "2023-05-01T00:00:00.000Z", on_hand: 8, reserved: 2 },
  ]);
  const [creation, ...cancelledSince] = full.cancelled;
  expect(await historyOf(cancelled)).toEqual([creation, ...cancelledSince.slice(past.cancelled.length)]);
  const [begun, ...shippedSince] = full.shipped;
  expect(await historyOf(shipped)).toEqual([begun, ...shippedSince.slice(past.shipped.length)]);
  expect(await historyOf(pending)).toEqual(untouched);
});

test("an export of the last two years is rejected and creates no file", async () => {
  const recent = new Date(Date.now() - 700 * 86_400_000).toISOString().slice(0, 10);
  const name = join(folder, "recent.jsonl");

  const endings = [
    await operator(["history", "export", recent, name]),
    await operator(["history", "drop", recent, "--exported", file, "--yes"]),
  ];

  expect(endings.map(({ stderr }) => stderr)).toEqual(
    endings.map(() => "BEFORE must be at least two years ago"),
  );
  expect(existsSync(name)).toBe(false);
});

/** Points the SDK's client for S3 to the queue server, which is one of S3, too. */
async function bucketNamed(Bucket: string): Promise<void> {
  vi.stubEnv("AWS_ENDPOINT_URL_S3", service.runtime.sqs.endpoint);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
  await new S3Client({ forcePathStyle: true }).send(new CreateBucketCommand({ Bucket }));
}

test("orders of the past are archived in S3, where a second run finds them", async () => {
  const to = "s3://archive.example/orders-2022.jsonl.gz";
  await bucketNamed("archive.example");
  const words = ["orders", "archive", "--before", before, "--to", to];

  const dry = await operator([...words, "--dry-run"]);
  const died = await operator([...words, "--yes"], dyingAfter(service, 1));
  const archived = await operator([...words, "--yes"]);
  const again = await operator([...words, "--yes", "--json"]);
  const wrong = await operator([...words, "--account", "100", "--yes"]);
  const unknown = await operator([...words, "--account", "999", "--yes"]);

  expect(dry.stdout).toMatch(/^Orders to archive: 1, \d+ bytes before compression\.$/);
  expect(died.stderr).toContain("died");
  const sha256 = at(JSON.parse(again.stdout), "sha256");
  expect(archived.stdout).toBe(
    `Orders in ${to}: 1 (SHA-256 ${sha256}).\nOf these removed 1, removed before 0, changed meanwhile 0.`,
  );
  expect(JSON.parse(again.stdout)).toEqual({
    ...{ to, orders: 1, sha256, removed: 0, gone: 1, changed: [], left: {} },
  });
  expect(unknown.stderr).toBe("There is no account 999");
  expect([wrong.status, wrong.stderr]).toEqual([
    2,
    expect.stringContaining("is an archive of other orders:"),
  ]);
  // The shipped order has changed since.
  const statuses = [cancelled, shipped, pending].map((id) => store.oms.get(`/orders/${id}`));
  expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([404, 200, 200]);

  const shown = await operator(["archive", "show", to, String(cancelled), "--json"]);
  const whole = await operator(["archive", "show", to, String(cancelled), "--customer"]);
  const verified = await operator(["archive", "show", to]);
  const number = String(at(JSON.parse(shown.stdout), "order.order_number"));
  const ofAccount = await operator(["archive", "show", to, number, "--account", String(store.accountId)]);
  const ofNone = await operator(["archive", "show", to, number]);
  const absent = await operator(["archive", "show", to, String(pending)]);
  const nowhere = await operator(["archive", "show", "s3://archive.example/none"]);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    order: { order_id: cancelled, status: "Cancelled" },
    history: expect.arrayContaining([
      expect.objectContaining({ status: { from: "Pending", to: "Cancelled" } }),
    ]),
  });
  expect(at(JSON.parse(shown.stdout), "order.customer")).toBeUndefined();
  expect(at(JSON.parse(whole.stdout), "order.customer.firstname")).toBe("Test");
  expect([JSON.parse(ofAccount.stdout), ofNone.stderr]).toEqual([
    JSON.parse(shown.stdout),
    `${to} has no order ${number}`,
  ]);
  expect(verified.stdout).toBe(
    `${to} is complete. Orders of all accounts, last changed before ${before}: 1 (SHA-256 ${sha256}).`,
  );
  expect(absent.stderr).toBe(`${to} has no order ${pending}`);
  expect([nowhere.status, nowhere.stderr]).toEqual([2, "There is no archive s3://archive.example/none"]);
});

test.each([
  [["orders", "archive", "--yes", "--before", before, "--to"], "orders.jsonl.gz"],
  [["orders", "archive", "--yes", "--before", before, "--to"], "s3://interrupted.example/orders.jsonl.gz"],
  [["history", "export", before], "past.jsonl.gz"],
])("an interrupted command leaves no half of a file behind: %j %s", async (words, name) => {
  vi.stubEnv("TMPDIR", mkdtempSync(join(folder, "temporary-")));
  const to = name.startsWith("s3:") ? name : join(tmpdir(), name);
  await bucketNamed("interrupted.example");
  const orderId = await orderOfThePast(true);
  const interruption = new AbortController();
  const troubled = troubledDatabase(service);
  const isHalfWay = async () => {
    await vi.waitUntil(() => readdirSync(tmpdir()).length > 0);
    interruption.abort();
  };
  troubled.add({ before: isHalfWay }, { command: "Query", text: historyPartition(orderId) });
  const circumstances = { interruption: interruption.signal };

  const { status, stderr } = await runOperator([...words, to], troubled.db, circumstances);

  expect([status, stderr]).toEqual([130, expect.stringMatching(/^Interrupted\.\n(Orders read|Exporting): /)]);
  expect(readdirSync(tmpdir())).toEqual([]);
});

test("recent orders are not archived", async () => {
  const recent = new Date(Date.now() - 80 * 86_400_000).toISOString().slice(0, 10);

  const { stderr } = await operator(["orders", "archive", "--before", recent, "--to", file, "--yes"]);

  expect(stderr).toBe("--before must be at least 90 days ago");
});

test("history is dropped only as a complete export of the same date holds it", async () => {
  const [other, damaged, old] = [
    join(folder, "other.gz"),
    join(folder, "damaged.gz"),
    join(folder, "old.gz"),
  ];
  const order = await orderOfThePast(false);
  await operator(["history", "export", before, other]);
  writeFileSync(damaged, readFileSync(other).subarray(0, -20));
  writeFileSync(old, '{"kind":"movement"}\n');
  await changed([order], cancel);
  const kept = await historyOf(order);

  const endings: { readonly status: number; readonly stdout: string; readonly stderr: string }[] = [];
  for (const [day, name] of [
    [before, damaged],
    [before, old],
    ["2023-04-01", other],
    [before, other],
  ] as const)
    endings.push(await operator(["history", "drop", day, "--exported", name, "--yes"]));

  expect(endings.map(({ status }) => status)).toEqual([2, 2, 2, 0]);
  expect(endings.map(({ stdout, stderr }) => stdout || stderr)).toEqual([
    expect.stringContaining("damaged.gz is no complete archive"),
    expect.stringContaining("old.gz is no complete archive"),
    expect.stringContaining("other.gz was exported for 2023-05-01, not for 2023-04-01"),
    expect.stringMatching(/^Dropped: movements \d+, history entries \d+\.$/),
  ]);
  expect(await historyOf(order)).toEqual(kept);
});

test("an export of history has no orders to show", async () => {
  const name = join(folder, "no-orders.gz");
  const order = await orderOfThePast(true);
  await operator(["history", "export", before, name]);

  const shown = [
    await operator(["archive", "show", name, String(order)]),
    await operator(["archive", "show", name]),
  ];

  expect(shown.map(({ stderr }) => stderr)).toEqual([
    `${name} has no order ${order}`,
    `${name} is no archive of orders`,
  ]);
});

test("a drop holds a few lines of the export at a time, and all those of an order", async () => {
  const name = join(folder, "parts.gz");
  await inThePast(async () => {
    const { sku } = await newProduct(store);
    for (const bin of ["A1/01", "A1/02", "A1/03"])
      await receiveGoods(store, sku, { quantity: 1, day: "2022-03-04", bin });
  });
  const order = await orderOfThePast(true);
  const entries = (await besideOf(order)).length;
  await operator(["history", "export", before, name]);
  const dropped: number[] = [];
  const advance = (by = 1) => void dropped.push(by);

  const counts = await dropExported(service.db, { before, archive: archiveStore(name), advance }, 1);

  const movements = dropped.filter((one) => one === 1);
  expect(movements.length).toBeGreaterThanOrEqual(3);
  expect(counts.movements).toBe(movements.length);
  expect(entries).toBeGreaterThan(1);
  expect(dropped).toContain(entries);
});

test("a drop totals a product once, after the last part that has lines of it", async () => {
  const name = join(folder, "totalled.gz");
  let [sku, product_id] = ["", 0];
  await inThePast(async () => {
    ({ sku, product_id } = await newProduct(store));
    for (const bin of ["A1/01", "A1/02", "A1/03"])
      await receiveGoods(store, sku, { quantity: 1, day: "2022-03-04", bin });
  });
  const day = "2023-06-01";
  await receiveGoods(store, sku, { quantity: 1, day });
  await operator(["history", "export", before, name]);
  const troubled = troubledDatabase(service);
  const read = { times: Number.POSITIVE_INFINITY, text: movementPartition(product_id, weekAt(day)) };
  troubled.add({ before: async () => undefined }, { ...read, command: "Query" });

  const dropping = { before, archive: archiveStore(name), advance: () => undefined };
  await dropExported(troubled.db, dropping, 1);

  // Later weeks are read only to total the product.
  expect(troubled.hits).toBe(1);
  await expectBalanceAndMovements(store, sku);
});
