import { patchSynset, synsetPatch } from "../../../../shared/catalog/synsets/synset.ts";
import {
  readSynsetReferences,
  resolveComponents,
} from "../../../../shared/catalog/synsets/synset-references.ts";
import { findSynsets, saveSynset } from "../../../../shared/catalog/synsets/synset-repository.ts";
import { synsetReadOnly, synsetRecord } from "../../../../shared/catalog/synsets/synset-view.ts";
import { type FieldError, invalidAt } from "../../../../shared/common/problem.ts";
import { defineBulk } from "../../../../shared/http/bulk/bulk-call.ts";
import { patchEach } from "../../../../shared/http/bulk/patch-each.ts";
import { heldAccess } from "../../../../shared/stock/holds/hold-repository.ts";
import { readKitStock } from "../../../../shared/stock/kit-stock.ts";

/** Earlier orders stay as they are. */
export const { endpoint, handler } = defineBulk(
  {
    method: "PATCH",
    path: "/apirest/v4/oms/inventory/synsets",
    summary: "Change synsets, found by name",
    input: synsetPatch,
    record: synsetRecord,
    readOnly: synsetReadOnly,
    bodyNamesRecord: true,
    takesVersion: true,
    access: { inventory: "write-records", ...heldAccess },
  },
  async (data, context) => {
    const { db, account_id, now } = context;
    return patchEach(context, data, {
      title: "synset",
      nameOf: ({ synset }) => ({ field: "synset", value: synset, words: `synset with the name ${synset}` }),
      read: async (sent) => {
        const names = sent.map(({ synset }) => synset);
        const [references, found] = await Promise.all([
          readSynsetReferences(db, account_id, sent),
          findSynsets(db, account_id, names),
        ]);
        return { references, find: ({ synset }) => found.get(synset) };
      },
      plan: async (found, references) => {
        const changes = found.map(({ before, value: { items }, path }) => {
          const errors: FieldError[] = [];
          const components = items && resolveComponents(items, references, path, errors);
          return { before, after: patchSynset(before.record, components, now), errors };
        });
        const sound = changes.filter(({ errors }) => errors.length === 0);
        const stockOf = await readKitStock(
          db,
          account_id,
          sound.map(({ after }) => after),
        );
        return changes.map(({ before, after, errors }) =>
          errors.length > 0
            ? { problem: invalidAt(errors) }
            : { result: { ...after, ...stockOf(after) }, writes: saveSynset(before, after) },
        );
      },
    });
  },
);
