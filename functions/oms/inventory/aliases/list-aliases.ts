import * as z from "zod/mini";
import { aliases, aliasFacets } from "../../../../shared/data/aliases.ts";
import { findDistributionCenter } from "../../../../shared/data/registries.ts";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { listBody, listOf, pageQuery, positive } from "../../../../shared/http/pagination.ts";
import { aliasRecord } from "../../../../shared/http/records/alias.ts";
import { noFacet } from "../../../../shared/store/lists/facets.ts";

const query = z.object({
  ...pageQuery(),
  channel_id: z.optional(positive()),
  distribution_center: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
});

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/inventory/aliases",
    auth: "oms",
    summary: "List aliases, the newest first",
    request: z.object({ query }),
    response: listOf(aliasRecord),
    access: { inventory: "read" },
  },
  async ({ query }, { db, account: { account_id } }) => {
    const { page, per_page: perPage, channel_id: channel, distribution_center: code } = query;
    const registered = code === undefined ? undefined : await findDistributionCenter(db, code);
    const center = code === undefined ? undefined : (registered?.distribution_center_id ?? noFacet);
    const { records, total } = await aliases.read(db, account_id, {
      page,
      perPage,
      ...aliasFacets.matching({ channel, center }),
    });
    return listBody(records, total, query);
  },
);

export const handler = lambda(endpoint);
