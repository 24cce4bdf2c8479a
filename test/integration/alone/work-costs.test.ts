import { afterAll, beforeAll, expect, test } from "vitest";
import { schedule } from "../../../functions/jobs/sweep-jobs.ts";
import { findJob, insertJob } from "../../../shared/store/jobs.ts";
import { allocate } from "../../../shared/store/lists/allocate.ts";
import { everyone, jobList } from "../../../shared/store/lists/definitions.ts";
import { transact } from "../../../shared/store/transact.ts";
import { takeMessages } from "../../support/jobs.ts";
import { type OwnService, startService } from "../../support/own-service.ts";

/** What the work costs that piles up where the warehouse or a queue stands still. */
let service: OwnService;
beforeAll(async () => {
  service = await startService({ paused: true });
});
afterAll(() => service.runtime.stop());

const kind = "weight";

/** Hundreds of jobs that were accepted long ago, and whose messages were lost. */
async function lostJobs(hundreds: number): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let call = 0; call < hundreds; call += 1) {
    const { firstId } = await allocate(service.db, jobList(kind), everyone, 100);
    const some = Array.from({ length: 100 }, (_, position) => firstId + position);
    const writes = some.map((id) =>
      insertJob(kind, id, "user:manager", "2026-01-01T00:00:00.000Z", { order_id: id, weight: 1 }),
    );
    await transact(service.db, writes);
    ids.push(...some);
  }
  return ids;
}

test("a sweep sends all lost messages, in 13 calls for each hundred and two for each shard at most", async () => {
  const ids = await lostJobs(8);
  const mark = service.runtime.mark();

  await service.runtime.runSchedule("jobs/sweep-jobs");
  const calls = service.runtime.calls(mark).filter((call) => call.function === "jobs/sweep-jobs");
  await service.runtime.runSchedule("jobs/sweep-jobs");
  const messages = await takeMessages(service.runtime, kind);

  const sent = messages.map((text): unknown => JSON.parse(text).job_id);
  expect(sent.toSorted()).toEqual(ids.toSorted());
  expect(calls.length).toBeLessThanOrEqual(13 * 8 + 2 * 4);
  expect(calls.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(await findJob(service.db, kind, ids[0] ?? 0)).toMatchObject({ status: "queued", resent: 1 });
});

test("a sweep whose time is over leaves the rest to the next", async () => {
  await lostJobs(6);
  const run = { db: service.db, now: new Date().toISOString() };

  const short = await schedule.run({ ...run, remaining: () => 0 });
  const next = await schedule.run({ ...run, remaining: () => 50_000 });

  // A page of each shard.
  expect([short["resent"], next["resent"]]).toEqual([400, 200]);
});
