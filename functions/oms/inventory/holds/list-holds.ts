import * as z from "zod/mini";
import { defineList } from "../../../../shared/http/lists/define-read.ts";
import { pageOfAll, pageQuery } from "../../../../shared/http/lists/pagination.ts";
import { holdRecord, presentHold } from "../../../../shared/stock/holds/hold.ts";
import { heldAccess, liveHolds } from "../../../../shared/stock/holds/hold-repository.ts";

/** Reads all holds of the account to count them: 100 take about 4 read units. */
export const { endpoint, handler } = defineList(
  {
    path: "/apirest/v4/oms/inventory/holds",
    summary: "List the account's holds, newest first",
    request: z.object({ query: z.object(pageQuery()) }),
    record: holdRecord,
    access: heldAccess,
  },
  async ({ query }, { db, account_id }) => {
    const holds = (await liveHolds(db, account_id)).map(presentHold);
    return pageOfAll(
      holds.toSorted((left, right) => right.created_at.localeCompare(left.created_at)),
      query,
    );
  },
);
