import * as z from "zod/mini";
import { name, quantity } from "../../../shared/domain/fields.ts";
import { mostPickPlaces } from "../../../shared/domain/picking/picking.ts";
import { serialText } from "../../../shared/domain/serials/serial.ts";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf } from "../../../shared/http/pagination.ts";
import {
  presentPutAway,
  putAwayRecord,
  putAwayTarget,
  targetOf,
} from "../../../shared/http/records/put-away.ts";
import { storeOnce } from "../../../shared/http/store-once.ts";
import { type PutAwayState, putAway } from "../../../shared/operations/put-away.ts";

const body = z.extend(putAwayTarget, {
  sku: name,
  quantity,
  location: name,
  bin: name,
  lot: z.optional(name),
  expires_on: z.optional(z.iso.date()),
  serials: z.optional(z.array(serialText).check(z.minLength(1), z.maxLength(mostPickPlaces))),
});

const response = dataOf(putAwayRecord);

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apiv2/pro-v1/put-away-move",
    alsoAt: ["/pro-v1/put-away-move"],
    auth: "v2",
    summary: "Put goods of a replenishment or a return into a bin",
    request: z.object({ body }),
    response,
    access: { inventory: "write" },
  },
  async ({ body: { replenishment_id, return_id, ...move } }, { account, actor, now, ...tools }) => {
    const target = targetOf({ replenishment_id, return_id });
    const present = (state: PutAwayState) => ({ data: presentPutAway(target, state) });
    const context = { account_id: account.account_id, actor, now };
    const once = storeOnce(tools, response, present);
    return present(await putAway(tools.db, context, target, move, once));
  },
);

export const handler = lambda(endpoint);
