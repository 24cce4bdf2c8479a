import { expect, test } from "vitest";
import * as z from "zod/mini";
import { type Applies, applyJob, applyJobs, type JobPlan } from "../../../shared/jobs/apply.ts";
import { finishApplied, insertJob } from "../../../shared/jobs/job-repository.ts";
import { Busy, withBudget } from "../../../shared/store/dynamodb/retry.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { storedTogether } from "../../../shared/store/dynamodb/writes.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { createdAt } from "../samples.ts";

const payload = z.object({ items: z.array(z.string()) });
type Payload = z.output<typeof payload>;

const jobOf = (job_id: number, ...items: readonly string[]) => ({
  ...{ job_id, by: "user:ann", attempts: 1 },
  payload: { items: [...items] },
});

const lookupOf = (pk: string) => ({ table: "inventory", key: { pk, sk: "-" } }) as const;

const worker: Applies<Payload> = {
  payload,
  reads: ({ items }) => items.map(lookupOf),
  plan: ({ payload: { items } }) => ({
    writes: storedTogether(
      items.map((pk) => ({ kind: "change", ...lookupOf(pk), add: { jobs: 1 }, when: [] })),
    ),
  }),
};

test("of jobs that share an item, each waits for those before it, also for one that waits itself", async () => {
  const { db } = faultyStore();
  const jobs = [jobOf(1, "a"), jobOf(2, "a", "b"), jobOf(3, "b"), jobOf(4, "c")];
  await transact(
    db,
    jobs.map((job) => insertJob("recount", job, createdAt)),
  );

  const { ended } = await applyJobs(worker, db, jobs);

  expect([...ended.keys()]).toEqual([1, 4]);
});

/** A queued job, and the finished job 7. */
async function besideFinished() {
  const { db } = faultyStore();
  const [job, before] = [jobOf(8), jobOf(7)];
  await transact(db, [insertJob("recount", job, createdAt), insertJob("recount", before, createdAt)]);
  await transact(db, [finishApplied(7, { at: new Date().toISOString(), attempts: 1 })]);
  return { db, job };
}

test.each([
  [100, "applied"],
  [101, "too many jobs come before this one"],
])("a job with %i jobs to apply before it ends as: %s", async (count, expected) => {
  const { db, job } = await besideFinished();
  const plans: JobPlan[] = [{ first: Array<number>(count).fill(7) }, { writes: [] }];
  const waiting: Applies<Payload> = { ...worker, plan: () => plans.shift() ?? { writes: [] } };

  const ended = await withBudget(() => applyJob(waiting, db, job)).catch(({ cause }) => cause.message);

  expect(ended).toBe(expected);
});

test("a job whose plan keeps waiting for a job that is finished is given up as busy", async () => {
  const { db, job } = await besideFinished();
  let plans = 0;
  const waiting = {
    ...worker,
    plan: () => {
      plans += 1;
      if (plans > 50) throw new Error("planned for ever");
      return { first: [7] };
    },
  };

  const applying = withBudget(() => applyJob(waiting, db, job), 100);

  await expect(applying).rejects.toThrow(Busy);
});
