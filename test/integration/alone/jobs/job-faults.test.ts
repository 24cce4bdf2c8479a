import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { expect, test, vi } from "vitest";
import type { FaultRule } from "../../../../infra/local/index.ts";
import { maxResent } from "../../../../shared/jobs/job-repository.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import {
  askUnsent,
  expectAllApplied,
  makeAllOverdue,
  prepareEvery,
  recordsOf,
  statusesOf,
  sweep,
} from "../../../support/store/job-batches.ts";
import { type Kind, kinds } from "../../../support/store/job-kinds.ts";
import { takeDeadLetters } from "../../../support/store/jobs.ts";

/** One waits for a message to be delivered five times, on a machine that may be busy. */
vi.setConfig({ testTimeout: 180_000 });

const transactions = { operation: "TransactWriteItems" } as const;

/** Jobs of a kind. One kind has several, so that those beside the troubled one are seen. */
const countOf = ({ kind }: Kind) => (kind === "recount" ? 2 : 1);

const troubles: readonly (readonly [string, Omit<FaultRule, "function">])[] = [
  ["whose worker dies before its transaction", { effect: "kill-before", ...transactions }],
  ["whose worker dies during its transaction", { effect: "kill-during", ...transactions }],
  ["whose worker dies after its transaction", { effect: "kill-after", ...transactions }],
  ["whose transaction conflicts", { effect: "conflict", ...transactions, times: 5 }],
  ["whose reads and writes are throttled", { effect: "throttle", times: 5 }],
  ["whose reads and writes fail", { effect: "error", times: 5 }],
  ["whose connection breaks", { effect: "drop", times: 3 }],
  ["whose transaction's answer is lost", { effect: "lose-response", ...transactions, times: 2 }],
];

const service = await ownService();
const ask = await prepareEvery(service, countOf, troubles.length + 4);

test.each(troubles)("jobs of every kind %s take effect exactly once", async (_case, rule) => {
  const faults = kinds.map(({ worker }) => service.runtime.faults.add({ ...rule, function: worker }));
  const batches = await ask();
  await Promise.all(faults.map(({ exhausted }) => exhausted));
  await service.runtime.settled();

  await expectAllApplied(service, ...batches);
});

test("jobs whose messages were lost are sent again by the sweeper, and only when they are overdue", async () => {
  const batches = await askUnsent(service, ask);
  await sweep(service);
  await service.runtime.settled();
  const early = await statusesOf(service, batches);
  await makeAllOverdue(service, batches);
  await sweep(service);
  await service.runtime.settled();

  expect(new Set(early)).toEqual(new Set(["queued"]));
  await expectAllApplied(service, ...batches);
});

test("jobs whose worker dies at every delivery are set aside still queued, and applied when the sweeper sends them", async () => {
  for (const { worker } of kinds) {
    service.runtime.faults.add({ effect: "kill-before", ...transactions, function: worker, times: 1000 });
  }
  const batches = await ask();
  await service.runtime.settled();
  service.runtime.faults.clear();
  const left = await statusesOf(service, batches);
  const aside = await Promise.all(kinds.map(({ kind }) => takeDeadLetters(service.runtime, kind)));
  await makeAllOverdue(service, batches);
  await sweep(service);
  await service.runtime.settled();

  expect(new Set(left)).toEqual(new Set(["queued"]));
  expect(aside.map(({ length }) => length)).toEqual(kinds.map(countOf));
  await expectAllApplied(service, ...batches);
});

test("a job that DynamoDB refuses to change does not keep the rest of its page from being sent again", async () => {
  const batches = await askUnsent(service, ask);
  await makeAllOverdue(service, batches);
  // The bin's count of units to come is a text, so that undoing the job adds to no number.
  const ill = { pk: "job#0", sk: "000000000399" };
  const bin = { pk: "bin-content#ill", sk: "ill" };
  const at = "2026-01-01T00:00:00.000Z";
  const put = (name: "jobs" | "inventory", Item: object) =>
    service.db.client.send(new PutCommand({ TableName: service.db.tableName(name), Item: { ...Item } }));
  await put("inventory", { ...bin, expected: "none" });
  await put("jobs", {
    ...ill,
    kind: "recount",
    job_id: 399,
    status: "queued",
    by: "user:manager",
    queued_at: at,
    check_at: at,
    finished_at: null,
    attempts: 0,
    resent: maxResent,
    reason: null,
    payload: {},
    undo: { table: "inventory", key: bin, add: { expected: 1 }, remove: [] },
    queued_shard: "queued#0",
  });

  await sweep(service);
  await service.runtime.settled();

  await expectAllApplied(service, ...batches);
  await service.db.client.send(new DeleteCommand({ TableName: service.db.tableName("jobs"), Key: ill }));
});

test("jobs that were sent in vain for days end as failed with the reason and how often they were sent, whatever lies beside them", async () => {
  const overdue = { pk: "job#0", queued_shard: "queued#0", check_at: "2026-01-01T00:00:00.000Z" };
  const TableName = service.db.tableName("jobs");
  for (const item of [{ sk: "unreadable" }, { sk: "of another layout", layout: 7 }])
    await service.db.client.send(new PutCommand({ TableName, Item: { ...overdue, ...item } }));
  const batches = await askUnsent(service, ask);
  await makeAllOverdue(service, batches, maxResent);
  await sweep(service);

  for (const { kind, asked } of batches) {
    const reason = `not applied though it was sent ${maxResent + 1} times`;
    expect(await recordsOf(service, { asked })).toMatchObject(
      asked.ids.map(() => ({ kind: kind.kind, status: "failed", reason, attempts: maxResent + 1 })),
    );
    await asked.expectApplied([]);
  }
});
