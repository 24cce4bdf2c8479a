import * as z from "zod/mini";
import { defineRead, idOrName } from "../../../shared/http/lists/define-read.ts";
import { manufactureOrders } from "../../../shared/registries/manufacture/manufacture-repository.ts";
import { manufactureRecord } from "../../../shared/registries/manufacture/manufacture-view.ts";
import { getRecord } from "../../../shared/store/lists/repository.ts";

export const { endpoint, handler } = defineRead(
  {
    path: "/apirest/v4/oms/manufacture/{order}",
    summary: "Read one manufacture order",
    request: z.object({ params: z.object({ order: idOrName }) }),
    record: manufactureRecord,
    access: { inventory: "read" },
  },
  async ({ params }, context) => (await getRecord(context, manufactureOrders, params.order)).record,
);
