import * as z from "zod/mini";
import { parseId } from "../../shared/common/fields.ts";
import * as primitive from "../../shared/common/primitives.ts";
import { notFound } from "../../shared/common/problem.ts";
import { defineEndpointWithoutBody } from "../../shared/http/define-without-body.ts";
import { dataOf } from "../../shared/http/responses.ts";
import { findJob } from "../../shared/jobs/job-repository.ts";
import { jobRecord, presentJob } from "../../shared/picking/warehouse-job-view.ts";

export const { endpoint, handler } = defineEndpointWithoutBody(
  {
    method: "GET",
    path: "/apirest/v4/wms/jobs/{job_id}",
    auth: "wms",
    summary: "Read the outcome of a job",
    request: z.object({ params: z.object({ job_id: primitive.idInPath }) }),
    response: dataOf(jobRecord),
    access: { jobs: { "job#": "read" } },
  },
  async ({ params: { job_id: id } }, { db }) => {
    const job = await findJob(db, parseId(id));
    if (job === undefined) throw notFound(`There is no job with job_id ${id}`);
    return { data: presentJob(job) };
  },
);
