import * as z from "zod/mini";
import { defineList } from "../../../shared/http/lists/define-read.ts";
import { pageQuery } from "../../../shared/http/lists/pagination.ts";
import { manufactureOrders } from "../../../shared/registries/manufacture/manufacture-repository.ts";
import { manufactureRecord } from "../../../shared/registries/manufacture/manufacture-view.ts";
import { listAccess, readList } from "../../../shared/store/lists/read-list.ts";

export const { endpoint, handler } = defineList(
  {
    path: "/apirest/v4/oms/manufacture",
    summary: "List manufacture orders, newest first",
    request: z.object({ query: z.object(pageQuery()) }),
    record: manufactureRecord,
    access: { ...listAccess("inventory") },
  },
  ({ query }, { db, account_id }) => readList(manufactureOrders, db, account_id, query),
);
