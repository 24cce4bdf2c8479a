import { expect, test } from "vitest";
import { insertJob, noteResent, parseJob } from "../../../shared/jobs/job-repository.ts";
import { createdAt } from "../samples.ts";

test("a job is sent again 45 seconds after it was accepted, and then after twice as long each time", () => {
  const { item } = insertJob("recount", { job_id: 7, by: "user:ann", payload: {} }, createdAt);
  const job = parseJob(item);

  const changes = [0, 1, 2].map((resent) => noteResent({ ...job, resent }, createdAt));

  const times = [job.check_at, ...changes.map(({ set }) => String(set?.["check_at"]))];
  const seconds = times.map((time) => (Date.parse(time) - Date.parse(createdAt)) / 1000);
  expect(seconds).toEqual([45, 90, 180, 360]);
});
