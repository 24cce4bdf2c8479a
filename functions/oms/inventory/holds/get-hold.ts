import * as z from "zod/mini";
import { defineRead, nameInPath } from "../../../../shared/http/lists/define-read.ts";
import { holdRecord, presentHold } from "../../../../shared/stock/holds/hold.ts";
import { getHold, heldAccess } from "../../../../shared/stock/holds/hold-repository.ts";

export const { endpoint, handler } = defineRead(
  {
    path: "/apirest/v4/oms/inventory/holds/{hold_id}",
    summary: "Read one hold",
    request: z.object({ params: z.object({ hold_id: nameInPath }) }),
    record: holdRecord,
    access: heldAccess,
  },
  async ({ params: { hold_id } }, { db, account_id }) => presentHold(await getHold(db, account_id, hold_id)),
);
