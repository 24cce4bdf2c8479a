import * as z from "zod/mini";
import { allocate } from "../../shared/data/allocate.ts";
import { insertJob, jobLists, jobLookup } from "../../shared/data/jobs.ts";
import { everyone } from "../../shared/data/lists.ts";
import { transact } from "../../shared/data/transact.ts";
import { invalid } from "../../shared/domain/problem.ts";
import { readRecount } from "../../shared/domain/recount-request.ts";
import { defineEndpoint } from "../../shared/http/endpoint.ts";
import { lambda } from "../../shared/http/lambda.ts";
import {
  presentQueued,
  recountFailed,
  recountFailure,
  recountResult,
} from "../../shared/http/records/recount.ts";
import { sendJobs } from "../../shared/jobs/send.ts";
import { planRecount } from "../../shared/operations/plan-recount.ts";

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/wms/recount",
    auth: "wms",
    summary: "Queue corrections of bin quantities",
    request: z.object({ body: z.unknown() }),
    response: recountResult,
    access: { inventory: "read", jobs: "write" },
    sends: ["recount"],
    failure: recountFailure,
  },
  async ({ body }, { db, actor, foresee }) => {
    const entries = readRecount(body);
    if (typeof entries === "string") throw invalid(entries);
    const plan = await planRecount(db, entries);
    if ("failures" in plan) throw recountFailed(plan.failures);
    const { corrections } = plan;
    const { firstId, at } = await allocate(db, jobLists.recount, everyone, corrections.length);
    const jobs = corrections.map((payload, position) => ({ job_id: firstId + position, by: actor, payload }));
    const answer = presentQueued(jobs);
    await foresee(answer, [jobLookup("recount", firstId)]);
    await transact(
      db,
      jobs.map(({ job_id, by, payload }) => insertJob("recount", job_id, by, at, payload)),
    );
    await sendJobs("recount", jobs);
    return answer;
  },
);

export const handler = lambda(endpoint);
