import * as z from "zod/mini";
import { manufactureOrders } from "../../../shared/data/manufacture.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { pageQuery } from "../../../shared/http/pagination.ts";
import { defineList } from "../../../shared/http/reading.ts";
import { manufactureRecord } from "../../../shared/http/records/manufacture.ts";
import { readList } from "../../../shared/store/lists/read-list.ts";

export const endpoint = defineList(
  {
    path: "/apirest/v4/oms/manufacture",
    summary: "List manufacture orders, newest first",
    request: z.object({ query: z.object(pageQuery()) }),
    record: manufactureRecord,
    access: { inventory: "read", "inventory/cells": "read", tallies: "read" },
  },
  ({ query }, { db, account_id }) => readList(manufactureOrders, db, account_id, query),
);

export const handler = lambda(endpoint);
