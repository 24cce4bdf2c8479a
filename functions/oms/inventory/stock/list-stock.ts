import * as z from "zod/mini";
import { defineChangeList } from "../../../../shared/http/lists/define-read.ts";
import { registryReadAccess } from "../../../../shared/registries/registry-repository.ts";
import { heldAccess } from "../../../../shared/stock/holds/hold-repository.ts";
import { listStock, stockQuery } from "../../../../shared/stock/listing/list-stock.ts";
import { stockRecord } from "../../../../shared/stock/stock-view.ts";
import { listAccess } from "../../../../shared/store/lists/read-list.ts";
import { lookupReadAccess } from "../../../../shared/store/lookup-index.ts";

export const { endpoint, handler } = defineChangeList(
  {
    path: "/apirest/v4/oms/inventory/stock",
    summary: "List stock levels",
    request: z.object({ query: stockQuery }),
    record: stockRecord,
    access: {
      ...listAccess("inventory"),
      ...lookupReadAccess,
      ...heldAccess,
      ...registryReadAccess("distributionCenters"),
    },
  },
  ({ query }, context) => listStock(context, query),
);
