import * as z from "zod/mini";
import { getAttributeOwner } from "../../../shared/attribute-owners/get-attribute-owner.ts";
import { attributes, ownerText } from "../../../shared/attributes/attribute-repository.ts";
import { attributeRecord, ownerPath, ownerQuery } from "../../../shared/attributes/attribute-view.ts";
import { defineList } from "../../../shared/http/lists/define-read.ts";
import { pageQuery } from "../../../shared/http/lists/pagination.ts";
import { registryReadAccess } from "../../../shared/registries/registry-repository.ts";
import { listAccess, readList } from "../../../shared/store/lists/read-list.ts";
import { lookupReadAccess } from "../../../shared/store/lookup-index.ts";

export const { endpoint, handler } = defineList(
  {
    path: "/apirest/v4/oms/attributes/{owner_type}/{owner_id}",
    summary: "List the attributes of an order, a product or another owner",
    request: z.object({ params: ownerPath, query: z.object({ ...pageQuery(), ...ownerQuery }) }),
    record: attributeRecord,
    access: {
      orders: "read",
      ...listAccess("inventory"),
      ...lookupReadAccess,
      ...registryReadAccess("distributionCenters"),
    },
  },
  async ({ params, query: { identify_by, ...page } }, context) => {
    const owner = await getAttributeOwner(context, { ...params, identify_by });
    return readList(attributes, context.db, ownerText(owner), page);
  },
);
