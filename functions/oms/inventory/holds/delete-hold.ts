import * as z from "zod/mini";
import { defineEndpointWithoutBody } from "../../../../shared/http/define-without-body.ts";
import { nameInPath } from "../../../../shared/http/lists/define-read.ts";
import { dataOf } from "../../../../shared/http/responses.ts";
import { holdRecord, presentHold } from "../../../../shared/stock/holds/hold.ts";
import { endHold, getHold } from "../../../../shared/stock/holds/hold-repository.ts";
import { transact, untilFresh } from "../../../../shared/store/dynamodb/transact.ts";

export const { endpoint, handler } = defineEndpointWithoutBody(
  {
    method: "DELETE",
    path: "/apirest/v4/oms/inventory/holds/{hold_id}",
    auth: "oms",
    summary: "End a hold and release its stock",
    request: z.object({ params: z.object({ hold_id: nameInPath }) }),
    response: dataOf(holdRecord),
    access: { inventory: ["insert", "change"], jobs: { "hold#": ["read", "remove"] } },
  },
  ({ params: { hold_id } }, { db, account_id, actor: by, now: at }) =>
    untilFresh(db, async () => {
      const found = await getHold(db, account_id, hold_id);
      await transact(db, endHold(found, { reason: "hold_released", by, at }));
      return { data: presentHold(found) };
    }),
);
