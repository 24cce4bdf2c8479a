import * as z from "zod/mini";
import { readKitStock } from "../../../../shared/data/kit-stock.ts";
import { readSynsetReferences } from "../../../../shared/data/synset-references.ts";
import { insertSynset } from "../../../../shared/data/synsets.ts";
import { created, synsetInput } from "../../../../shared/domain/catalog/synset.ts";
import { resolveNewSynsets } from "../../../../shared/domain/catalog/synset-references.ts";
import { records } from "../../../../shared/domain/fields.ts";
import { bulkAnswer } from "../../../../shared/http/bulk-answer.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf } from "../../../../shared/http/pagination.ts";
import { synsetRecord } from "../../../../shared/http/records/synset.ts";
import { defineWithBody } from "../../../../shared/http/with-body.ts";
import { createEach } from "../../../../shared/operations/create-each.ts";
import { synsetList } from "../../../../shared/store/lists/definitions.ts";

export const endpoint = defineWithBody(
  {
    method: "POST",
    path: "/apirest/v4/oms/inventory/synsets",
    auth: "oms",
    summary: "Create synsets",
    request: z.object({ body: records(synsetInput) }),
    response: dataOf(z.array(synsetRecord)),
    access: { inventory: "write" },
  },
  async ({ body: { data } }, context) => {
    const { db, account_id } = context;
    const outcomes = await createEach(context, {
      list: synsetList,
      inputs: resolveNewSynsets(data, await readSynsetReferences(db, account_id, data)),
      plan: async (drafts) => {
        const terms = drafts.map(({ input }) => input);
        const stockOf = await readKitStock(db, account_id, terms);
        return drafts.map(({ input, id: synset_id, at, path }) => {
          const synset = created(input, { account_id, synset_id, at });
          return {
            result: { ...synset, ...stockOf(synset) },
            writes: insertSynset(synset, `${path}.synset`),
          };
        });
      },
    });
    return bulkAnswer(outcomes, synsetRecord);
  },
);

export const handler = lambda(endpoint);
