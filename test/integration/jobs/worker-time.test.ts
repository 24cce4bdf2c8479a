import type { SQSRecord } from "aws-lambda";
import { afterAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { applyJob } from "../../../shared/jobs/apply.ts";
import { findJob, finishApplied, queuedJobs } from "../../../shared/jobs/job-repository.ts";
import { readMessage, writeMessage, writeTogether } from "../../../shared/jobs/message.ts";
import { applyMessages, defineWorker } from "../../../shared/jobs/worker.ts";
import { maxDeliveries } from "../../../shared/runtime/shared-names.ts";
import { Busy } from "../../../shared/store/dynamodb/retry.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { type Troubled, troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { acceptedJobs } from "../../support/store/job-records.ts";
import { messageRecord } from "../../support/store/sqs-records.ts";

const service = await sharedService();

const kind = "weight";

const accepted: number[] = [];
// The sweeper would send those that are left to the service's own worker, which knows no courses.
afterAll(async () => {
  const end = { at: new Date().toISOString(), attempts: 1 };
  for (const { job_id } of await queuedJobs(service.db, accepted))
    await transact(service.db, [finishApplied(job_id, end)]);
});

/**
 * What becomes of a job: it takes so many seconds of its worker's time, never ends, or meets a busy database.
 */
type Course = number | "endless" | "busy";

const payload = z.object({ course: z.union([z.number(), z.literal("endless"), z.literal("busy")]) });

/** A worker whose jobs write nothing besides their records, so that none go together. */
const { worker } = defineWorker({
  job: kind,
  payload,
  access: {},
  reads: () => [],
  plan: ({ payload: { course } }) => {
    if (course === "busy") throw new Busy();
    return { writes: [] };
  },
});

/** Has the records of jobs take their courses. Answers the clock of a worker that has 30 s, as deployed. */
function onCourse(troubled: Troubled, records: readonly SQSRecord[]): () => number {
  let left = 30_000;
  const takes = (course: Course) => async () => {
    if (course === "endless") await Promise.withResolvers<never>().promise;
    if (typeof course === "number") left -= course * 1000;
  };
  const jobs = records.flatMap(({ body }) => {
    const { more = [], ...first } = readMessage(body);
    return [first, ...more];
  });
  for (const { job_id, payload: sent } of jobs)
    troubled.add({ before: takes(z.parse(payload, sent).course) }, { text: String(job_id) });
  return () => left;
}

/** Queues jobs of these courses; answers their ids, and their messages at the so many'th delivery. */
async function queued(courses: readonly Course[], delivery = 1) {
  const jobs = await acceptedJobs(
    service.db,
    kind,
    courses.map((course) => ({ course })),
  );
  accepted.push(...jobs.map(({ job_id }) => job_id));
  const records = jobs.map((job) => messageRecord(`message-${job.job_id}`, writeMessage(job), delivery));
  return { ids: jobs.map(({ job_id }) => job_id), jobs, records };
}

/** Applies a batch; of the messages that it sends anew, those at the positions in `lost` do not arrive. */
async function apply(records: readonly SQSRecord[], lost: readonly number[] = []) {
  const sent: string[] = [];
  const troubled = troubledDatabase(service);
  const remaining = onCourse(troubled, records);
  const { batchItemFailures } = await applyMessages(worker, records, {
    db: troubled.db,
    remaining,
    limitMs: 1000,
    sendTexts: async (job, texts) => {
      expect(job).toBe(kind);
      sent.push(...texts);
      return lost;
    },
  });
  return { sent, given_back: batchItemFailures.map(({ itemIdentifier }) => itemIdentifier) };
}

const stateOf = async (id: number) => {
  const job = await findJob(service.db, id);
  return [job?.status, job?.attempts];
};

const statesOf = (ids: readonly number[]) => Promise.all(ids.map(stateOf));

describe("jobs behind one that takes most of the worker's time", () => {
  test.each([
    ["", false],
    [" alone if their message carries others, which are not delivered again", true],
  ])("do not begin, and are sent again%s, so that they lose no delivery", async (_case, isTogether) => {
    const { ids, jobs, records: each } = await queued([0, 20, 0, 0], maxDeliveries);
    const written = writeTogether(jobs).map((text) => messageRecord("all", text, maxDeliveries));
    const again = isTogether ? writeTogether(jobs.slice(2)) : each.slice(2).map(({ body }) => body);

    const { sent, given_back } = await apply(isTogether ? written : each);

    expect(await statesOf(ids)).toEqual([
      ["applied", maxDeliveries],
      ["applied", maxDeliveries],
      ["queued", 0],
      ["queued", 0],
    ]);
    expect(sent).toEqual(again);
    expect(given_back).toEqual([]);
  });

  test("have the message that carries them given back if they can't be sent", async () => {
    const { jobs } = await queued([20, 0, 0]);
    const all = writeTogether(jobs).map((text) => messageRecord("all", text));

    const { given_back } = await apply(all, [0]);

    expect(given_back).toEqual(["all"]);
  });

  test("are released if they can't be sent, and none is lost", async () => {
    const { records } = await queued([20, 0, 0]);

    const { given_back } = await apply(records, [1]);

    expect(given_back).toEqual([records[2]?.messageId]);
  });
});

test("a job that does not end is given up alone, and those behind it are applied", async () => {
  const { ids, records } = await queued(["endless", 0]);

  const { sent, given_back } = await apply(records);

  expect(await statesOf(ids)).toEqual([
    ["queued", 0],
    ["applied", 1],
  ]);
  expect([sent, given_back]).toEqual([[], [records[0]?.messageId]]);
});

test("a job that others have to be applied before, more than a delivery has time for, stays queued", async () => {
  const { ids, records } = await queued([0, 0]);
  const [first = 0, second = 0] = ids;
  await apply(records.slice(0, 1));
  const waiting = { payload, reads: () => [], plan: () => ({ first: Array(101).fill(first) }) };

  const job = { job_id: second, by: "user:manager", payload: { course: 0 }, attempts: 1 } as const;
  const applied = applyJob(waiting, service.db, job);

  await expect(applied).rejects.toThrow(Busy);
  expect(await statesOf(ids)).toEqual([
    ["applied", 1],
    ["queued", 0],
  ]);
});

test("a job that meets a busy database or an error at its last delivery is given back and stays queued", async () => {
  const { ids, records } = await queued(["busy", "endless"], maxDeliveries);

  const { given_back } = await apply(records);

  expect(given_back).toEqual(records.map(({ messageId }) => messageId));
  expect(await statesOf(ids)).toEqual([
    ["queued", 0],
    ["queued", 0],
  ]);
});
