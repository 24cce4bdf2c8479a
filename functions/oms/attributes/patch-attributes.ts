import * as z from "zod/mini";
import { attributeInput } from "../../../shared/domain/attribute.ts";
import { records } from "../../../shared/domain/fields.ts";
import { bulkAnswer } from "../../../shared/http/bulk-answer.ts";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf } from "../../../shared/http/pagination.ts";
import { attributeRecord, ownerPath } from "../../../shared/http/records/attribute.ts";
import { patchAttributes } from "../../../shared/operations/change-attributes.ts";
import { getAttributeOwner } from "../../../shared/operations/get-attribute-owner.ts";

export const endpoint = defineEndpoint(
  {
    method: "PATCH",
    path: "/apirest/v4/oms/attributes/{owner_type}/{owner_id}",
    auth: "oms",
    summary: "Change the values of attributes, found by name",
    request: z.object({ params: ownerPath, body: records(attributeInput) }),
    response: dataOf(z.array(attributeRecord)),
    access: { orders: "read", inventory: "write" },
  },
  async ({ params, body: { data } }, context) => {
    const owner = await getAttributeOwner(context, params);
    return bulkAnswer(await patchAttributes(context, owner, data), attributeRecord);
  },
);

export const handler = lambda(endpoint);
