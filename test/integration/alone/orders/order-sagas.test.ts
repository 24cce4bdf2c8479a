import { expect, test } from "vitest";
import { endpoint as cancelOrder } from "../../../../functions/oms/orders/cancel-order.ts";
import { endpoint as createOrders } from "../../../../functions/oms/orders/create-orders.ts";
import { endpoint as updateOrders } from "../../../../functions/oms/orders/update-orders.ts";
import { findOrderBy, type OrderIdentity } from "../../../../shared/orders/find-order.ts";
import type { Order } from "../../../../shared/orders/order.ts";
import { orderNumbers, orders } from "../../../../shared/orders/storage/order-repository.ts";
import { ordersToPick } from "../../../../shared/picking/claim-orders.ts";
import { transact } from "../../../../shared/store/dynamodb/transact.ts";
import { stale } from "../../../../shared/store/dynamodb/writes.ts";
import { textSearch } from "../../../../shared/store/lists/found.ts";
import { readList } from "../../../../shared/store/lists/read-list.ts";
import { anyOwner } from "../../../../shared/store/lists/repository.ts";
import { byManager, newOrders, newProducts, pendingOrder } from "../../../support/business/world.ts";
import { at } from "../../../support/http/client.ts";
import { batchByBatch } from "../../../support/http/one-by-one.ts";
import { orderOf, unique } from "../../../support/records/records.ts";
import { troubledDatabase } from "../../../support/records/troubled.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { type Call, sagaRules } from "../../../support/store/saga-rules.ts";
import {
  asked,
  expectNoSagaInProgress,
  expectSettled,
  makeSagasOverdue,
  resumeAll,
} from "../../../support/store/sagas.ts";

/** An order of so many products takes three transactions: the first, a step and the last. */
const many = 50;

const service = await ownService({ paused: true });
const products = await newProducts(service, many + 10);
const lines = products.slice(0, many).map(({ sku }) => ({ sku, quantity: 2 }));
/** Some of `lines` and others beside them. */
const others = products.slice(10).map(({ sku }) => ({ sku, quantity: 3 }));

const textOf = (order: Order | undefined): string =>
  order === undefined
    ? "none"
    : `${order.status}: ${order.items.length} items of ${order.items[0]?.quantity}`;

/** How an order is found by clients: `Pending: 50 items of 2`. */
async function found(by: OrderIdentity, value: string): Promise<string> {
  const { db, accountId: account_id } = service;
  return textOf((await findOrderBy({ db, account_id }, by, value))?.record);
}

/** How an order of `lines` shows, and one of `others`. */
const [asLines, asOthers] = [`Pending: ${many} items of 2`, `Pending: ${many} items of 3`];

const newOrder = () => pendingOrder(service, lines);

const placed = (order_id: number) => ({
  says: `"order_id":${order_id}`,
  shown: async () => textOf((await orders.find(service.db, anyOwner, order_id))?.record),
  before: asLines,
});

/** An order of `lines` that is replaced by one of `others`, or the other way round, with another number. */
async function replaced(order_id: number) {
  const { says, shown } = placed(order_id);
  const before = await shown();
  const [terms, after] = before === asLines ? [others, asOthers] : [lines, asLines];
  const number = unique("RENUMBERED");
  const data = [{ ...orderOf(terms), order_number: number, order_id }];
  return {
    ...{ order_id, number, says, shown, before, after },
    begin: () => asked(service, updateOrders, { data }),
  };
}

/** An order that nobody claims, which is replaced again and again. */
let lasting: Promise<number> | undefined;
async function replacedAgain() {
  lasting ??= newOrder();
  return replaced(await lasting);
}

/** As many as the rules about steps cancel. */
const toCancel = batchByBatch(10, (count) => newOrders(service, Array(count).fill(lines)));

const flows: Readonly<Record<string, () => Promise<Call>>> = {
  "order that is created": async () => {
    const number = unique("LARGE");
    const data = [orderOf(lines, { order_number: number, order_reference: number })];
    return {
      begin: () => asked(service, createOrders, { data }),
      says: number,
      shown: () => found("order_number", number),
      before: "none",
      after: asLines,
    };
  },
  "order that is cancelled": async () => {
    const order_id = await toCancel();
    const begin = () => asked(service, cancelOrder, { order_id });
    return { ...placed(order_id), begin, after: `Cancelled: ${many} items of 2` };
  },
  "order that is replaced": replacedAgain,
};

// Whoever claims orders takes all that are Pending, so these tests come before those that leave many.
test("pickers claim past an order that is being replaced", async () => {
  const { order_id, begin } = await replaced(await newOrder());
  const dying = troubledDatabase(service, { after: () => Promise.reject(new Error("died")) });
  await expect(begin()(dying.db)).rejects.toThrow("died");
  const next = await pendingOrder(service, lines.slice(0, 1));

  const claimed = await ordersToPick({ ...byManager(service.db), picker: "manager" }, 200);

  const ids = claimed.map((order) => order.order_id);
  expect([ids.includes(order_id), ids.includes(next)]).toEqual([false, true]);
  await resumeAll(service.db);
});

test("a picker is given other orders than one that is being stored", async () => {
  // Else orders that were there before could be all that the picker is given.
  await ordersToPick({ ...byManager(service.db), picker: "other" }, 200);
  const { order_id, begin } = await replaced(await newOrder());
  const after = await pendingOrder(service, lines);
  const dying = troubledDatabase(service, { after: () => Promise.reject(new Error("died")) });
  await expect(begin()(dying.db)).rejects.toThrow("died");

  const given = await ordersToPick({ ...byManager(service.db), picker: "next" }, 50);
  await resumeAll(service.db);

  const ids = given.map((order) => order.order_id);
  expect([ids.includes(order_id), ids.includes(after)]).toEqual([false, true]);
  await expectNoSagaInProgress(service);
});

sagaRules(() => service, flows);

test("who changes an order that is being replaced waits for all of it, and readers see the order as it was", async () => {
  const { order_id, number, begin, shown, before, after } = await replacedAgain();
  const met: unknown[] = [];
  const meeting = troubledDatabase(service);
  meeting.add({
    after: async () => {
      met.push(await shown(), await found("order_number", number));
      const { body } = await service.oms.post("/orders/sub_status", { order_id, sub_status: "Late" });
      met.push(at(body, "data.sub_status"), await shown(), await found("order_number", number));
    },
  });

  const { statusCode } = await begin()(meeting.db);

  expect(met).toEqual([before, "none", "Late", after, after]);
  expect(statusCode).toBe(200);
  await expectNoSagaInProgress(service);
});

test("an order that is asked to stay as it is while it is being replaced is decided after that", async () => {
  const order_id = await newOrder();
  const order = placed(order_id);
  const stored = (await orders.find(service.db, anyOwner, order_id))?.record;
  const terms = (some: typeof lines) => ({ ...orderOf(some), order_number: stored?.order_number, order_id });
  const replace = asked(service, updateOrders, { data: [terms(others)] });
  const dying = troubledDatabase(service, { after: () => Promise.reject(new Error("died")) });
  await expect(replace(dying.db)).rejects.toThrow("died");
  const between = await order.shown();

  const { statusCode } = await asked(service, updateOrders, { data: [terms(lines)] })(service.db);
  await makeSagasOverdue(service.db);
  await resumeAll(service.db);

  expect([between, statusCode, await order.shown()]).toEqual([order.before, 200, order.before]);
  await expectNoSagaInProgress(service);
});

test("a search finds and counts orders by their numbers as they are read, while one is being stored", async () => {
  const { db, accountId } = service;
  const { number, begin } = await replacedAgain();
  const [created, old] = [unique("LARGE"), unique("SMALL")];
  await pendingOrder(service, lines.slice(0, 1), { order_number: old });
  const totals: unknown[] = [];
  const count = async () => {
    for (const text of [number, created, old]) {
      const wanted = { parts: [{ text, begins: totals.length % 2 === 0 }] };
      const search = textSearch("order_number", wanted, orderNumbers.find);
      totals.push((await readList(orders, db, accountId, { page: 1, per_page: 1 }, [search])).total);
    }
  };
  const place = asked(service, createOrders, { data: [orderOf(lines, { order_number: created })] });
  for (const call of [begin(), place]) {
    const meeting = troubledDatabase(service);
    meeting.add({ after: count });
    await call(meeting.db);
  }
  await count();

  expect(totals).toEqual([0, 0, 1, 1, 0, 1, 1, 1, 1]);
});

test("`resume-sagas` finishes abandoned sagas, and leaves those of calls that may still run", async () => {
  const { begin, shown, before, after } = await replacedAgain();
  const dying = troubledDatabase(service, { after: () => Promise.reject(new Error("died")) });
  await expect(begin()(dying.db)).rejects.toThrow("died");

  await service.runtime.runSchedule("jobs/resume-sagas");
  const early = await shown();
  await makeSagasOverdue(service.db);
  await service.runtime.runSchedule("jobs/resume-sagas");

  expect([early, await shown()]).toEqual([before, after]);
  await expectNoSagaInProgress(service);
});

test("sagas that can't be finished do not keep `resume-sagas` from the others", async () => {
  const { begin, shown, after } = await replacedAgain();
  const dying = troubledDatabase(service, { after: () => Promise.reject(new Error("died")) });
  await expect(begin()(dying.db)).rejects.toThrow("died");
  // As many as one run resumes, all of them older.
  const broken = Array.from({ length: 25 }, (_, index) => `steps#broken-${index}`).flatMap((pk) => [
    { pk, sk: "progress", receipt: "r", next: 0, queued_shard: "steps", check_at: "2026-01-01" },
    { pk, sk: "plan", receipt: "r", plan: Buffer.from("no plan") },
  ]);
  const [table, rejection, when] = ["jobs", stale, []] as const;
  await transact(
    service.db,
    broken.map((item) => ({ kind: "insert", table, item, rejection })),
  );

  await expect(resumeAll(service.db)).rejects.toThrow("25 sagas");
  await expect(resumeAll(service.db)).rejects.toThrow("24 sagas");

  expect(await shown()).toBe(after);
  await transact(
    service.db,
    broken.map(({ pk, sk }) => ({ kind: "removal", table, key: { pk, sk }, when, rejection })),
  );
  await expectSettled(service);
});
