import { expect, test } from "vitest";
import * as z from "zod/mini";
import { applyJob } from "../../../shared/jobs/apply.ts";
import {
  finishApplied,
  insertJob,
  noteResent,
  parseJob,
  parseOverdue,
} from "../../../shared/jobs/job-repository.ts";
import { withBudget } from "../../../shared/store/dynamodb/retry.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { createdAt, later } from "../samples.ts";

const inserted = insertJob("recount", { job_id: 7, by: "user:ann", payload: {} }, createdAt);
const { item } = inserted;

test("a job is sent again 45 seconds after it was accepted, and then after twice as long each time", () => {
  const job = parseJob(item);

  const changes = [0, 1, 2].map((resent) => noteResent({ ...job, resent }, createdAt));

  const times = [job.check_at, ...changes.map(({ set }) => String(set?.["check_at"]))];
  const seconds = times.map((time) => (Date.parse(time) - Date.parse(createdAt)) / 1000);
  expect(seconds).toEqual([45, 90, 180, 360]);
});

test("a job that the index shows as due is due by its own record, which may have been checked since", () => {
  const found = [later, createdAt].map((now) => parseOverdue(() => item, now));

  expect(found).toEqual([parseJob(item), undefined]);
});

test.each([
  [100, "applied"],
  [101, "too many jobs come before this one"],
])("a delivery of a job to which %i come before it ends as %s", async (count, expected) => {
  const { db } = faultyStore();
  await transact(db, [inserted, insertJob("recount", { job_id: 8, by: "user:ann", payload: {} }, createdAt)]);
  await transact(db, [finishApplied(7, { at: new Date().toISOString(), attempts: 1 })]);
  let first: readonly number[] = Array(count).fill(7);
  const worker = {
    payload: z.looseObject({}),
    reads: () => [],
    plan: () => {
      const plan = first.length > 0 ? { first } : { writes: [] };
      first = [];
      return plan;
    },
  };
  const job = { job_id: 8, by: "user:ann", payload: {}, attempts: 1 };

  const ended = await withBudget(() => applyJob(worker, db, job), 0).catch(({ cause }) => cause.message);

  expect(ended).toBe(expected);
});
