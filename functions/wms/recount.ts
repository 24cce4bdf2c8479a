import * as z from "zod/mini";
import { invalid } from "../../shared/common/problem.ts";
import { defineEndpoint } from "../../shared/http/define-endpoint.ts";
import { resendJobs, sendTogether } from "../../shared/jobs/send.ts";
import { registryReadAccess } from "../../shared/registries/registry-repository.ts";
import { acceptRecount } from "../../shared/stock/recount/accept-recount.ts";
import { readRecount, recountInput } from "../../shared/stock/recount/recount-request.ts";
import {
  presentQueued,
  recountFailure,
  recountPartly,
  recountResult,
} from "../../shared/stock/recount/recount-view.ts";

export const { endpoint, handler } = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/wms/recount",
    auth: "wms",
    summary: "Queue corrections of bin quantities",
    request: z.object({ body: recountInput }),
    response: recountResult,
    access: {
      inventory: "write-records",
      jobs: { "job#": ["read", "insert"] },
      identity: { "account#": "read", ...registryReadAccess("bins", "allBins").identity },
    },
    sends: ["recount"],
    failure: recountFailure,
    replayed: ({ result }, db) =>
      resendJobs(
        db,
        "recount",
        result.map(({ correction_id }) => correction_id),
      ),
  },
  async ({ body }, context) => {
    const entries = readRecount(body);
    if (typeof entries === "string") throw invalid(entries);
    const outcomes = await acceptRecount(context, entries, presentQueued);
    const jobs = outcomes.filter((outcome) => "job_id" in outcome);
    await sendTogether(context.db, "recount", jobs);
    if (jobs.length < outcomes.length) throw recountPartly(outcomes);
    return presentQueued(jobs);
  },
);
