import { expect, test } from "vitest";
import {
  deploymentOwner,
  finishApplied,
  finishFailed,
  insertJob,
  jobList,
} from "../../../shared/jobs/job-repository.ts";
import type { Correction } from "../../../shared/stock/recount/recount.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { allocate } from "../../../shared/store/lists/allocate.ts";
import { at } from "../../support/http/client.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();

const payload: Correction = {
  account_id: 1,
  product_id: 1,
  sku: "LAMP",
  bin_id: 1,
  location: "A1",
  bin: "01",
  distribution_center_id: 1,
  distribution_center: "MAIN",
  change: { kind: "relative", quantity: 1 },
  difference: 1,
  new_quantity: 1,
  description: "Updated using the Recount API.",
};

const daysAgo = (days: number): string => new Date(Date.now() - days * 24 * 60 * 60_000).toISOString();

/** A correction that was accepted so many days ago, and ended at once where it has an ending; its id. */
async function correctionOf(days: number, ending: "applied" | "failed" | undefined): Promise<number> {
  const { firstId } = await allocate(service.db, jobList, deploymentOwner, 1);
  const then = daysAgo(days);
  const job = { job_id: firstId, by: "user:manager", payload };
  await transact(service.db, [insertJob("recount", job, then)]);
  const end = { at: then, attempts: 1 };
  if (ending === "applied") await transact(service.db, [finishApplied(firstId, end)]);
  if (ending === "failed") await transact(service.db, finishFailed(job, "goods left the bin", end));
  return firstId;
}

test.each<{ days: number; ending: "applied" | "failed" | undefined; status: number }>([
  { days: 89, ending: "applied", status: 200 },
  { days: 91, ending: "applied", status: 404 },
  { days: 89, ending: "failed", status: 200 },
  { days: 91, ending: "failed", status: 404 },
  { days: 91, ending: undefined, status: 200 },
])("a correction with the ending $ending of $days days ago answers $status", async (one) => {
  const id = await correctionOf(one.days, one.ending);

  const answer = await service.wms.get(`/recount/${id}`);

  expect(answer.status).toBe(one.status);
  if (one.status === 404)
    expect(at(answer.body, "response.message")).toBe(`There is no correction with correction_id ${id}`);
  else expect(at(answer.body, "data.status")).toBe(one.ending ?? "queued");
});
