import { setTimeout as sleep } from "node:timers/promises";
import type { SQSRecord } from "aws-lambda";
import { afterEach, describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { worker as applyRecount } from "../../../functions/jobs/apply-recount.ts";
import { worker as applyWeight } from "../../../functions/jobs/apply-weight.ts";
import { demoBins } from "../../../infra/demo/registry.ts";
import * as primitive from "../../../shared/common/primitives.ts";
import { applyJob } from "../../../shared/jobs/apply.ts";
import { findJob, finishApplied, type QueuedJob } from "../../../shared/jobs/job-repository.ts";
import { writeMessage, writeTogether } from "../../../shared/jobs/message.ts";
import { applyMessages, defineWorker, type Worker } from "../../../shared/jobs/worker.ts";
import { orderLookup, orders } from "../../../shared/orders/storage/order-repository.ts";
import { type Weighing, weighing } from "../../../shared/picking/weighing.ts";
import { logger } from "../../../shared/runtime/log.ts";
import { acceptRecount } from "../../../shared/stock/recount/accept-recount.ts";
import type { QueuedCorrection } from "../../../shared/stock/recount/recount.ts";
import { getItem } from "../../../shared/store/dynamodb/reads.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { type Removal, storedTogether } from "../../../shared/store/dynamodb/writes.ts";
import { anyOwner } from "../../../shared/store/lists/repository.ts";
import { expectEachBalanced } from "../../support/business/ledger.ts";
import { binsHold } from "../../support/business/stored.ts";
import {
  byManager,
  claim,
  claimEach,
  countEach,
  newOrders,
  newProducts,
  pendingOrder,
  shelf,
} from "../../support/business/world.ts";
import { damage } from "../../support/damages/damage.ts";
import { type Trouble, type Troubled, troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { acceptedJobs } from "../../support/store/job-records.ts";
import { messageRecord } from "../../support/store/sqs-records.ts";

const service = await sharedService();
afterEach(() => vi.restoreAllMocks());

/** New products, each with 5 units on the `shelf`. */
async function stockedProducts(count: number): Promise<readonly string[]> {
  const skus = (await newProducts(service, count)).map(({ sku }) => sku);
  await countEach(
    service,
    skus.map((sku) => ({ sku, contents: 5 })),
  );
  return skus;
}

/** Accepts changes of what the `shelf` holds of products. No message is sent. */
async function accepted(
  ...changes: readonly (readonly [sku: string, by: number])[]
): Promise<readonly QueuedCorrection[]> {
  const entries = changes.map(([sku, by]) => ({
    ...shelf,
    account_id: service.accountId,
    sku,
    change: { kind: "relative" as const, quantity: by },
    comment: "",
  }));
  return (await acceptRecount(byManager(service.db), entries, (jobs) => jobs)).map((outcome) => {
    if ("message" in outcome) throw new Error(outcome.message);
    return outcome;
  });
}

/** Accepts weights of orders, in pounds. No message is sent. */
const weighed = (
  ...weights: readonly (readonly [order_id: number, weight: number])[]
): Promise<readonly QueuedJob<Weighing>[]> =>
  acceptedJobs(
    service.db,
    "weight",
    weights.map(([order_id, weight]) => ({ order_id, weight })),
  );

const messagesOf = (jobs: readonly QueuedJob[], delivery = 1): readonly SQSRecord[] =>
  jobs.map((job) => messageRecord(`message-${job.job_id}`, writeMessage(job), delivery));

/** The messages of a call that queued many jobs, at their so many'th delivery. */
const togetherOf = (name: string, jobs: readonly QueuedJob[], delivery = 1): readonly SQSRecord[] =>
  writeTogether(jobs).map((text, position) => messageRecord(`${name}-${position}`, text, delivery));

/** A limit that a batch meets on a busy machine, too. */
const patient = 9_000;

/** Applies the jobs of a batch, as their worker does; answers the messages that are given back. */
async function apply<P>(
  { db }: Pick<Troubled, "db">,
  records: readonly SQSRecord[],
  worker: Worker<P>,
  limitMs = 1000,
) {
  const { batchItemFailures } = await applyMessages(worker, records, {
    db,
    remaining: () => 30_000,
    sendTexts: async () => [],
    limitMs,
  });
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

const statusesOf = async (jobs: readonly QueuedJob[]) =>
  Promise.all(jobs.map(async ({ job_id }) => (await findJob(service.db, job_id))?.status));

async function claimedOrders(count: number): Promise<readonly number[]> {
  const [sku = ""] = await stockedProducts(1);
  const ids = await newOrders(
    service,
    Array.from({ length: count }, () => [{ sku, quantity: 1 }]),
  );
  await claimEach(service, ids);
  return ids;
}

async function weightsOf(...orderIds: readonly number[]) {
  const found = await orders.findAll(service.db, anyOwner, orderIds);
  return orderIds.map((id) => found.get(id)?.record.weight);
}

test("jobs of a batch are read by one call, and applied by one transaction, which notes their deliveries", async () => {
  const skus = await stockedProducts(3);
  const jobs = await accepted(...skus.map((sku) => [sku, 2] as const));
  const watched = troubledDatabase(service);

  const givenBack = await apply(watched, messagesOf(jobs, 3), applyRecount);

  expect(givenBack).toEqual([]);
  expect([watched.reads, watched.transactions]).toEqual([1, 1]);
  for (const { job_id } of jobs)
    expect(await findJob(service.db, job_id)).toMatchObject({ status: "applied", attempts: 3 });
  for (const sku of skus) expect(await binsHold(service, sku)).toEqual(["A1/03: 7"]);
  await expectEachBalanced(service, skus);
});

test("jobs of a batch that change one bin each see what the one before it left", async () => {
  const [sku = "", other = ""] = await stockedProducts(2);
  const jobs = await accepted([sku, -5], [other, 1], [sku, 3], [sku, -2]);

  await apply(troubledDatabase(service), messagesOf(jobs), applyRecount);

  expect(await statusesOf(jobs)).toEqual(["applied", "applied", "applied", "applied"]);
  expect(await binsHold(service, sku)).toEqual(["A1/03: 1"]);
  await expectEachBalanced(service, [sku, other]);
});

test("a correction that another one needs first is applied with it, and counts its own deliveries", async () => {
  const [sku = ""] = await stockedProducts(1);
  const jobs = await accepted([sku, 4], [sku, -8]);

  await apply(troubledDatabase(service), messagesOf(jobs.slice(1), 3), applyRecount);

  const found = await Promise.all(jobs.map(({ job_id }) => findJob(service.db, job_id)));
  expect(found.map((job) => [job?.status, job?.attempts])).toEqual([
    ["applied", 0],
    ["applied", 3],
  ]);
  expect(await binsHold(service, sku)).toEqual(["A1/03: 1"]);
});

test("of a batch's jobs that change one order, none is tried in vain", async () => {
  const [order = 0, other = 0] = await claimedOrders(2);
  const jobs = await weighed([order, 2], [other, 4], [order, 3]);
  const watched = troubledDatabase(service);

  const givenBack = await apply(watched, messagesOf(jobs), applyWeight);

  expect(givenBack).toEqual([]);
  expect([watched.reads, watched.transactions]).toEqual([2, 2]);
  expect(await weightsOf(order, other)).toEqual([3, 4]);
});

test("a job whose order changes after its batch was read is planned again", async () => {
  const [order = 0, other = 0] = await claimedOrders(2);
  const [earlier, ...jobs] = await weighed([other, 9], [order, 2], [other, 4]);
  if (earlier === undefined) throw new Error("not accepted");
  const troubled = troubledDatabase(service);
  const job = { ...earlier, attempts: 1 };
  troubled.add({ before: () => applyJob(applyWeight, service.db, job) });

  await apply(troubled, messagesOf(jobs), applyWeight);

  expect([troubled.hits, troubled.transactions]).toEqual([1, 3]);
  expect(await statusesOf(jobs)).toEqual(["applied", "applied"]);
  expect(await weightsOf(order, other)).toEqual([2, 4]);
});

test("a job does not fail for how its order was when its batch was read", async () => {
  const [order = 0] = await claimedOrders(1);
  const [sku = ""] = await stockedProducts(1);
  const pending = await pendingOrder(service, [{ sku, quantity: 1 }]);
  const jobs = await weighed([order, 2], [pending, 4]);
  const troubled = troubledDatabase(service);
  troubled.add({ before: () => claim(service, pending) });

  await apply(troubled, messagesOf(jobs), applyWeight);

  expect(troubled.hits).toBe(1);
  expect(await statusesOf(jobs)).toEqual(["applied", "applied"]);
  expect(await weightsOf(pending)).toEqual([4]);
});

test("a job whose order can't be read waits until it is repaired, and delays none of its batch", async () => {
  const [torn = 0, other = 0] = await claimedOrders(2);
  const jobs = await weighed([torn, 2], [other, 3]);
  const [message] = messagesOf(jobs);
  const { content } = (await getItem(service.db, orderLookup(torn))) ?? {};
  const lines = vi.spyOn(logger, "error").mockReturnValue();
  await damage(service.db, orderLookup(torn), {}, { content: "torn" });

  const givenBack = await apply(troubledDatabase(service), messagesOf(jobs), applyWeight);
  await damage(service.db, orderLookup(torn), {}, { content });
  const givenBackAgain = await apply(troubledDatabase(service), messagesOf(jobs, 2), applyWeight);

  expect([givenBack, givenBackAgain]).toEqual([[message?.messageId], []]);
  expect(String(Object(lines.mock.calls[0]?.[1]).error)).toContain(`order ${torn} can't be read`);
  expect(await statusesOf(jobs)).toEqual(["applied", "applied"]);
  expect(await weightsOf(torn, other)).toEqual([2, 3]);
});

test("jobs whose batch can't be read are applied all the same, and a message that is none is given back", async () => {
  const skus = await stockedProducts(2);
  const jobs = await accepted(...skus.map((sku) => [sku, 2] as const));
  const troubled = troubledDatabase(service);
  // The client asks four times.
  troubled.add("error", { times: 4, command: "BatchGetItem" });

  const givenBack = await apply(
    troubled,
    [messageRecord("none", "no message"), ...messagesOf(jobs)],
    applyRecount,
  );

  expect(troubled.hits).toBe(4);
  expect(givenBack).toEqual(["none"]);
  expect(await statusesOf(jobs)).toEqual(["applied", "applied"]);
  await expectEachBalanced(service, skus);
});

test.each<[Trouble, string]>([
  ["error", "whose transaction fails"],
  ["conflict", "whose transaction meets others that hold an item"],
  ["lose-response", "whose transaction is stored, and its answer lost"],
])("jobs take effect once (%s): those %s", async (trouble, _case) => {
  const skus = await stockedProducts(3);
  const jobs = await accepted(...skus.map((sku) => [sku, 2] as const));
  const troubled = troubledDatabase(service);
  troubled.add(trouble, { times: 4 });

  const givenBack = await apply(troubled, messagesOf(jobs), applyRecount);

  expect(troubled.hits).toBe(4);
  expect(givenBack).toEqual([]);
  expect(await statusesOf(jobs)).toEqual(["applied", "applied", "applied"]);
  for (const sku of skus) expect(await binsHold(service, sku)).toEqual(["A1/03: 7"]);
  await expectEachBalanced(service, skus);
});

test("jobs are applied one by one if one of them has to wait for others for longer than half a second", async () => {
  const jobs = await accepted(...(await stockedProducts(2)).map((sku) => [sku, 2] as const));
  const troubled = troubledDatabase(service);
  // The longest pauses: the first five attempts take 0.3 s, and the sixth would come after 0.6 s.
  vi.spyOn(Math, "random").mockReturnValue(0.999);
  troubled.add("conflict", { times: 6, text: String(jobs[0]?.job_id) });

  await apply(troubled, messagesOf(jobs), applyRecount, patient);

  expect([troubled.hits, troubled.transactions]).toEqual([6, 8]);
  expect(await statusesOf(jobs)).toEqual(["applied", "applied"]);
});

test("a message that is delivered twice in a batch takes effect once", async () => {
  const skus = await stockedProducts(2);
  const jobs = await accepted(...skus.map((sku) => [sku, 2] as const));

  const givenBack = await apply(troubledDatabase(service), messagesOf([...jobs, ...jobs]), applyRecount);

  expect(givenBack).toEqual([]);
  for (const sku of skus) expect(await binsHold(service, sku)).toEqual(["A1/03: 7"]);
  await expectEachBalanced(service, skus);
});

test("jobs go together without those that were finished before", async () => {
  const [order = 0, second = 0, third = 0] = await claimedOrders(3);
  const [finished, ...others] = await weighed([order, 2], [second, 3], [third, 4]);
  if (finished === undefined) throw new Error("not accepted");
  await applyJob(applyWeight, service.db, { ...finished, attempts: 1 });
  const watched = troubledDatabase(service);

  const givenBack = await apply(watched, messagesOf([finished, ...others]), applyWeight);

  expect(givenBack).toEqual([]);
  // All together, and the others without the finished one.
  expect([watched.reads, watched.transactions]).toEqual([1, 2]);
  expect(await weightsOf(order, second, third)).toEqual([2, 3, 4]);
});

test.each([1_040, Number.POSITIVE_INFINITY])(
  "jobs whose transaction hangs are applied one by one, and take effect once (%d ms)",
  async (milliseconds) => {
    const skus = await stockedProducts(3);
    const jobs = await accepted(...skus.map((sku) => [sku, 2] as const));
    const troubled = troubledDatabase(service);
    const hang = () =>
      Number.isFinite(milliseconds) ? sleep(milliseconds) : Promise.withResolvers<never>().promise;
    troubled.add({ before: hang });

    const givenBack = await apply(troubled, messagesOf(jobs), applyRecount);
    // What hung is carried out by then, and must not count any more.
    await sleep(100);

    expect(troubled.hits).toBe(1);
    expect(givenBack).toEqual([]);
    expect(await statusesOf(jobs)).toEqual(["applied", "applied", "applied"]);
    for (const sku of skus) expect(await binsHold(service, sku)).toEqual(["A1/03: 7"]);
    await expectEachBalanced(service, skus);
  },
);

describe("a message that carries the jobs of a call", () => {
  test("has them applied by as few transactions as hold them", async () => {
    const skus = (await newProducts(service, 40)).map(({ sku }) => sku);
    const jobs = await accepted(...skus.map((sku) => [sku, 2] as const));
    const watched = troubledDatabase(service);

    const givenBack = await apply(watched, togetherOf("call", jobs), applyRecount, patient);

    expect(givenBack).toEqual([]);
    // Each takes its bin, its product's stock, a movement and its record.
    expect([watched.reads, watched.transactions]).toEqual([2, 2]);
    for (const sku of skus) expect(await binsHold(service, sku)).toEqual(["A1/03: 2"]);
    await expectEachBalanced(service, skus);
  });

  test("has groups of them applied at the same time, so that one that waits delays no other", async () => {
    const skus = (await newProducts(service, 40)).map(({ sku }) => sku);
    const jobs = await accepted(...skus.map((sku) => [sku, 2] as const));
    const watched = troubledDatabase(service);
    const second = Promise.withResolvers<void>();
    watched.add({ before: () => second.promise });
    watched.add({ before: async () => second.resolve() });

    await apply(watched, togetherOf("call", jobs), applyRecount, patient);

    // After a wait in vain, its jobs would be applied one by one.
    expect([watched.hits, watched.transactions]).toEqual([2, 2]);
    await expectEachBalanced(service, skus);
  });

  test("has those of one product applied together, as they only add to its stock", async () => {
    const [{ sku } = { sku: "" }] = await newProducts(service, 1);
    const entries = demoBins.map(({ location, bin }) => ({
      ...{ location, bin, sku, account_id: service.accountId, comment: "" },
      change: { kind: "absolute" as const, quantity: 3 },
    }));
    const outcomes = await acceptRecount(byManager(service.db), entries, (jobs) => jobs);
    const jobs = outcomes.filter((outcome) => "job_id" in outcome);
    const watched = troubledDatabase(service);

    await apply(watched, togetherOf("call", jobs), applyRecount, patient);

    expect([watched.reads, watched.transactions]).toEqual([1, 1]);
    expect(await binsHold(service, sku)).toEqual(
      demoBins.map(({ location, bin }) => `${location}/${bin}: 3`),
    );
    await expectEachBalanced(service, [sku]);
  });

  test("costs a read, and no transaction, once its jobs are applied", async () => {
    const skus = await stockedProducts(3);
    const jobs = await accepted(...skus.map((sku) => [sku, 2] as const));
    await apply(troubledDatabase(service), togetherOf("call", jobs), applyRecount, patient);
    const watched = troubledDatabase(service);

    const givenBack = await apply(watched, togetherOf("call", jobs, 2), applyRecount, patient);

    expect(givenBack).toEqual([]);
    expect([watched.reads, watched.transactions]).toEqual([1, 0]);
    for (const sku of skus) expect(await binsHold(service, sku)).toEqual(["A1/03: 7"]);
  });

  test("and that of another call, delivered twice and the later one first, take effect once", async () => {
    const skus = (await newProducts(service, 6)).map(({ sku }) => sku);
    const earlier = togetherOf("earlier", await accepted(...skus.map((sku) => [sku, 5] as const)));
    const taken = await accepted(...skus.map((sku) => [sku, -3] as const));
    const later = togetherOf("later", taken);

    const givenBack = [
      await apply(troubledDatabase(service), [...later, ...earlier, ...later], applyRecount),
      await apply(troubledDatabase(service), [...earlier, ...later], applyRecount),
    ];

    expect(givenBack).toEqual([[], []]);
    expect(await statusesOf(taken)).toEqual(taken.map(() => "applied"));
    for (const sku of skus) expect(await binsHold(service, sku)).toEqual(["A1/03: 2"]);
    await expectEachBalanced(service, skus);
  });

  test("has each applied once if its worker dies at any of its calls", async () => {
    const dead = new Error("the worker is dead");
    const die = async () => Promise.reject(dead);
    for (const trouble of [{ before: die }, { after: die }])
      for (let calls = 0; calls < 3; calls += 1) {
        const skus = (await newProducts(service, 26)).map(({ sku }) => sku);
        const jobs = await accepted(...skus.map((sku) => [sku, 2] as const));
        const dying = troubledDatabase(service);
        dying.add({ before: async () => undefined }, { times: calls, command: "any" });
        dying.add(trouble, { command: "any" });
        dying.add({ before: die }, { times: Number.POSITIVE_INFINITY, command: "any" });

        const givenBack = await apply(dying, togetherOf("call", jobs), applyRecount);
        await apply(troubledDatabase(service), togetherOf("call", jobs, 2), applyRecount);

        expect([givenBack, dying.hits > calls]).toEqual([["call-0"], true]);
        expect(new Set(await statusesOf(jobs))).toEqual(new Set(["applied"]));
        await expectEachBalanced(service, skus);
      }
  });

  test("is given back if a job among them can't be read, and the others are applied", async () => {
    const [order = 0, other = 0] = await claimedOrders(2);
    const jobs = await weighed([order, 2], [other, 3]);
    const [first, ...others] = jobs;
    if (first === undefined) throw new Error("not accepted");
    const unknown = { ...first, payload: { ...first.payload, unit: "kg" } };

    const givenBack = await apply(
      troubledDatabase(service),
      togetherOf("call", [unknown, ...others]),
      applyWeight,
    );

    expect(givenBack).toEqual(["call-0"]);
    expect(await statusesOf(jobs)).toEqual(["queued", "applied"]);
    await apply(troubledDatabase(service), messagesOf([first]), applyWeight);
  });
});

/**
 * A worker each of whose jobs fills a transaction. What the jobs write leaves nothing behind but their
 * records.
 */
const { worker: filling } = defineWorker({
  job: "weight",
  payload: weighing,
  access: {},
  reads: ({ order_id }) => [orderLookup(order_id)],
  plan: ({ job_id, payload: { weight } }) => {
    if (weight === 0) throw new Error("can't be planned");
    const removal = (place: number): Removal => ({
      kind: "removal",
      table: "jobs",
      key: { pk: `filling#${job_id}`, sk: String(place) },
      when: [],
    });
    return { writes: storedTogether(Array.from({ length: 60 }, (_, place) => removal(place))) };
  },
});

test("of a batch's transactions, one that fails costs the others nothing", async () => {
  const jobs = await weighed([1, 1], [2, 1], [3, 1]);
  const troubled = troubledDatabase(service);
  // The client sends it four times.
  troubled.add("error", { times: 4, text: `filling#${jobs[1]?.job_id}` });

  const givenBack = await apply(troubled, messagesOf(jobs), filling);

  expect(givenBack).toEqual([]);
  expect(await statusesOf(jobs)).toEqual(["applied", "applied", "applied"]);
  expect([troubled.hits, troubled.transactions]).toEqual([4, 7]);
});

test("a job that can't be planned is given back alone", async () => {
  const jobs = await weighed([1, 1], [2, 0], [3, 1]);

  const givenBack = await apply(troubledDatabase(service), messagesOf(jobs), filling);

  expect(givenBack).toEqual([`message-${jobs[1]?.job_id}`]);
  expect(await statusesOf(jobs)).toEqual(["applied", "queued", "applied"]);
  // Else the sweeper would send it to the service's own worker.
  const end = { at: new Date().toISOString(), attempts: 1 };
  await transact(service.db, [finishApplied(jobs[1]?.job_id ?? 0, end)]);
});

describe("a job that a newer release accepted", () => {
  /** A weight with a field that this release does not know. */
  const inKilograms = (order_id: number) => ({ order_id, weight: 1, unit: "kg" });

  /** The worker of the release that knows it. */
  const { worker: newer } = defineWorker({
    job: "weight",
    payload: z.extend(weighing, { unit: primitive.text }),
    access: {},
    reads: ({ order_id }) => applyWeight.reads({ order_id, weight: 0 }),
    plan: (job, find, now) => {
      const { order_id, weight } = job.payload;
      return applyWeight.plan({ ...job, payload: { order_id, weight: weight * 2 } }, find, now);
    },
  });

  test("stays queued past its last delivery, with a warning that names it, and is applied by that release", async () => {
    const [order = 0, other = 0] = await claimedOrders(2);
    const [kept, ...known] = await acceptedJobs(service.db, "weight", [
      inKilograms(order),
      { order_id: other, weight: 3 },
    ]);
    if (kept === undefined) throw new Error("not accepted");
    const lines = vi.spyOn(logger, "warn");

    const givenBack = await apply(troubledDatabase(service), messagesOf([kept, ...known], 5), applyWeight);
    const statuses = await statusesOf([kept, ...known]);
    const warned = lines.mock.calls.map(([, fields]) => String(fields?.["error"]));
    await apply(troubledDatabase(service), messagesOf([kept]), newer);

    expect(givenBack).toEqual([`message-${kept.job_id}`]);
    expect(statuses).toEqual(["queued", "applied"]);
    expect(warned).toEqual([expect.stringMatching(`job ${kept.job_id} was accepted by another release`)]);
    expect(await weightsOf(order, other)).toEqual([2, 3]);
  });

  test("stays queued if its message has another form, and a text that names no job counts as an error", async () => {
    const [job] = await weighed([1, 1]);
    const renamed = JSON.stringify({ job_id: job?.job_id, requested_by: "user:manager", payload: {} });
    const [warnings, errors] = [vi.spyOn(logger, "warn"), vi.spyOn(logger, "error")];
    const records = [messageRecord("renamed", renamed, 5), messageRecord("none", "{}", 5)];

    const givenBack = await apply(troubledDatabase(service), records, applyWeight);

    expect(givenBack).toEqual(["renamed", "none"]);
    expect([warnings.mock.calls.length, errors.mock.calls.length]).toEqual([1, 1]);
    expect(job && (await statusesOf([job]))).toEqual(["queued"]);
    await transact(service.db, [
      finishApplied(job?.job_id ?? 0, { at: new Date().toISOString(), attempts: 1 }),
    ]);
  });
});
