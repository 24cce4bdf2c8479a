import * as z from "zod/mini";
import { distributionCenter, distributionCenters } from "../../../shared/data/registries.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { pageOfAll, pageQuery } from "../../../shared/http/pagination.ts";
import { defineList } from "../../../shared/http/reading.ts";

/** Distribution centers belong to the warehouse, so every account sees all of them. */
export const endpoint = defineList(
  {
    path: "/apirest/v4/oms/distribution_centers",
    summary: "List distribution centers",
    request: z.object({ query: z.object(pageQuery()) }),
    record: distributionCenter,
  },
  async ({ query }, { db }) => pageOfAll(await distributionCenters(db), query),
);

export const handler = lambda(endpoint);
