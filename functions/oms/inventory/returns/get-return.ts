import * as z from "zod/mini";
import { defineRead, idOrName } from "../../../../shared/http/lists/define-read.ts";
import { returns } from "../../../../shared/inbound/inbound-repository.ts";
import { presentInbound, returnWithActions } from "../../../../shared/inbound/inbound-view.ts";
import { getRecord } from "../../../../shared/store/lists/repository.ts";

export const { endpoint, handler } = defineRead(
  {
    path: "/apirest/v4/oms/inventory/returns/{return}",
    summary: "Read one return",
    request: z.object({ params: z.object({ return: idOrName }) }),
    record: returnWithActions,
    access: { inventory: "read" },
  },
  async ({ params }, context) => presentInbound((await getRecord(context, returns, params.return)).record),
);
