import * as z from "zod/mini";
import { findAttributes, insertAttribute, ownerText } from "../../../shared/data/attributes.ts";
import { reads } from "../../../shared/data/registries.ts";
import { attributeInput, repeatedAttributes } from "../../../shared/domain/attribute.ts";
import { records } from "../../../shared/domain/fields.ts";
import { invalidAt } from "../../../shared/domain/problem.ts";
import { bulkAnswer } from "../../../shared/http/bulk-answer.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf } from "../../../shared/http/pagination.ts";
import { attributeRecord, ownerPath, ownerQuery } from "../../../shared/http/records/attribute.ts";
import { defineWithBody } from "../../../shared/http/with-body.ts";
import { createEach } from "../../../shared/operations/create-each.ts";
import { getAttributeOwner } from "../../../shared/operations/get-attribute-owner.ts";
import { attributeList } from "../../../shared/store/lists/definitions.ts";

export const endpoint = defineWithBody(
  {
    method: "POST",
    path: "/apirest/v4/oms/attributes/{owner_type}/{owner_id}",
    auth: "oms",
    summary: "Give attributes to an order, a product or another owner",
    request: z.object({ params: ownerPath, query: z.object(ownerQuery), body: records(attributeInput) }),
    response: dataOf(z.array(attributeRecord)),
    access: { orders: "read", inventory: "write", ...reads("distributionCenters") },
  },
  async ({ params, query, body: { data: inputs } }, context) => {
    const owner = await getAttributeOwner(context, { ...params, ...query });
    const names = inputs.map(({ attribute }) => attribute);
    const existing = await findAttributes(context.db, owner, names);
    const taken = names.flatMap((name, position) =>
      existing.has(name) ? [{ path: `data.${position}.attribute`, message: `already exists (${name})` }] : [],
    );
    const errors = [...taken, ...repeatedAttributes(inputs)];
    if (errors.length > 0) throw invalidAt(errors);
    const outcomes = await createEach(context, {
      list: attributeList,
      owner: ownerText(owner),
      inputs,
      plan: (drafts) =>
        drafts.map(({ input, id, at, path }) => {
          const created = { ...owner, ...input, attribute_id: id, created_at: at, updated_at: at };
          return { result: created, writes: insertAttribute(created, `${path}.attribute`) };
        }),
    });
    return bulkAnswer(outcomes, attributeRecord);
  },
);

export const handler = lambda(endpoint);
