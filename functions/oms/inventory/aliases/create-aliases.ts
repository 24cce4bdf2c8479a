import * as z from "zod/mini";
import { readAliasReferences } from "../../../../shared/data/alias-references.ts";
import { insertAlias } from "../../../../shared/data/aliases.ts";
import { reads } from "../../../../shared/data/registries.ts";
import { aliasInput, created } from "../../../../shared/domain/catalog/alias.ts";
import { resolveNewAliases } from "../../../../shared/domain/catalog/alias-references.ts";
import { records } from "../../../../shared/domain/fields.ts";
import { bulkAnswer } from "../../../../shared/http/bulk-answer.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf } from "../../../../shared/http/pagination.ts";
import { aliasRecord } from "../../../../shared/http/records/alias.ts";
import { defineWithBody } from "../../../../shared/http/with-body.ts";
import { createEach } from "../../../../shared/operations/create-each.ts";
import { aliasList } from "../../../../shared/store/lists/definitions.ts";

export const endpoint = defineWithBody(
  {
    method: "POST",
    path: "/apirest/v4/oms/inventory/aliases",
    auth: "oms",
    summary: "Create aliases: what a channel, or every channel, calls products",
    request: z.object({ body: records(aliasInput) }),
    response: dataOf(z.array(aliasRecord)),
    access: { inventory: "write", ...reads("stores", "distributionCenters") },
  },
  async ({ body: { data } }, context) => {
    const { db, account_id } = context;
    const outcomes = await createEach(context, {
      list: aliasList,
      inputs: resolveNewAliases(data, await readAliasReferences(db, account_id, data)),
      plan: (drafts) =>
        drafts.map(({ input: terms, id: alias_id, at, path }) => {
          const alias = created(terms, { account_id, alias_id, at });
          return { result: alias, writes: insertAlias(alias, path) };
        }),
    });
    return bulkAnswer(outcomes, aliasRecord);
  },
);

export const handler = lambda(endpoint);
