import * as z from "zod/mini";
import { bulkBody } from "../../../../shared/common/fields.ts";
import { defineEndpoint } from "../../../../shared/http/define-endpoint.ts";
import { dataOf } from "../../../../shared/http/responses.ts";
import { registryReadAccess } from "../../../../shared/registries/registry-repository.ts";
import { holdInput, holdRecord } from "../../../../shared/stock/holds/hold.ts";
import { placeHolds } from "../../../../shared/stock/holds/place-holds.ts";

export const { endpoint, handler } = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/inventory/holds",
    auth: "oms",
    summary: "Hold stock for a while, if it is available",
    request: z.object({ body: bulkBody(holdInput) }),
    response: dataOf(z.array(holdRecord)),
    needsStock: true,
    access: {
      inventory: ["read", "insert", "change"],
      jobs: { "hold#": ["read", "insert", "remove"] },
      ...registryReadAccess("distributionCenters"),
    },
  },
  ({ body: { data } }, context) => placeHolds(context, data),
);
