import * as z from "zod/mini";
import { attributeInput } from "../../../shared/domain/attribute.ts";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf } from "../../../shared/http/pagination.ts";
import { attributeRecord, ownerPath } from "../../../shared/http/records/attribute.ts";
import { deleteAttribute } from "../../../shared/operations/change-attributes.ts";
import { getAttributeOwner } from "../../../shared/operations/get-attribute-owner.ts";

export const endpoint = defineEndpoint(
  {
    method: "DELETE",
    path: "/apirest/v4/oms/attributes/{owner_type}/{owner_id}",
    auth: "oms",
    summary: "Delete an attribute, found by name",
    request: z.object({ params: ownerPath, query: z.pick(attributeInput, { attribute: true }) }),
    response: dataOf(attributeRecord),
    access: { orders: "read", inventory: "write" },
  },
  async ({ params, query: { attribute } }, context) => {
    const owner = await getAttributeOwner(context, params);
    return { data: await deleteAttribute(context.db, owner, attribute) };
  },
);

export const handler = lambda(endpoint);
