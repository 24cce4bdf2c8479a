import * as z from "zod/mini";
import { readKitStock } from "../../../../shared/data/kit-stock.ts";
import { findSynsets, synsets } from "../../../../shared/data/synsets.ts";
import { idIn } from "../../../../shared/domain/fields.ts";
import { notFound } from "../../../../shared/domain/problem.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { defineRead, identifier } from "../../../../shared/http/reading.ts";
import { synsetRecord } from "../../../../shared/http/records/synset.ts";

export const endpoint = defineRead(
  {
    path: "/apirest/v4/oms/inventory/synsets/{synset}",
    summary: "Read one synset by name or, where none has it, by id",
    request: z.object({ params: z.object({ synset: identifier }) }),
    record: synsetRecord,
    access: { inventory: "read" },
  },
  async ({ params: { synset: text } }, { db, account_id }) => {
    const synsetId = idIn(text);
    const [byName, byId] = await Promise.all([
      findSynsets(db, account_id, [text]),
      synsetId === undefined ? undefined : synsets.find(db, account_id, synsetId),
    ]);
    const found = byName.get(text) ?? byId;
    if (found === undefined) throw notFound(`There is no synset with the name or id ${text}`);
    const stockOf = await readKitStock(db, account_id, [found]);
    return { ...found, ...stockOf(found) };
  },
);

export const handler = lambda(endpoint);
