import * as z from "zod/mini";
import { text } from "../../shared/common/fields.ts";
import { defineEndpointWithoutBody } from "../../shared/http/define-without-body.ts";
import { listOf, wholeList, wholeQuery } from "../../shared/http/lists/pagination.ts";
import { location, locations, registryReadAccess } from "../../shared/registries/registry-repository.ts";

const query = z.object({
  ...wholeQuery,
  distribution_center: z.optional(text()),
});

export const { endpoint, handler } = defineEndpointWithoutBody(
  {
    method: "GET",
    path: "/apirest/v4/wms/locations",
    auth: "wms",
    summary: "List the locations and their bins",
    request: z.object({ query }),
    response: listOf(location),
    access: registryReadAccess("allBins"),
  },
  async ({ query: { distribution_center: code, ...page } }, { db }) => {
    const all = await locations(db);
    return wholeList(
      code === undefined ? all : all.filter(({ distribution_center }) => distribution_center === code),
      page,
    );
  },
);
