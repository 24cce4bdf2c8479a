import * as z from "zod/mini";
import { synsets } from "../../../../shared/catalog/synsets/synset-repository.ts";
import { synsetRecord } from "../../../../shared/catalog/synsets/synset-view.ts";
import { defineList } from "../../../../shared/http/lists/define-read.ts";
import { pageQuery } from "../../../../shared/http/lists/pagination.ts";
import { heldAccess } from "../../../../shared/stock/holds/hold-repository.ts";
import { readKitStock } from "../../../../shared/stock/kit-stock.ts";
import { mapPage } from "../../../../shared/store/lists/pages.ts";
import { listAccess, readList } from "../../../../shared/store/lists/read-list.ts";

export const { endpoint, handler } = defineList(
  {
    path: "/apirest/v4/oms/inventory/synsets",
    summary: "List synsets, newest first",
    request: z.object({ query: z.object(pageQuery()) }),
    record: synsetRecord,
    access: { ...listAccess("inventory"), ...heldAccess },
  },
  async ({ query }, { db, account_id }) => {
    const page = await readList(synsets, db, account_id, query);
    const stockOf = await readKitStock(db, account_id, page.records);
    return mapPage(page, (synset) => ({ ...synset, ...stockOf(synset) }));
  },
);
