import * as z from "zod/mini";
import { lambda } from "../../../../shared/http/lambda.ts";
import { defineList } from "../../../../shared/http/lists/define-read.ts";
import { oneOf, pageQuery, positive } from "../../../../shared/http/lists/pagination.ts";
import { exactly } from "../../../../shared/http/lists/searches.ts";
import { inboundStatuses } from "../../../../shared/inbound/inbound.ts";
import { returnedOrders, returns, withStatus } from "../../../../shared/inbound/inbound-repository.ts";
import { presentReturn, returnRecord } from "../../../../shared/inbound/inbound-view.ts";
import { mapPage } from "../../../../shared/store/lists/pages.ts";
import { readList } from "../../../../shared/store/lists/read-list.ts";

const query = z.object({
  ...pageQuery(),
  status: z.optional(oneOf(inboundStatuses)),
  order_id: z.optional(positive()),
});

export const endpoint = defineList(
  {
    path: "/apirest/v4/oms/inventory/returns",
    summary: "List returns, newest first",
    request: z.object({ query }),
    record: returnRecord,
    access: { inventory: "read", "inventory/cells": "read", tallies: "read", directory: "read" },
  },
  async ({ query: { status, order_id, ...page } }, { db, account_id }) => {
    const found = await readList(returns, db, account_id, { ...page, ...withStatus(status) }, [
      { field: "order_id", wanted: exactly(order_id), find: returnedOrders.find },
    ]);
    return mapPage(found, presentReturn);
  },
);

export const handler = lambda(endpoint);
