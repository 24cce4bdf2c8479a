import * as z from "zod/mini";
import { getAttributeOwner } from "../../../shared/attribute-owners/get-attribute-owner.ts";
import { attributeInput } from "../../../shared/attributes/attribute.ts";
import { findAttributes, saveValue } from "../../../shared/attributes/attribute-repository.ts";
import {
  attributeReadOnly,
  attributeRecord,
  ownerPath,
  ownerQuery,
} from "../../../shared/attributes/attribute-view.ts";
import { bulkBody } from "../../../shared/common/fields.ts";
import { placed } from "../../../shared/common/placed.ts";
import { laterOf } from "../../../shared/common/times.ts";
import { bulkCall } from "../../../shared/http/bulk/bulk-call.ts";
import { patchEach } from "../../../shared/http/bulk/patch-each.ts";
import { defineEndpoint } from "../../../shared/http/define-endpoint.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { registryReadAccess } from "../../../shared/registries/registry-repository.ts";

export const { endpoint, handler } = defineEndpoint(
  {
    method: "PATCH",
    path: "/apirest/v4/oms/attributes/{owner_type}/{owner_id}",
    auth: "oms",
    summary: "Change the values of attributes, found by name",
    request: z.object({ params: ownerPath, query: z.object(ownerQuery), body: bulkBody(attributeInput) }),
    response: dataOf(z.array(attributeRecord)),
    readOnly: attributeReadOnly,
    access: { orders: "read", inventory: "write-records", ...registryReadAccess("distributionCenters") },
  },
  async ({ params, query, body: { data } }, context) =>
    bulkCall(context, placed(data), attributeRecord, async (data, context) => {
      const owner = await getAttributeOwner(context, { ...params, ...query });
      return patchEach(context, data, {
        title: "attribute",
        nameOf: ({ attribute }) => ({
          field: "attribute",
          value: attribute,
          words: `attribute ${attribute}`,
        }),
        read: async (sent) => {
          const names = sent.map(({ attribute }) => attribute);
          const found = await findAttributes(context.db, owner, names);
          return { references: undefined, find: ({ attribute }) => found.get(attribute) };
        },
        plan: (found) =>
          found.map(({ before: { record: before }, value: { value } }) => {
            if (value === before.value) return { result: before, writes: [] };
            const after = { ...before, value, updated_at: laterOf(context.now, before.updated_at) };
            return { result: after, writes: [saveValue(after)] };
          }),
      });
    }),
);
