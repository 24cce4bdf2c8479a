import * as z from "zod/mini";
import { findSynsets, synsets } from "../../../../shared/catalog/synsets/synset-repository.ts";
import { synsetRecord } from "../../../../shared/catalog/synsets/synset-view.ts";
import { parseId } from "../../../../shared/common/fields.ts";
import { notFound } from "../../../../shared/common/problem.ts";
import { defineRead, idOrName } from "../../../../shared/http/lists/define-read.ts";
import { heldAccess } from "../../../../shared/stock/holds/hold-repository.ts";
import { readKitStock } from "../../../../shared/stock/kit-stock.ts";

export const { endpoint, handler } = defineRead(
  {
    path: "/apirest/v4/oms/inventory/synsets/{synset}",
    summary: "Read one synset by name, else by id",
    request: z.object({ params: z.object({ synset: idOrName }) }),
    record: synsetRecord,
    access: { inventory: "read", ...heldAccess },
  },
  async ({ params: { synset: text } }, { db, account_id }) => {
    const synsetId = parseId(text);
    const [byName, byId] = await Promise.all([
      findSynsets(db, account_id, [text]),
      synsetId === undefined ? undefined : synsets.find(db, account_id, synsetId),
    ]);
    const { record } = byName.get(text) ?? byId ?? {};
    if (record === undefined) throw notFound(`There is no synset with the name or id ${text}`);
    const stockOf = await readKitStock(db, account_id, [record]);
    return { ...record, ...stockOf(record) };
  },
);
