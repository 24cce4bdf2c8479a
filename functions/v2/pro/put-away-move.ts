import * as z from "zod/mini";
import { day, name, newName, optional, quantity } from "../../../shared/common/fields.ts";
import { defineEndpoint } from "../../../shared/http/define-endpoint.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import {
  presentPutAway,
  putAwayRecord,
  putAwayTarget,
  targetOf,
} from "../../../shared/inbound/inbound-view.ts";
import { putAway } from "../../../shared/inbound/put-away.ts";
import { maxPicksAndSerials } from "../../../shared/picking/picking.ts";
import { registryReadAccess } from "../../../shared/registries/registry-repository.ts";
import { serialText } from "../../../shared/serials/serial.ts";
import { serialPickAccess } from "../../../shared/serials/serial-repository.ts";

const body = z.extend(putAwayTarget, {
  sku: name,
  quantity,
  location: name,
  bin: name,
  lot: optional(newName),
  expires_on: optional(day),
  serials: optional(z.array(serialText).check(z.minLength(1), z.maxLength(maxPicksAndSerials))),
});

export const { endpoint, handler } = defineEndpoint(
  {
    method: "POST",
    path: "/apiv2/pro-v1/put-away-move",
    alsoAt: ["/pro-v1/put-away-move"],
    auth: "v2",
    summary: "Put goods of a replenishment or a return into a bin",
    request: z.object({ body }),
    response: dataOf(putAwayRecord),
    bodyNamesRecord: true,
    access: {
      inventory: "write-records",
      orders: ["read", "change"],
      ...serialPickAccess,
      ...registryReadAccess("bins", "allBins"),
    },
  },
  async ({ body: { replenishment_id, return_id, ...move } }, context) => {
    const target = targetOf({ replenishment_id, return_id });
    return putAway(context, target, move, (after) => ({ data: presentPutAway(target, after) }));
  },
);
