import * as z from "zod/mini";
import { defineEndpoint } from "../../../shared/http/define-endpoint.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import {
  presentPutAway,
  putAwayRecord,
  putAwayTarget,
  targetOf,
} from "../../../shared/inbound/inbound-view.ts";
import { loadPutAway } from "../../../shared/inbound/put-away.ts";

export const { endpoint, handler } = defineEndpoint(
  {
    method: "POST",
    path: "/apiv2/pro-v1/put-away-load",
    alsoAt: ["/pro-v1/put-away-load"],
    auth: "v2",
    summary: "List what of a replenishment or a return is to be put away",
    request: z.object({ body: putAwayTarget }),
    response: dataOf(putAwayRecord),
    bodyNamesRecord: true,
    access: { inventory: "read" },
  },
  async ({ body }, context) => {
    const target = targetOf(body);
    return { data: presentPutAway(target, await loadPutAway(context, target)) };
  },
);
