import { expect, test } from "vitest";
import { insertJob } from "../../../shared/jobs/job-repository.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { runOperator } from "../../support/store/operator.ts";
import { createdAt } from "../samples.ts";

test("`operator jobs list` shows the jobs with the lowest ids, wherever a scan finds them", async () => {
  const { db } = faultyStore();
  for (const job_id of [5001, 1002, 9003, 1001])
    await transact(db, [insertJob("recount", { job_id, by: "user:ann", payload: {} }, createdAt)]);
  // The store names no layout, which operators' commands check.
  const unchecked = { ...db, layouts: { ...db.layouts, check: async () => undefined } };

  const { stdout } = await runOperator(["jobs", "list", "--limit", "2", "--json"], unchecked);

  expect(JSON.parse(stdout)).toMatchObject([{ job_id: 1001 }, { job_id: 1002 }]);
});
