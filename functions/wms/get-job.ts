import * as z from "zod/mini";
import { idIn } from "../../shared/domain/fields.ts";
import * as plain from "../../shared/domain/plain.ts";
import { notFound } from "../../shared/domain/problem.ts";
import { lambda } from "../../shared/http/lambda.ts";
import { dataOf } from "../../shared/http/pagination.ts";
import { jobRecord, presentJob } from "../../shared/http/records/job.ts";
import { defineWithoutBody } from "../../shared/http/without-body.ts";
import { findJob } from "../../shared/store/jobs.ts";

export const endpoint = defineWithoutBody(
  {
    method: "GET",
    path: "/apirest/v4/wms/jobs/{job_id}",
    auth: "wms",
    summary: "Read what became of a job: a correction, a weight or a revert",
    request: z.object({ params: z.object({ job_id: plain.text }) }),
    response: dataOf(jobRecord),
    access: { jobs: { "job#": "read" } },
  },
  async ({ params: { job_id: id } }, { db }) => {
    const jobId = idIn(id);
    const job = jobId === undefined ? undefined : await findJob(db, jobId);
    if (job === undefined) throw notFound(`There is no job with job_id ${id}`);
    return { data: presentJob(job) };
  },
);

export const handler = lambda(endpoint);
