import * as z from "zod/mini";
import { attributes, ownerText } from "../../../shared/data/attributes.ts";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { listBody, listOf, pageQuery } from "../../../shared/http/pagination.ts";
import { attributeRecord, ownerPath } from "../../../shared/http/records/attribute.ts";
import { getAttributeOwner } from "../../../shared/operations/get-attribute-owner.ts";

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/attributes/{owner_type}/{owner_id}",
    auth: "oms",
    summary: "List the attributes of an order, a product or another owner",
    request: z.object({ params: ownerPath, query: z.object(pageQuery()) }),
    response: listOf(attributeRecord),
    access: { orders: "read", inventory: "read" },
  },
  async ({ params, query }, { db, account }) => {
    const owner = await getAttributeOwner(db, account.account_id, params);
    const { page, per_page: perPage } = query;
    const { records, total } = await attributes.read(db, ownerText(owner), { page, perPage });
    return listBody(records, total, query);
  },
);

export const handler = lambda(endpoint);
