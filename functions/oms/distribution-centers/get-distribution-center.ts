import * as z from "zod/mini";
import { distributionCenter, distributionCenterWithId } from "../../../shared/data/registries.ts";
import { idIn } from "../../../shared/domain/fields.ts";
import { notFound } from "../../../shared/domain/problem.ts";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf } from "../../../shared/http/pagination.ts";

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/distribution_centers/{distribution_center_id}",
    auth: "oms",
    summary: "Read one distribution center",
    request: z.object({
      params: z.object({ distribution_center_id: z.string().check(z.maxLength(255)) }),
    }),
    response: dataOf(distributionCenter),
  },
  async ({ params: { distribution_center_id: id } }, { db }) => {
    const wanted = idIn(id);
    const found = wanted === undefined ? undefined : await distributionCenterWithId(db, wanted);
    if (found === undefined)
      throw notFound(`There is no distribution center with distribution_center_id ${id}`);
    return { data: found };
  },
);

export const handler = lambda(endpoint);
