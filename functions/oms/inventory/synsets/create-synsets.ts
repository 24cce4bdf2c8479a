import { newSynset, synsetInput } from "../../../../shared/catalog/synsets/synset.ts";
import {
  readSynsetReferences,
  resolveNewSynsets,
} from "../../../../shared/catalog/synsets/synset-references.ts";
import { synsetList, synsets } from "../../../../shared/catalog/synsets/synset-repository.ts";
import { synsetRecord } from "../../../../shared/catalog/synsets/synset-view.ts";
import { valuesOf } from "../../../../shared/common/placed.ts";
import { defineBulk } from "../../../../shared/http/bulk/bulk-call.ts";
import { createEach } from "../../../../shared/http/bulk/create-each.ts";
import { heldAccess } from "../../../../shared/stock/holds/hold-repository.ts";
import { readKitStock } from "../../../../shared/stock/kit-stock.ts";

export const { endpoint, handler } = defineBulk(
  {
    method: "POST",
    path: "/apirest/v4/oms/inventory/synsets",
    summary: "Create synsets",
    input: synsetInput,
    record: synsetRecord,
    access: { inventory: "write-records", ...heldAccess },
  },
  async (data, context) => {
    const { db, account_id } = context;
    return createEach(context, {
      list: synsetList,
      inputs: resolveNewSynsets(data, await readSynsetReferences(db, account_id, valuesOf(data))),
      plan: async (drafts) => {
        const terms = drafts.map(({ value }) => value);
        const stockOf = await readKitStock(db, account_id, terms);
        return drafts.map(({ value, id: synset_id, at, path }) => {
          const synset = newSynset(value, { account_id, synset_id, at });
          return {
            result: { ...synset, ...stockOf(synset) },
            writes: synsets.insert(synset, path),
          };
        });
      },
    });
  },
);
