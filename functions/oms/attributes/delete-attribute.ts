import * as z from "zod/mini";
import { getAttributeOwner } from "../../../shared/attribute-owners/get-attribute-owner.ts";
import { attributeInput } from "../../../shared/attributes/attribute.ts";
import { findAttributes, removeAttribute } from "../../../shared/attributes/attribute-repository.ts";
import { attributeRecord, ownerPath, ownerQuery } from "../../../shared/attributes/attribute-view.ts";
import { notFound } from "../../../shared/common/problem.ts";
import { defineEndpointWithoutBody } from "../../../shared/http/define-without-body.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { registryReadAccess } from "../../../shared/registries/registry-repository.ts";
import { transact, untilFresh } from "../../../shared/store/dynamodb/transact.ts";

export const { endpoint, handler } = defineEndpointWithoutBody(
  {
    method: "DELETE",
    path: "/apirest/v4/oms/attributes/{owner_type}/{owner_id}",
    auth: "oms",
    summary: "Delete an attribute, found by name",
    request: z.object({
      params: ownerPath,
      query: z.object({ ...ownerQuery, attribute: attributeInput.shape.attribute }),
    }),
    response: dataOf(attributeRecord),
    access: { orders: "read", inventory: "write-records", ...registryReadAccess("distributionCenters") },
  },
  async ({ params, query: { attribute: name, identify_by } }, context) => {
    const { db } = context;
    const owner = await getAttributeOwner(context, { ...params, identify_by });
    return untilFresh(db, async () => {
      const found = (await findAttributes(db, owner, [name])).get(name);
      if (found === undefined) throw notFound(`There is no attribute ${name}`);
      await transact(db, removeAttribute(found));
      return { data: found.record };
    });
  },
);
