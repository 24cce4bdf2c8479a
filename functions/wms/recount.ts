import * as z from "zod/mini";
import { invalid } from "../../shared/domain/problem.ts";
import { readRecount } from "../../shared/domain/stock/recount-request.ts";
import { defineEndpoint } from "../../shared/http/endpoint.ts";
import { lambda } from "../../shared/http/lambda.ts";
import {
  presentQueued,
  recountFailed,
  recountFailure,
  recountResult,
} from "../../shared/http/records/recount.ts";
import { queueJobs } from "../../shared/jobs/queue.ts";
import { planRecount } from "../../shared/operations/plan-recount.ts";

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/wms/recount",
    auth: "wms",
    summary: "Queue corrections of bin quantities",
    request: z.object({ body: z.unknown() }),
    response: recountResult,
    access: { inventory: "read", jobs: "write", tallies: "write" },
    sends: ["recount"],
    failure: recountFailure,
  },
  async ({ body }, context) => {
    const entries = readRecount(body);
    if (typeof entries === "string") throw invalid(entries);
    const plan = await planRecount(context, entries);
    if ("failures" in plan) throw recountFailed(plan.failures);
    return queueJobs(context, "recount", plan.corrections, presentQueued);
  },
);

export const handler = lambda(endpoint);
