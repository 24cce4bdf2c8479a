import * as z from "zod/mini";
import { distributionCenter, distributionCenters } from "../../../shared/data/registries.ts";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { listBodyOfAll, listOf, pageQuery } from "../../../shared/http/pagination.ts";

/** The centers are the warehouse's: every account sees all of them. */
export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/distribution_centers",
    auth: "oms",
    summary: "List distribution centers",
    request: z.object({ query: z.object(pageQuery()) }),
    response: listOf(distributionCenter),
  },
  async ({ query }, { db }) => listBodyOfAll(await distributionCenters(db), query),
);

export const handler = lambda(endpoint);
