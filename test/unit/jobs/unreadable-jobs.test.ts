import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { expect, test, vi } from "vitest";
import { schedule } from "../../../functions/jobs/sweep-jobs.ts";
import { insertJob } from "../../../shared/jobs/job-repository.ts";
import { logger } from "../../../shared/runtime/log.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { runOperator } from "../../support/store/operator.ts";
import { createdAt } from "../samples.ts";

/** A store with queued jobs: one that can be read, one without a status, and one of another layout. */
async function storeOfJobs() {
  const { db } = faultyStore();
  await transact(db, [insertJob("recount", { job_id: 7, by: "user:ann", payload: {} }, createdAt)]);
  for (const [job_id, damage] of [
    [8, { status: null }],
    [9, { layout: 7 }],
  ] as const) {
    const { item } = insertJob("recount", { job_id, by: "user:ann", payload: {} }, createdAt);
    const Item = { ...item, ...damage, check_at: createdAt };
    await db.client.send(new PutCommand({ TableName: db.tableName("jobs"), Item }));
  }
  // The store names no layout, which operators' commands check.
  return { ...db, layouts: { ...db.layouts, check: async () => undefined } };
}

const keys = [
  { pk: "job#0", sk: "000000000008" },
  { pk: "job#0", sk: "000000000009" },
];

test("the sweeper logs the keys of jobs that can't be read", async () => {
  const db = await storeOfJobs();
  const lines = vi.spyOn(logger, "error").mockReturnValue();

  // They are due, and the job that can be read is not.
  const { skipped } = await schedule.run({ db, now: createdAt, remaining: () => 50_000 });

  expect(skipped).toBe(2);
  const logged = lines.mock.calls.filter(([message]) => message === "job not swept");
  expect(logged.map(([, fields]) => fields?.["key"])).toEqual(keys);
});

test("the operator's list of jobs shows those that can't be read, with their keys", async () => {
  const { status, stdout } = await runOperator(["jobs", "list", "--json"], await storeOfJobs());

  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toEqual([
    expect.objectContaining({ job_id: 7, status: "queued" }),
    ...keys.map(({ pk, sk }) => ({
      job_id: Number(sk),
      status: "unreadable",
      reason: `the item ${pk} ${sk} can't be read`,
    })),
  ]);
});

test("the operator's backlog counts jobs that can't be read beside the others", async () => {
  const { status, stdout } = await runOperator(["backlog", "--json"], await storeOfJobs());

  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toEqual([
    { waits: "jobs: unreadable", count: 2, oldest: null, see: "jobs list" },
    { waits: "jobs: recount", count: 1, oldest: createdAt, see: "jobs list" },
  ]);
});
