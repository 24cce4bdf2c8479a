import * as z from "zod/mini";
import { parseId } from "../../shared/common/fields.ts";
import * as primitive from "../../shared/common/primitives.ts";
import { notFound } from "../../shared/common/problem.ts";
import { defineEndpointWithoutBody } from "../../shared/http/define-without-body.ts";
import { dataOf } from "../../shared/http/responses.ts";
import { findJob } from "../../shared/jobs/job-repository.ts";
import { correctionRecord, presentCorrection } from "../../shared/stock/recount/recount-view.ts";

export const { endpoint, handler } = defineEndpointWithoutBody(
  {
    method: "GET",
    path: "/apirest/v4/wms/recount/{correction_id}",
    auth: "wms",
    summary: "Read the outcome of a correction",
    request: z.object({ params: z.object({ correction_id: primitive.idInPath }) }),
    response: dataOf(correctionRecord),
    access: { jobs: { "job#": "read" } },
  },
  async ({ params: { correction_id: id } }, { db }) => {
    const job = await findJob(db, parseId(id));
    if (job?.kind !== "recount") throw notFound(`There is no correction with correction_id ${id}`);
    return { data: presentCorrection(job) };
  },
);
