import * as z from "zod/mini";
import { insertAttribute, ownerText } from "../../../shared/data/attributes.ts";
import { attributeInput } from "../../../shared/domain/attribute.ts";
import { records } from "../../../shared/domain/fields.ts";
import { createEach } from "../../../shared/http/bulk-create.ts";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf } from "../../../shared/http/pagination.ts";
import { attributeRecord, ownerPath } from "../../../shared/http/records/attribute.ts";
import { checkNewAttributes } from "../../../shared/operations/change-attributes.ts";
import { getAttributeOwner } from "../../../shared/operations/get-attribute-owner.ts";
import { attributeList } from "../../../shared/store/lists/definitions.ts";

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/attributes/{owner_type}/{owner_id}",
    auth: "oms",
    summary: "Give attributes to an order, a product or another owner",
    request: z.object({ params: ownerPath, body: records(attributeInput) }),
    response: dataOf(z.array(attributeRecord)),
    access: { orders: "read", inventory: "write" },
  },
  async ({ params, body: { data } }, { account, ...tools }) => {
    const owner = await getAttributeOwner(tools.db, account.account_id, params);
    return createEach(tools, {
      list: attributeList,
      owner: ownerText(owner),
      inputs: await checkNewAttributes(tools.db, owner, data),
      plan: async (drafts) =>
        drafts.map(({ input, id, at, path }) => {
          const created = { ...owner, ...input, attribute_id: id, created_at: at, updated_at: at };
          return { result: created, writes: insertAttribute(created, `${path}.attribute`) };
        }),
      record: attributeRecord,
      present: (attribute) => attribute,
    });
  },
);

export const handler = lambda(endpoint);
