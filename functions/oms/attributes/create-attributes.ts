import * as z from "zod/mini";
import { getAttributeOwner } from "../../../shared/attribute-owners/get-attribute-owner.ts";
import { namedAt, newAttribute } from "../../../shared/attributes/attribute.ts";
import {
  attributeList,
  findAttributes,
  insertAttribute,
  ownerText,
} from "../../../shared/attributes/attribute-repository.ts";
import { attributeRecord, ownerPath, ownerQuery } from "../../../shared/attributes/attribute-view.ts";
import { bulkBody } from "../../../shared/common/fields.ts";
import { placed } from "../../../shared/common/placed.ts";
import { alreadyExists, duplicateErrors, invalidAt } from "../../../shared/common/problem.ts";
import { bulkCall } from "../../../shared/http/bulk/bulk-call.ts";
import { createEach } from "../../../shared/http/bulk/create-each.ts";
import { defineEndpoint } from "../../../shared/http/define-endpoint.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { registryReadAccess } from "../../../shared/registries/registry-repository.ts";

export const { endpoint, handler } = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/attributes/{owner_type}/{owner_id}",
    auth: "oms",
    summary: "Give attributes to an order, a product or another owner",
    request: z.object({ params: ownerPath, query: z.object(ownerQuery), body: bulkBody(newAttribute) }),
    response: dataOf(z.array(attributeRecord)),
    access: { orders: "read", inventory: "write-records", ...registryReadAccess("distributionCenters") },
  },
  async ({ params, query, body: { data } }, context) =>
    bulkCall(context, placed(data), attributeRecord, async (inputs, context) => {
      const owner = await getAttributeOwner(context, { ...params, ...query });
      const named = inputs.map(namedAt);
      const existing = await findAttributes(
        context.db,
        owner,
        named.map(({ name }) => name),
      );
      const taken = named.filter(({ name }) => existing.has(name));
      const errors = [...taken.map(({ name, path }) => alreadyExists(name, path)), ...duplicateErrors(named)];
      if (errors.length > 0) throw invalidAt(errors);
      return createEach(context, {
        list: attributeList,
        owner: ownerText(owner),
        inputs,
        plan: (drafts) =>
          drafts.map(({ value, id, at, path }) => {
            const created = { ...owner, ...value, attribute_id: id, created_at: at, updated_at: at };
            return { result: created, writes: insertAttribute(created, `${path}.attribute`) };
          }),
      });
    }),
);
