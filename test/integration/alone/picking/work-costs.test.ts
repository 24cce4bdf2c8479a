import { expect, test } from "vitest";
import { schedule } from "../../../../functions/jobs/sweep-jobs.ts";
import { setUpStore } from "../../../../infra/demo/registry.ts";
import {
  deploymentOwner,
  findJob,
  finishApplied,
  insertJob,
  jobList,
} from "../../../../shared/jobs/job-repository.ts";
import type { Order } from "../../../../shared/orders/order.ts";
import { orders, type StoredOrder } from "../../../../shared/orders/storage/order-repository.ts";
import { pickedPage } from "../../../../shared/orders/storage/picked-orders.ts";
import { saveOrder } from "../../../../shared/orders/storage/save-order.ts";
import { commitEach } from "../../../../shared/store/bulk/bulk.ts";
import { withBudget } from "../../../../shared/store/dynamodb/retry.ts";
import { transact } from "../../../../shared/store/dynamodb/transact.ts";
import type { Write } from "../../../../shared/store/dynamodb/writes.ts";
import { allocate } from "../../../../shared/store/lists/allocate.ts";
import { anyOwner } from "../../../../shared/store/lists/repository.ts";
import { commitRecord } from "../../../../shared/store/sagas/saga.ts";
import { newOrders, newProduct, newStore } from "../../../support/business/world.ts";
import { at, listAt, numberAt } from "../../../support/http/client.ts";
import { signIn } from "../../../support/http/mobile.ts";
import { troubledDatabase } from "../../../support/records/troubled.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { takeMessages } from "../../../support/store/jobs.ts";
import { resumeAll } from "../../../support/store/sagas.ts";
import { itemsOf } from "../../../support/store/scan.ts";

/** What the work costs that piles up where the warehouse or a queue stands still. */
const service = await ownService({ paused: true });
service.runtime.recordCapacity(true);

const kind = "weight";

/** Hundreds of jobs that were accepted long ago, and whose messages were lost. */
async function lostJobs(hundreds: number): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let call = 0; call < hundreds; call += 1) {
    const { firstId } = await allocate(service.db, jobList, deploymentOwner, 100);
    const some = Array.from({ length: 100 }, (_, position) => firstId + position);
    const writes = some.map((id) =>
      insertJob(
        kind,
        { job_id: id, by: "user:manager", payload: { order_id: id, weight: 1 } },
        "2026-01-01T00:00:00.000Z",
      ),
    );
    await transact(service.db, writes);
    ids.push(...some);
  }
  return ids;
}

test("a sweep sends all lost messages, in 13 calls for each hundred and two for each shard at most", async () => {
  // A page of each shard.
  const ids = await lostJobs(4);
  const mark = service.runtime.mark();

  await service.runtime.runSchedule("jobs/sweep-jobs");
  const calls = service.runtime.calls(mark).filter((call) => call.function === "jobs/sweep-jobs");
  await service.runtime.runSchedule("jobs/sweep-jobs");
  const messages = await takeMessages(service.runtime, kind);

  const sent = messages.map((text): unknown => JSON.parse(text).job_id);
  expect(sent.toSorted()).toEqual(ids.toSorted());
  expect(calls.length).toBeLessThanOrEqual(13 * 4 + 2 * 4);
  expect(calls.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(await findJob(service.db, ids[0] ?? 0)).toMatchObject({ status: "queued", resent: 1 });
});

test("a sweep whose time is over leaves the rest to the next", async () => {
  await lostJobs(6);
  const run = { db: service.db, now: new Date().toISOString() };

  const short = await schedule.run({ ...run, remaining: () => 0 });
  const next = await schedule.run({ ...run, remaining: () => 50_000 });

  // A page of each shard.
  expect([short["resent"], next["resent"]]).toEqual([400, 200]);
});

test("a sweep leaves a job alone that is being applied by a saga, and sends the others", async () => {
  const [held = 0, ...others] = await lostJobs(1);
  const now = new Date().toISOString();
  const counts = Array.from({ length: 120 }, (_, index): Write => {
    const key = { pk: "counters", sk: `${index}` };
    return { kind: "count", table: "orders", key, add: { n: 1 } };
  });
  const dying = troubledDatabase(service, { after: () => Promise.reject(new Error("died")) });
  const applied = finishApplied(held, { at: now, attempts: 1 });
  await expect(commitRecord(dying.db, [applied, ...counts])).rejects.toThrow("died");
  await takeMessages(service.runtime, kind);

  await service.runtime.runSchedule("jobs/sweep-jobs");
  const messages = await takeMessages(service.runtime, kind);

  const sent = messages.map((text): unknown => JSON.parse(text).job_id);
  expect(sent.toSorted()).toEqual(others.toSorted());
  await resumeAll(service.db);
  expect(await findJob(service.db, held)).toMatchObject({ status: "applied", resent: 0 });
});

/** So many orders of a new account, whose ids are a block's own, that are picked in one step. */
async function pickedOrders(count: number): Promise<readonly StoredOrder[]> {
  const store = { db: service.db, ...(await newStore(service)) };
  await setUpStore(service.db, store.accountId);
  const { sku } = await newProduct(store);
  const ids = await newOrders(store, Array(count).fill([{ sku, quantity: 1 }]));
  const found = [...(await orders.findAll(service.db, anyOwner, ids)).values()];
  return changed(found, (order) => ({
    ...order,
    status: "Processing",
    picker: "manager",
    version: order.version + 1,
    picks: order.items.map(({ product_id, sku, quantity, distribution_center_id }) => ({
      ...{ product_id, sku, quantity, distribution_center_id },
      ...{ bin_id: 1, location: "A1", bin: "01", layers: [], serials: [] },
      ...{ by: "manager", at: order.created_at },
    })),
  }));
}

/** Stores a change of orders in few transactions, their stock left as it is. Answers them as they are now. */
async function changed(
  before: readonly StoredOrder[],
  change: (order: Order) => Order,
): Promise<readonly StoredOrder[]> {
  const replaced = before.map((one) => saveOrder(one, change(one.record), "user:manager"));
  const { outcomes } = await commitEach(
    service.db,
    replaced.map(({ writes }) => writes),
  );
  expect(new Set(outcomes.map((outcome) => outcome.kind))).toEqual(new Set(["stored"]));
  return replaced.map(({ stored }) => stored);
}

test("a page of the orders to check costs the same, however many there are and wherever it lies", async () => {
  const checker = await signIn(service);
  const list = async (page: number) => {
    const mark = service.runtime.mark();
    const { body } = await checker.post("/mobile-v1/qc-shippings-1", { page, per_page: 5 });
    const calls = service.runtime.calls(mark).filter((call) => call.function === "v2/mobile/check-shippings");
    const units = calls.flatMap(({ charges }) => charges).reduce((sum, charge) => sum + charge.units, 0);
    const ids = listAt(body, "data").map((order) => at(order, "order_id"));
    return { ids, calls: calls.length, units, total: numberAt(body, "metadata.total_records") };
  };
  // An instance's first call reads the key of sessions as well.
  const before = await list(1);
  const [first, ...more] = [
    await pickedOrders(10),
    await pickedOrders(45),
    await pickedOrders(45),
    await pickedOrders(10),
  ];
  const all = [...first, ...more.flat()]
    .map(({ record }) => record.order_id)
    .toSorted((left, right) => left - right);

  const pages = [await list(1), await list(2), await list(12), await list(22)];

  const rest = before.ids;
  const expected = [...rest, ...all];
  expect(pages.map(({ ids }) => ids)).toEqual(
    [1, 2, 12, 22].map((page) => expected.slice(5 * (page - 1), 5 * page)),
  );
  expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([before.total + all.length]));
  expect(new Set(pages.map(({ calls }) => calls)).size).toBe(1);
  expect(new Set(pages.map(({ units }) => units)).size).toBe(1);
});

/** The counts of picked orders, by the blocks of their ids. */
const storedCounts = async () =>
  (await itemsOf(service.db, "orders"))
    .filter(({ pk }) => String(pk).startsWith("picked-orders"))
    .map(({ pk, sk, orders }) => `${pk} ${sk}: ${orders}`)
    .toSorted();

test("a block without orders to check is not counted again and again", async () => {
  const { total: before } = await pickedPage(service.db, 0, 10);
  const [stored, orders] = [await storedCounts(), await pickedOrders(9)];
  const spread = (await storedCounts()).length - stored.length;
  const { total: meanwhile } = await pickedPage(service.db, 0, 10);
  await changed(orders, (order) => ({ ...order, status: "Shipped", version: order.version + 1 }));

  const { total: after } = await pickedPage(service.db, 0, 10);

  expect([meanwhile, after]).toEqual([before + 9, before]);
  // Orders that are picked at the same time are not counted in one place.
  expect(spread).toBe(8);
  expect(await storedCounts()).toEqual(stored);
});

test("a page of the orders to check is returned even if deleting an empty count conflicts with another writer", async () => {
  const { total: before } = await pickedPage(service.db, 0, 10);
  const [stored, orders] = [await storedCounts(), await pickedOrders(3)];
  await changed(orders, (order) => ({ ...order, status: "Shipped", version: order.version + 1 }));
  const touched = troubledDatabase(service);
  touched.add("conflict", { times: 1000, text: `"picked-orders#${(orders[0]?.record.order_id ?? 0) % 8}"` });

  const { total } = await withBudget(() => pickedPage(touched.db, 0, 10), 100);

  expect(touched.hits).toBeGreaterThan(1);
  expect(total).toBe(before);
  expect(await storedCounts()).toHaveLength(stored.length + 1);
});
