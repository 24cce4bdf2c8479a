import * as z from "zod/mini";
import { aliases, aliasFacets, aliasSkus } from "../../../../shared/catalog/aliases/alias-repository.ts";
import { aliasRecord } from "../../../../shared/catalog/aliases/alias-view.ts";
import { findAliasText } from "../../../../shared/catalog/aliases/aliases-by-text.ts";
import { name, text } from "../../../../shared/common/fields.ts";
import { defineList } from "../../../../shared/http/lists/define-read.ts";
import { pageQuery, positive } from "../../../../shared/http/lists/pagination.ts";
import { exactly } from "../../../../shared/http/lists/searches.ts";
import {
  findDistributionCenter,
  registryReadAccess,
} from "../../../../shared/registries/registry-repository.ts";
import { noFacet } from "../../../../shared/store/lists/facets.ts";
import { textSearch } from "../../../../shared/store/lists/found.ts";
import { listAccess, readList } from "../../../../shared/store/lists/read-list.ts";
import { lookupReadAccess } from "../../../../shared/store/lookup-index.ts";

const query = z.object({
  ...pageQuery(),
  alias: z.optional(name),
  sku: z.optional(name),
  channel_id: z.optional(positive()),
  distribution_center: z.optional(text()),
});

export const { endpoint, handler } = defineList(
  {
    path: "/apirest/v4/oms/inventory/aliases",
    summary: "List aliases, the newest first",
    request: z.object({ query }),
    record: aliasRecord,
    access: {
      ...listAccess("inventory"),
      ...lookupReadAccess,
      ...registryReadAccess("distributionCenters"),
    },
  },
  async ({ query }, { db, account_id }) => {
    const { alias, sku, channel_id: channel, distribution_center: code, ...page } = query;
    const registered = code === undefined ? undefined : await findDistributionCenter(db, code);
    const center = code === undefined ? undefined : (registered?.distribution_center_id ?? noFacet);
    return readList(aliases, db, account_id, { ...page, ...aliasFacets.matching({ channel, center }) }, [
      textSearch("alias", exactly(alias), findAliasText),
      textSearch("sku", exactly(sku), aliasSkus.find),
    ]);
  },
);
