import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { FaultRule } from "../../../infra/local/index.ts";
import { mostDeliveries } from "../../../shared/contract.ts";
import { mostResent } from "../../../shared/store/jobs.ts";
import { type Asked, type Kind, kinds } from "../../support/job-kinds.ts";
import { type JobRecord, jobsOf } from "../../support/job-records.ts";
import { makeOverdue, sendMessages, takeDeadLetters, takeMessages } from "../../support/jobs.ts";
import { type OwnService, startService } from "../../support/own-service.ts";
import { randomFrom } from "../../support/random.ts";

/** Some wait for a message to be delivered five times, on a machine that may be busy. */
vi.setConfig({ testTimeout: 180_000 });

let service: OwnService;
beforeAll(async () => {
  // Longer than a batch takes on a busy machine: else it is delivered again meanwhile, and set aside in the end.
  service = await startService({ visibilityTimeoutSeconds: 2 });
});
afterAll(() => service.runtime.stop());
afterEach(() => service.runtime.faults.clear());

const transactions = { operation: "TransactWriteItems" } as const;
const sending = { operation: "SendMessageBatch" } as const;

/** Attempts that the service makes to send a batch. */
const sendAttempts = 3;

/** Jobs of one kind that were asked for. */
interface Batch {
  readonly kind: Kind;
  readonly asked: Asked;
}

const sweep = () => service.runtime.runSchedule("jobs/sweep-jobs");

/** Prepares so many jobs of every kind; answers how to ask for them. */
async function prepareEvery(count: number): Promise<() => Promise<readonly Batch[]>> {
  const asks = await Promise.all(
    kinds.map(async (kind) => ({ kind, ask: await kind.prepare(service, count) })),
  );
  return () => Promise.all(asks.map(async ({ kind, ask }) => ({ kind, asked: await ask() })));
}

/** Has jobs of every kind accepted whose messages never leave. */
async function askUnsent(count: number): Promise<readonly Batch[]> {
  const ask = await prepareEvery(count);
  const faults = kinds.map(({ endpoint }) =>
    service.runtime.faults.add({ effect: "drop", function: endpoint, ...sending, times: sendAttempts }),
  );
  const batches = await ask();
  expect(faults.map(({ hits }) => hits)).toEqual(kinds.map(() => sendAttempts));
  return batches;
}

async function makeAllOverdue(batches: readonly Batch[], resent = 0): Promise<void> {
  for (const { asked } of batches) {
    for (const id of asked.ids) await makeOverdue(service.db, id, resent);
  }
}

const recordsOf = async ({ kind, asked }: Batch): Promise<readonly JobRecord[]> =>
  (await jobsOf(service.db, kind.kind)).filter(({ job_id }) => asked.ids.includes(job_id));

const statusesOf = async (batches: readonly Batch[]) =>
  (await Promise.all(batches.map(recordsOf))).flat().map(({ status }) => status);

/** Holds that these jobs are applied, and that nothing of the kind was set aside. */
async function expectAllApplied({ kind, asked }: Batch): Promise<void> {
  const records = await recordsOf({ kind, asked });
  expect(records.map(({ kind, status, reason }) => ({ kind, status, reason }))).toEqual(
    asked.ids.map(() => ({ kind: kind.kind, status: "applied", reason: null })),
  );
  for (const { finished_at, attempts } of records) {
    expect(finished_at).toEqual(expect.any(String));
    expect(attempts).toBeGreaterThan(0);
  }
  expect(await takeDeadLetters(service.runtime, kind.kind)).toEqual([]);
  await asked.expectApplied();
}

/** The messages so many times each, in an order that the seed decides. */
function shuffled(messages: readonly string[], times: number, seed: number): readonly string[] {
  const random = randomFrom(seed);
  return Array.from({ length: times }, () => messages)
    .flat()
    .map((message) => ({ message, place: random() }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ message }) => message);
}

describe.each(kinds)("jobs of kind $kind", (kind) => {
  test.each([2, 3])("delivered %i times, out of order, take effect once", async (times) => {
    const ask = await kind.prepare(service, 12);
    await service.runtime.pause();
    const asked = await ask();
    const messages = await takeMessages(service.runtime, kind.kind);
    await sendMessages(service.runtime, kind.kind, shuffled(messages, times, times));
    service.runtime.resume();
    await service.runtime.settled();

    expect(messages).toHaveLength(12);
    await expectAllApplied({ kind, asked });
  });

  test("delivered again days later change nothing", async () => {
    const ask = await kind.prepare(service, 2);
    await service.runtime.pause();
    const asked = await ask();
    const messages = await takeMessages(service.runtime, kind.kind);
    await sendMessages(service.runtime, kind.kind, messages);
    service.runtime.resume();
    await service.runtime.settled();
    const before = await recordsOf({ kind, asked });
    await sendMessages(service.runtime, kind.kind, messages);
    await service.runtime.settled();

    expect(await recordsOf({ kind, asked })).toEqual(before);
    await expectAllApplied({ kind, asked });
  });
});

describe("jobs of every kind", () => {
  test.each<[string, Omit<FaultRule, "function">]>([
    ["whose worker dies before its transaction", { effect: "kill-before", ...transactions }],
    ["whose worker dies during its transaction", { effect: "kill-during", ...transactions }],
    ["whose worker dies after its transaction", { effect: "kill-after", ...transactions }],
    ["whose transaction conflicts", { effect: "conflict", ...transactions, times: 5 }],
    ["whose reads and writes are throttled", { effect: "throttle", times: 5 }],
    ["whose reads and writes fail", { effect: "error", times: 5 }],
    ["whose connection breaks", { effect: "drop", times: 3 }],
    ["whose transaction's answer is lost", { effect: "lose-response", ...transactions, times: 2 }],
  ])("%s take effect exactly once", async (_case, rule) => {
    const ask = await prepareEvery(3);
    const faults = kinds.map(({ worker }) => service.runtime.faults.add({ ...rule, function: worker }));
    const batches = await ask();
    await Promise.all(faults.map(({ exhausted }) => exhausted));
    await service.runtime.settled();

    for (const batch of batches) await expectAllApplied(batch);
  });

  test("are sent again by the sweeper where their messages were lost, and only when they are overdue", async () => {
    const batches = await askUnsent(2);
    await sweep();
    await service.runtime.settled();
    const early = await statusesOf(batches);
    await makeAllOverdue(batches);
    await sweep();
    await service.runtime.settled();

    expect(new Set(early)).toEqual(new Set(["queued"]));
    for (const batch of batches) await expectAllApplied(batch);
  });

  test("in a batch with a poison message are applied at the first delivery, and it alone is set aside", async () => {
    const ask = await prepareEvery(9);
    await service.runtime.pause();
    const batches = [];
    for (const { kind, asked } of await ask()) {
      const [first = "", ...good] = await takeMessages(service.runtime, kind.kind);
      // One that names a job and can't be applied, and one that names none.
      const poison = [JSON.stringify({ ...JSON.parse(first), payload: { broken: true } }), "no JSON"];
      await sendMessages(service.runtime, kind.kind, [...good.slice(0, 4), ...poison, ...good.slice(4)]);
      batches.push({ kind, asked, poison });
    }
    service.runtime.resume();
    await service.runtime.settled();

    for (const { kind, asked, poison } of batches) {
      const [bad, ...good] = await recordsOf({ kind, asked });
      expect(bad).toMatchObject({
        kind: kind.kind,
        status: "failed",
        reason: `not applied in ${mostDeliveries} attempts`,
        attempts: mostDeliveries,
      });
      // Not replayed with it: their one delivery was the first.
      expect(good.map(({ status, attempts }) => [status, attempts])).toEqual(good.map(() => ["applied", 1]));
      expect((await takeDeadLetters(service.runtime, kind.kind)).toSorted()).toEqual(poison.toSorted());
      await asked.expectApplied(asked.ids.slice(1));
    }
  });

  test("whose worker dies at every delivery are set aside still queued, and applied when the sweeper sends them", async () => {
    const ask = await prepareEvery(2);
    for (const { worker } of kinds) {
      service.runtime.faults.add({ effect: "kill-before", ...transactions, function: worker, times: 1000 });
    }
    const batches = await ask();
    await service.runtime.settled();
    service.runtime.faults.clear();
    const left = await statusesOf(batches);
    const aside = await Promise.all(kinds.map(({ kind }) => takeDeadLetters(service.runtime, kind)));
    await makeAllOverdue(batches);
    await sweep();
    await service.runtime.settled();

    expect(new Set(left)).toEqual(new Set(["queued"]));
    expect(aside.map(({ length }) => length)).toEqual(kinds.map(() => 2));
    for (const batch of batches) await expectAllApplied(batch);
  });

  test("that were sent in vain for days end as failed with the reason, whatever lies beside them", async () => {
    const unreadable = { pk: "recount#0", sk: "unreadable", queued_shard: "queued#0" };
    const Item = { ...unreadable, check_at: "2026-01-01T00:00:00.000Z" };
    await service.db.client.send(new PutCommand({ TableName: service.db.tableName("jobs"), Item }));
    const batches = await askUnsent(1);
    await makeAllOverdue(batches, mostResent);
    await sweep();

    for (const { kind, asked } of batches) {
      expect(await recordsOf({ kind, asked })).toMatchObject([
        {
          kind: kind.kind,
          status: "failed",
          reason: `not applied though it was sent ${mostResent + 1} times`,
        },
      ]);
      await asked.expectApplied([]);
    }
  });
});
